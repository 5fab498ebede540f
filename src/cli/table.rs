//! Tables that fit the terminal.
//!
//! Where a table is wider than the terminal, columns of words are narrowed first and their cells take several
//! lines. Then columns are left out and named below it: those of dashes first, then the others in the order that the
//! table states, and one that fits after all is put back. A table that is still too wide is narrowed wherever it can
//! be. A header is never split over lines.
//! In a pipe or a file nothing is narrowed or left out, unless the variable `COLUMNS` gives a width:
//!
//! ```text
//! COLUMNS=60 evodoku presets > presets.txt
//! ```

use std::fmt;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};
use textwrap::core::display_width;

use super::output::{WORDS, width, wrapped};
use crate::report::{Table, dash};

/// Blanks between two columns of a table, of which the library draws one as a line.
const GAP: usize = 2;
/// Names of columns.
pub type Columns = &'static [&'static str];

/// A table of text.
pub struct TextTable {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    words: Columns,
    spare: Columns,
}

impl TextTable {
    /// A table without rows. The cells of `words` may take several lines; columns in `spare` may be left out
    /// where there is no room, the least needed first.
    pub fn new(header: &[&'static str], words: Columns, spare: Columns) -> Self {
        Self { header: header.to_vec(), rows: Vec::new(), words, spare }
    }

    /// Adds a row, a text for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table within so many columns, or as wide as it is.
    fn within(&self, width: Option<usize>) -> String {
        let mut columns: Vec<usize> = (0..self.header.len()).collect();
        let Some(width) = width else { return self.laid_out(&columns, None) };
        let position = |name: &&str| self.header.iter().position(|header| header == name);
        // A column of dashes says least.
        let mut spare: Vec<usize> = self.spare.iter().filter_map(position).collect();
        spare.sort_by_key(|place| !self.rows.iter().all(|row| row[*place] == dash()));
        for place in spare.iter().copied() {
            if self.least(&columns) > width {
                columns.retain(|column| *column != place);
            }
        }
        // What went last is needed most, and may fit where another column did not.
        for place in spare.iter().rev().copied() {
            let with: Vec<usize> = (0..self.header.len())
                .filter(|column| *column == place || columns.contains(column))
                .collect();
            if self.least(&with) <= width {
                columns = with;
            }
        }
        let left_out =
            self.spare.iter().filter_map(position).filter(|place| !columns.contains(place));
        let left_out: Vec<&str> = left_out.map(|place| self.header[place]).collect();
        let mut text = self.laid_out(&columns, Some(width));
        if !left_out.is_empty() {
            let note = format!("(no room for: {})", left_out.join(", "));
            text += &format!("\n{}", textwrap::fill(&note, width));
        }
        text
    }

    /// The width of columns where those of words are as narrow as they get.
    fn least(&self, columns: &[usize]) -> usize {
        let least = |column: &usize| match self.is_words(*column) {
            true => self.natural(*column).min(display_width(self.header[*column]).max(WORDS)),
            false => self.natural(*column),
        };
        columns.iter().map(least).sum::<usize>() + GAP * columns.len().saturating_sub(1)
    }

    /// The width of a column whose cells take a line each.
    fn natural(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| display_width(&row[column]));
        cells.max().unwrap_or(0).max(display_width(self.header[column]))
    }

    fn is_words(&self, column: usize) -> bool {
        self.words.contains(&self.header[column])
    }

    fn laid_out(&self, columns: &[usize], width: Option<usize>) -> String {
        let mut table = comfy_table::Table::new();
        table.load_preset("     --            ");
        table.set_header(columns.iter().map(|column| self.header[*column]));
        table.add_rows(self.rows.iter().map(|row| columns.iter().map(|column| &row[*column])));
        // A table that is still too wide is narrowed wherever that splits no header.
        let tight = width.is_some_and(|width| self.least(columns) > width);
        if let Some(width) = width.and_then(|width| u16::try_from(width).ok()) {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        for (shown, (at, column)) in table.column_iter_mut().zip(columns.iter().enumerate()) {
            // The gap follows every column but the last, and counts as part of it.
            let gap = if at + 1 < columns.len() { GAP as u16 - 1 } else { 0 };
            shown.set_padding((0, gap));
            let is_words = self.is_words(*column);
            let number = |c: char| c.is_ascii_digit() || ",.-% ±".contains(c);
            if !is_words && self.rows.iter().all(|row| row[*column].chars().all(number)) {
                shown.set_cell_alignment(CellAlignment::Right);
            }
            let header = display_width(self.header[*column]) as u16;
            shown.set_constraint(match tight || is_words {
                true => ColumnConstraint::LowerBoundary(Width::Fixed(header + gap)),
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

/// A table of a report with its notes. `words` and `spare` name columns as in [`TextTable`].
pub fn report_table(table: Table, words: Columns, spare: Columns) -> String {
    let shown = TextTable { header: table.header, rows: table.rows, words, spare };
    format!("{shown}\n\n{}", paragraphs(&table.notes))
}

/// Paragraphs, wrapped to the width of stdout; in a file each is a line, so that it can be searched for.
pub fn paragraphs(texts: &[String]) -> String {
    match width() {
        None => texts.iter().map(|text| format!("{text}\n")).collect(),
        Some(_) => texts.iter().map(|text| wrapped(text, "")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let header = ["name", "long header", "rate", "origin"];
        let mut table = TextTable::new(&header, &["origin"], &["rate", "long header"]);
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
