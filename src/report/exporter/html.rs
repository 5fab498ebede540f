//! HTML: one page for people, which every run changes as a whole.

use std::sync::LazyLock;

use super::Exporter;
use crate::report::document::Document;
use crate::report::page::{Circumstances, page};

/// Writes HTML.
pub(super) struct Html;

/// They do not change while the program runs.
static HERE: LazyLock<Circumstances> = LazyLock::new(Circumstances::here);

impl Exporter for Html {
    fn remembers(&self) -> bool {
        true
    }

    fn tail(&self, document: &dyn Document, _: bool) -> String {
        page(document, &HERE)
    }
}
