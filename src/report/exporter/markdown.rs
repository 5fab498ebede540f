//! Markdown: the tables as people read them, then what follows from them.

use super::Exporter;
use crate::report::document::{Document, Entry};

/// Writes Markdown.
pub(super) struct Markdown;

impl Exporter for Markdown {
    fn head(&self, document: &dyn Document) -> String {
        let mut text = format!("# {}\n", document.title());
        let tables = document.tables();
        for table in &tables {
            if !table.title.is_empty() {
                text += &format!("\n## {}\n", table.title);
            }
            text += &header(&table.header);
            table.rows.iter().for_each(|cells| text += &row(cells));
            if !table.notes.is_empty() {
                text += &format!("\n{}\n", table.notes.join("\n"));
            }
        }
        if tables.is_empty() {
            text += &header(&document.columns());
        }
        text
    }

    fn entry(&self, entry: &dyn Entry, _: bool) -> Option<String> {
        Some(row(&entry.row()))
    }

    fn tail(&self, document: &dyn Document, _: bool) -> String {
        let remarks = document.remarks();
        let lines: String = remarks.iter().map(|remark| format!("- {remark}\n")).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }
}

fn header(names: &[&str]) -> String {
    format!("\n{}|{}\n", row(names), " --- |".repeat(names.len()))
}

fn row(cells: &[impl AsRef<str>]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.as_ref().replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
