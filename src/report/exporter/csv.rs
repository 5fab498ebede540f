//! CSV: a header, and a row for each entry; what is not known is empty.

use csv::Writer;

use super::Exporter;
use crate::report::document::{Document, Entry};

/// Writes CSV.
pub(super) struct Csv;

impl Exporter for Csv {
    fn head(&self, document: &dyn Document) -> String {
        text([document.columns()])
    }

    fn body(&self, document: &dyn Document) -> String {
        text(document.rows())
    }

    fn entry(&self, entry: &dyn Entry, _: bool) -> Option<String> {
        Some(text([entry.row()]))
    }
}

fn text<T: AsRef<[u8]>>(rows: impl IntoIterator<Item = Vec<T>>) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        // Rows of as many fields as each other cannot fail in memory.
        let written = writer.write_record(row);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
