//! Tables that fit the terminal.
//!
//! Where a table is wider than the terminal, columns of words are narrowed first and their cells take
//! several lines; then columns are left out, in the order that the table states, and named below it;
//! what is still too wide is narrowed wherever it can be. A header always stands whole on one line. In
//! a pipe or a file nothing is narrowed or left out, unless the variable `COLUMNS` gives a width:
//!
//! ```text
//! COLUMNS=60 evodoku presets > presets.txt
//! ```

use std::fmt;
use std::io::{self, IsTerminal};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};
use textwrap::core::display_width;

/// Blanks between two columns of a table, of which the library draws one as a line.
const GAP: usize = 2;
/// Columns that words keep where a table is narrowed, and that sentences take at least.
pub const WORDS: usize = 24;

/// The width that text has to fit, if it has to fit any.
pub fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = || {
        let size = terminal_size::terminal_size_of(io::stdout());
        size.filter(|_| io::stdout().is_terminal()).map(|(width, _)| usize::from(width.0))
    };
    said.or_else(seen).filter(|width| *width > 0)
}

/// The width of the terminal that stderr is, if it is one on which sentences have room.
pub fn aside_width() -> Option<usize> {
    let stderr = io::stderr();
    let size = terminal_size::terminal_size_of(&stderr).filter(|_| stderr.is_terminal());
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width >= WORDS)
}

/// A table of text.
pub struct TextTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Columns of words.
    words: Vec<String>,
    /// Columns that are left out where there is no room, the first of them first.
    spare: Vec<String>,
}

impl TextTable {
    /// Columns without rows.
    pub fn new(header: &[&str]) -> Self {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        Self { header, rows: Vec::new(), words: Vec::new(), spare: Vec::new() }
    }

    /// The same, with columns of words, whose cells may take several lines.
    pub fn words(mut self, columns: &[&str]) -> Self {
        self.words = columns.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// The same, with columns that are left out where there is no room, the first of them first.
    pub fn spare(mut self, columns: &[&str]) -> Self {
        self.spare = columns.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// Adds a row, a text for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table within so many columns, or as wide as it is.
    fn within(&self, width: Option<usize>) -> String {
        let Some(width) = width else { return self.laid_out(&self.all(), None) };
        let mut kept = self.all();
        let mut left_out: Vec<&str> = Vec::new();
        for name in &self.spare {
            if self.least(&kept) <= width {
                break;
            }
            if let Some(at) = kept.iter().position(|column| self.header[*column] == *name) {
                kept.remove(at);
                left_out.push(name);
            }
        }
        let mut text = self.laid_out(&kept, Some(width));
        if !left_out.is_empty() {
            let note = format!("(no room for: {})", left_out.join(", "));
            text += &format!("\n{}", textwrap::fill(&note, width));
        }
        text
    }

    fn all(&self) -> Vec<usize> {
        (0..self.header.len()).collect()
    }

    /// The width of columns where those of words are as narrow as they get.
    fn least(&self, columns: &[usize]) -> usize {
        let least = |column: &usize| match self.is_words(*column) {
            true => self.natural(*column).min(self.of_header(*column).max(WORDS)),
            false => self.natural(*column),
        };
        columns.iter().map(least).sum::<usize>() + GAP * columns.len().saturating_sub(1)
    }

    /// The width of a column whose cells take a line each.
    fn natural(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| display_width(&row[column]));
        cells.max().unwrap_or(0).max(self.of_header(column))
    }

    fn of_header(&self, column: usize) -> usize {
        display_width(&self.header[column])
    }

    fn is_words(&self, column: usize) -> bool {
        self.words.contains(&self.header[column])
    }

    fn is_numbers(&self, column: usize) -> bool {
        let number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '%' | ' ' | '±');
        !self.is_words(column) && self.rows.iter().all(|row| row[column].chars().all(number))
    }

    fn laid_out(&self, columns: &[usize], width: Option<usize>) -> String {
        let cells = |row: &[String]| -> Vec<String> {
            columns.iter().map(|column| row[*column].clone()).collect()
        };
        let mut table = comfy_table::Table::new();
        table.load_preset("     --            ").set_header(cells(&self.header));
        table.add_rows(self.rows.iter().map(|row| cells(row)));
        // What does not even fit so is narrowed wherever that splits no header.
        let tight = width.is_some_and(|width| self.least(columns) > width);
        if let Some(width) = width.and_then(|width| u16::try_from(width).ok()) {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        for (shown, (at, column)) in table.column_iter_mut().zip(columns.iter().enumerate()) {
            // The gap stands behind every column but the last, and counts as part of it.
            let gap = if at + 1 < columns.len() { GAP as u16 - 1 } else { 0 };
            shown.set_padding((0, gap));
            if self.is_numbers(*column) {
                shown.set_cell_alignment(CellAlignment::Right);
            }
            let header = u16::try_from(self.of_header(*column)).unwrap_or(u16::MAX);
            shown.set_constraint(match tight || self.is_words(*column) {
                true => ColumnConstraint::LowerBoundary(Width::Fixed(header.saturating_add(gap))),
                false => ColumnConstraint::ContentWidth,
            });
        }
        table.trim_fmt()
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.within(width()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new(&["name", "long header", "rate", "origin"])
            .words(&["origin"])
            .spare(&["rate", "long header"]);
        table.row(["ai-escargot", "1", "1,000", "a list of puzzles that somebody has collected"]);
        table.row(["x", "22", "9", "here"]);
        table
    }

    #[test]
    fn without_a_width_nothing_is_narrowed() {
        assert_eq!(
            table().within(None),
            "name         long header   rate  origin\n\
             ------------------------------------------------------------------------------\n\
             ai-escargot            1  1,000  a list of puzzles that somebody has collected\n\
             x                     22      9  here"
        );
    }

    #[test]
    fn words_take_lines_before_columns_go_in_their_order() {
        assert_eq!(
            table().within(Some(60)),
            "name         long header   rate  origin\n\
             -------------------------------------------------------\n\
             ai-escargot            1  1,000  a list of puzzles that\n\
             \u{20}                                somebody has collected\n\
             x                     22      9  here"
        );
        let narrow = table().within(Some(52));
        assert!(narrow.starts_with("name         long header  origin\n"), "{narrow}");
        assert!(narrow.ends_with("\n(no room for: rate)"), "{narrow}");
        let narrower = table().within(Some(40));
        assert!(narrower.starts_with("name         origin\n"), "{narrower}");
        assert!(narrower.ends_with("\n(no room for: rate, long header)"), "{narrower}");
    }

    #[test]
    fn no_width_is_exceeded_that_holds_the_headers() {
        for width in 24..90 {
            let text = table().within(Some(width));
            for line in text.lines() {
                assert!(display_width(line) <= width, "{width}: {text}");
            }
            assert!(text.contains("name") && text.contains("origin"), "{width}: {text}");
        }
    }
}
