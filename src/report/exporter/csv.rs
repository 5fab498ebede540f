//! CSV: a header, and a row for each entry, run or generation; what is not known is empty.

use csv::Writer;

use super::Exporter;
use crate::report::document::{Columns, Document, Entry, LongTable};

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

/// Writes runs as CSV.
pub(super) struct RunsCsv;

impl Exporter for RunsCsv {
    fn tail(&self, document: &dyn Document, _: bool) -> String {
        long(document.run_table())
    }
}

/// Writes generations as CSV.
pub(super) struct GenerationsCsv;

impl Exporter for GenerationsCsv {
    fn tail(&self, document: &dyn Document, _: bool) -> String {
        long(document.generation_table())
    }
}

/// Writes comparisons as CSV.
pub(super) struct ComparisonsCsv;

impl Exporter for ComparisonsCsv {
    fn tail(&self, document: &dyn Document, _: bool) -> String {
        long(document.comparison_table())
    }
}

/// Nothing for a document that has no such table.
fn long(table: LongTable) -> String {
    if table.names.is_empty() {
        return String::new();
    }
    text([table.names]) + &text(table.rows.iter().map(Columns::texts))
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
