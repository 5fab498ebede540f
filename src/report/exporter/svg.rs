//! SVG: the plot, which every run changes as a whole.

use super::Exporter;
use crate::report::Plot;
use crate::report::document::Document;

/// Writes SVG.
pub(super) struct Svg;

impl Exporter for Svg {
    fn remembers(&self) -> bool {
        true
    }

    fn tail(&self, document: &dyn Document, _: bool) -> String {
        Plot::below_each_other(&document.plots())
    }
}
