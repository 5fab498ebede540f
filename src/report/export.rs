//! The formats that reports are exported in.
//!
//! A new format is a variant of [`ExportFormat`] and a line in [`ExportFormat::text`]: every command
//! that exports then has its flag.
//!
//! A list of millions of runs is written run by run. CSV, JSON and Markdown are then a head, a row for
//! each run, and a tail that the next row is written over. The other formats are written as a whole.

use csv::WriterBuilder;

use super::{Field, Plot, Report, ReportRow, Row, TidyTable, html};
use crate::util::named_enum::named;

named! {
    /// A format that results are exported in; its name is the flag that asks for it.
    pub enum ExportFormat {
        /// Write a row for each run, cell or measurement as CSV
        Csv = "export-csv",
        /// Write a row for each run as CSV, with the columns of its cell
        Runs = "export-runs",
        /// Write a row for each generation of each run as CSV: all of the first 32, then a
        /// selection with all extremes
        Generations = "export-generations",
        /// Write a row for each pair of cells that --compare compares, as CSV
        Comparisons = "export-comparisons",
        /// Write everything as JSON
        Json = "export-json",
        /// Write the tables as Markdown
        Markdown = "export-markdown",
        /// Write everything as one HTML page: tables, plots, and the curve and board of each run
        Report = "report",
        /// Draw the results as SVG
        Plot = "plot",
    }
}

/// Bytes that a row of a CSV file seldom exceeds.
const CSV_BUFFER: usize = 256;

impl ExportFormat {
    /// A whole report in this format.
    pub fn text(self, report: &Report<'_>) -> String {
        match self {
            Self::Csv => csv_table(&report.rows.get()),
            Self::Runs => csv_table(&report.runs.get()),
            Self::Generations => csv_table(&report.generations.get()),
            Self::Comparisons => csv_table(&report.comparisons.get()),
            Self::Json => {
                let records = report.records.get();
                let first = if records.is_empty() { "" } else { "\n" };
                json_head(report) + first + &records.join(",\n") + self.tail(records.is_empty())
            }
            Self::Markdown => markdown(report),
            Self::Report => html::page(report, &html::ENVIRONMENT),
            Self::Plot => Plot::stacked(&report.plots.get()),
        }
    }

    /// The text before the first run of a report that is written run by run; nothing for a format that is
    /// written as a whole.
    pub(super) fn head(self, report: &Report<'_>) -> Option<String> {
        match self {
            Self::Csv => Some(csv_rows([report.rows.get().names])),
            Self::Json => Some(json_head(report)),
            Self::Markdown => Some(markdown(report)),
            _ => None,
        }
    }

    /// The text of a run behind others, or of the first.
    pub(super) fn row(self, row: ReportRow<'_>, is_first: bool) -> String {
        match self {
            Self::Csv => csv_rows([row.cells()]),
            Self::Json => {
                let before = if is_first { "\n" } else { ",\n" };
                row.record().map_or_else(String::new, |record| format!("{before}{record}"))
            }
            Self::Markdown => markdown_row(&row.cells()),
            _ => String::new(),
        }
    }

    /// The text after the last run, if there is any.
    pub(super) fn tail(self, is_empty: bool) -> &'static str {
        match (self, is_empty) {
            (Self::Json, true) => "]\n}\n",
            (Self::Json, false) => "\n]\n}\n",
            _ => "",
        }
    }
}

/// A header and rows; nothing where there is no such table.
fn csv_table(table: &TidyTable) -> String {
    if table.names.is_empty() {
        return String::new();
    }
    csv_rows([&table.names]) + &csv_rows(table.rows.iter().map(Row::texts))
}

/// Rows of a CSV file, each of as many fields.
pub(super) fn csv_rows<T: AsRef<[u8]>>(
    rows: impl IntoIterator<Item = impl IntoIterator<Item = T>>,
) -> String {
    let mut writer = WriterBuilder::new().buffer_capacity(CSV_BUFFER).from_writer(Vec::new());
    for row in rows {
        // Rows of as many fields as each other cannot fail in memory.
        let written = writer.write_record(row);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// All members but the records. An object of a list takes one line, so that versions of the file compare
/// line by line.
fn json_head(report: &Report<'_>) -> String {
    let mut text = "{\n".to_owned();
    for (name, field) in report.members() {
        let value = match field {
            Field::Value(value) => value.to_string(),
            Field::List(objects) if objects.is_empty() => "[]".to_owned(),
            Field::List(objects) => {
                let lines: Vec<String> = objects.iter().map(Row::json).collect();
                format!("[\n{}\n]", lines.join(",\n"))
            }
        };
        text += &format!("\"{name}\": {value},\n");
    }
    text + &format!("\"{}\": [", report.list)
}

/// The tables for people, then the remarks.
fn markdown(report: &Report<'_>) -> String {
    let mut text = format!("# {}\n", report.title);
    let tables = report.tables.get();
    // What is written run by run has no answer yet.
    let answer = if tables.is_empty() { Vec::new() } else { report.answer.get() };
    text.extend(answer.iter().map(|sentence| format!("\n{sentence}\n")));
    for table in &tables {
        if !table.title.is_empty() {
            text += &format!("\n## {}\n", table.title);
        }
        text += &markdown_header(&table.header);
        text.extend(table.rows.iter().map(|cells| markdown_row(cells)));
        if !table.notes.is_empty() {
            text += &format!("\n{}\n", table.notes.join("\n"));
        }
    }
    if tables.is_empty() {
        text += &markdown_header(&report.rows.get().names);
    }
    let remarks = report.remarks.get();
    if !remarks.is_empty() {
        text.push('\n');
    }
    text.extend(remarks.iter().map(|remark| format!("- {remark}\n")));
    text
}

fn markdown_header(names: &[&str]) -> String {
    format!("\n{}|{}\n", markdown_row(names), " --- |".repeat(names.len()))
}

fn markdown_row(cells: &[impl AsRef<str>]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.as_ref().replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
