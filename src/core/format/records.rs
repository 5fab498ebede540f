//! Records: the parts of a text that hold one puzzle each.
//!
//! A list has a record a line, several grids a record a block between empty lines, and any other text
//! is one record. Formats with marks of their own have their splitters in their own files.

use std::vec;

use super::text::{LineReader, ReadError, TextLine};
use super::tokens::has_cells;
use super::{ParseError, TextPosition};

/// The text of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextRecord {
    /// The text, or the error instead of it.
    pub text: Result<String, ParseError>,
    /// Where the text starts.
    pub at: TextPosition,
    /// The puzzle's remarks.
    pub tags: Vec<String>,
    /// Whether it is one line of a list.
    pub listed: bool,
}

/// Splits lines into records.
pub(super) trait RecordSplitter: Send {
    /// Takes the next line; returns the record that it ends. At the end of the text it takes `None`, again as long
    /// as it returns a record.
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord>;
}

/// Lines that follow each other, on the way to a record.
#[derive(Debug, Default)]
pub(super) struct RecordBuilder {
    text: String,
    /// The number of the first line.
    first: usize,
    /// Whether any line so far holds a cell.
    pub has_cells: bool,
}

impl RecordBuilder {
    /// Adds the next line.
    pub fn push(&mut self, line: &TextLine) {
        if self.text.is_empty() {
            self.first = line.number;
        }
        self.text.push_str(&line.text);
        self.text.push('\n');
        self.has_cells |= has_cells(&line.text);
    }

    /// The record, if it has any cell; the builder is empty afterwards.
    pub fn take(&mut self, tags: Vec<String>) -> Option<TextRecord> {
        let record = std::mem::take(self);
        let at = TextPosition { line: record.first, column: 1 };
        record.has_cells.then_some(TextRecord { text: Ok(record.text), at, tags, listed: false })
    }
}

/// One record a line.
pub(super) struct PerLine;

impl RecordSplitter for PerLine {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let mut builder = RecordBuilder::default();
        builder.push(&line?);
        builder.take(Vec::new()).map(|record| TextRecord { listed: true, ..record })
    }
}

/// All lines in one record, or one record a block between empty lines.
#[derive(Default)]
pub(super) struct PerBlock {
    /// Whether empty lines split.
    pub splits: bool,
    pub builder: RecordBuilder,
}

impl RecordSplitter for PerBlock {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        match line {
            Some(line) if !self.splits || !line.text.trim().is_empty() => {
                self.builder.push(&line);
                None
            }
            _ => self.builder.take(Vec::new()),
        }
    }
}

/// The records of a text.
pub(super) struct RecordLines<'a> {
    /// The lines that were read to detect the format.
    pub head: vec::IntoIter<TextLine>,
    /// The lines after them.
    pub lines: LineReader<'a>,
    pub splitter: Box<dyn RecordSplitter>,
}

impl Iterator for RecordLines<'_> {
    type Item = Result<TextRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.head.next().map(Ok).or_else(|| self.lines.next());
            let line = match line.transpose() {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let is_end = line.is_none();
            if let Some(record) = self.splitter.next(line) {
                self.lines.restart();
                return Some(Ok(record));
            }
            if is_end {
                return None;
            }
        }
    }
}

#[cfg(test)]
pub(super) use tests::records;

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line and the text of each record that a splitter makes of a text.
    pub fn records(mut splitter: impl RecordSplitter, text: &str) -> Vec<(usize, String)> {
        let lines = text.lines().enumerate();
        let lines =
            lines.map(|(index, text)| TextLine { number: index + 1, text: text.to_owned() });
        let records: Vec<TextRecord> =
            lines.map(Some).chain([None]).filter_map(|line| splitter.next(line)).collect();
        records.into_iter().map(|record| (record.at.line, record.text.unwrap())).collect()
    }

    #[test]
    fn records_know_their_first_line() {
        let text = "# two\n12\n\n\n34\n--\n56\n# end\n";
        let of = |splits| records(PerBlock { splits, ..PerBlock::default() }, text);
        let record = |line, text: &str| (line, text.to_owned());
        assert_eq!(of(true), [record(1, "# two\n12\n"), record(5, "34\n--\n56\n# end\n")]);
        assert_eq!(of(false), [record(1, text)]);
        let lines = records(PerLine, text);
        assert_eq!(lines, [record(2, "12\n"), record(5, "34\n"), record(7, "56\n")]);
    }
}
