//! The layout of rows, the third stage of reading: blanks that only all rows together show.
//!
//! A `-` is otherwise the side of a frame. It is a blank where there are as many rows as each has symbols,
//! dashes among them: nine rows like `53--7----`, `53-|-7-|---` or `5 3 - - 7 - - - -`. Lines of frames
//! between the rows, as `---+---+---` or a line of dashes of another length, are not rows.
//!
//! Spreadsheets copy and export cells in fields separated by tabs or semicolons. Such a field may be empty,
//! which is a blank. A tab may also be blank space between cells or before them, so it separates fields only
//! where there are as many rows as each has fields.
//!
//! ```text
//! 1;;;4        four rows of four fields: 1..4 and so on
//! ;;1;
//! ;1;;
//! 4;;;1
//! ```

use super::text::content;
use super::tokens::has_cells;
use crate::board::Geometry;

/// The separators of fields besides a comma.
const SEPARATORS: [char; 2] = ['\t', ';'];

/// The text with commas as separators, at the same positions; `None` if it has no fields.
pub(super) fn normalise_delimiters(text: &str) -> Option<String> {
    let separator = SEPARATORS.into_iter().find(|separator| parts_fields(text, *separator))?;
    let with_commas = |line: &str| {
        let cells = content(line);
        cells.replace(separator, ",") + &line[cells.len()..] + "\n"
    };
    Some(text.lines().map(with_commas).collect())
}

/// Whether all lines with cells are rows of a board, each with as many fields as there are rows.
fn parts_fields(text: &str, separator: char) -> bool {
    if !text.contains(separator) {
        return false;
    }
    let lines = text.lines().map(content);
    let rows: Vec<&str> =
        lines.filter(|line| line.contains(separator) || has_cells(line)).collect();
    let is_one_word = |field: &str| field.split_whitespace().nth(1).is_none();
    Geometry::squarest(rows.len()).is_some()
        && rows.iter().all(|row| row.split(separator).count() == rows.len())
        && rows.iter().all(|row| row.split(separator).all(is_one_word))
}

/// The text with a point for each `-` that is a blank, at the same position; `None` if none is. Up to a side of
/// `most` a cell may be one character.
pub(super) fn dashes_to_dots(text: &str, most: usize) -> Option<String> {
    if !text.lines().any(|line| is_row(content(line)) && content(line).contains('-')) {
        return None;
    }
    if let Some(rows) = rows(text, words) {
        // A separate -1 remains a number.
        let lone = rows.iter().flatten().flat_map(|row| symbols(row)).any(|word| word == "-");
        return lone.then(|| with_points(text, &rows, is_alone));
    }
    let rows = rows(text, characters).filter(|rows| rows.iter().flatten().count() <= most)?;
    Some(with_points(text, &rows, |_, _| true))
}

/// For each line, the row that it is, if there are as many rows as each has symbols.
fn rows(text: &str, symbols: fn(&str) -> usize) -> Option<Vec<Option<&str>>> {
    let lines: Vec<&str> = text.lines().map(content).collect();
    let first = lines.iter().find(|line| is_row(line))?;
    let wide = symbols(first);
    let with_cells = lines.iter().filter(|line| is_row(line)).count();
    // A row may be blank as a whole.
    let is_blank = |line: &str| {
        let dashes = line.contains('-') && line.chars().all(|c| c == '-' || is_between(c));
        dashes && symbols(line) == wide && with_cells < wide
    };
    let rows = lines.into_iter().map(|line| (is_row(line) || is_blank(line)).then_some(line));
    let rows: Vec<Option<&str>> = rows.collect();
    let found = rows.iter().flatten();
    let fits = found.clone().count() == wide && found.clone().all(|row| symbols(row) == wide);
    // As wide as 11 are the rows of a 9x9 board whose boxes are parted by dashes.
    (fits && Geometry::squarest(wide).is_some()).then_some(rows)
}

/// The text, whose rows have a point for each dash for which `is_blank` holds.
fn with_points(
    text: &str,
    rows: &[Option<&str>],
    is_blank: impl Fn(&str, usize) -> bool,
) -> String {
    let line = |(line, row): (&str, &Option<&str>)| {
        let cells = row.unwrap_or_default();
        let point = |(at, c)| {
            if c == '-' && is_blank(cells, at) { '.' } else { c }
        };
        let pointed: String = cells.char_indices().map(point).collect();
        pointed + &line[cells.len()..] + "\n"
    };
    text.lines().zip(rows).map(line).collect()
}

/// The number of symbols between blank space, bars and commas.
pub(super) fn words(row: &str) -> usize {
    symbols(row).count()
}

/// The number of characters other than blank space, bars and commas.
pub(super) fn characters(row: &str) -> usize {
    symbols(row).map(|word| word.chars().count()).sum()
}

/// The symbols between blank space, bars and commas.
fn symbols(row: &str) -> impl Iterator<Item = &str> {
    row.split(is_between).filter(|word| !word.is_empty())
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == '|' || c == ','
}

/// Whether the character at this position has no neighbour.
fn is_alone(row: &str, at: usize) -> bool {
    let before = row[..at].chars().next_back();
    let after = row[at + 1..].chars().next();
    before.is_none_or(is_between) && after.is_none_or(is_between)
}

/// Whether a line has cells, not only frames.
fn is_row(line: &str) -> bool {
    line.chars().any(|c| !is_between(c) && c != '-' && c != '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_blanks_where_rows_are_as_long_as_there_are_many() {
        for (text, expected) in [
            ("1-|-4\n--+--\n3-|1-\n2--1\n-1--", "1.|.4\n--+--\n3.|1.\n2..1\n.1..\n"),
            (
                "1 - - 4 # - a\n3 - 1 -\n-----\n2 - - 1\n- 1 - -",
                "1 . . 4 # - a\n3 . 1 .\n-----\n2 . . 1\n. 1 . .\n",
            ),
            ("1--4\n3-1-\n----\n-1--", "1..4\n3.1.\n....\n.1..\n"),
            ("1, -, -1, 4\n3 1 1 1\n2 2 2 2\n4 4 4 4", "1, ., -1, 4\n3 1 1 1\n2 2 2 2\n4 4 4 4\n"),
        ] {
            assert_eq!(dashes_to_dots(text, 9).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_dashes_are_frames_and_signs() {
        for text in [
            "",
            "----",
            "12|34\n--+--\n34|12\n21|43\n43|21",
            "12-34\n34-12\n-----\n21-43\n43-21",
            "-1 -1 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4",
            "1--4\n3-1-",
            "1- 3--- -2",
        ] {
            assert_eq!(dashes_to_dots(text, 9), None, "{text}");
        }
    }

    #[test]
    fn rows_of_as_many_fields_are_separated() {
        for (text, expected) in [
            ("1\t\t\t4\n\t\t\t\n2\t \t\t1 # a\tb\n\t1\t\t\n", "1,,,4\n,,,\n2, ,,1 # a\tb\n,1,,\n"),
            ("# small\n1;;;4\n\n;;;\n2;;;1\n;1;;", "# small\n1,,,4\n\n,,,\n2,,,1\n,1,,\n"),
        ] {
            assert_eq!(normalise_delimiters(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_with_tabs_do_not_change() {
        for text in [
            "",
            "\t1\t2\t3\t4\n\t3\t4\t1\t2\n\t2\t1\t4\t3\n\t4\t3\t2\t1",
            "\t12 34\n\t34 12\n\t21 43\n\t43 21",
            "1\t2\t3\t4\n3\t4\t1\t2\n2\t1\t4\t3\n",
            "1\t2\t3\t4\n3\t4\t1\t2\n2\t1\t4\t3\n4 3 2 1",
            "1 1\t2\t3\t4\n3\t4\t1\t2\n2\t1\t4\t3\n4\t3\t2\t1",
        ] {
            assert_eq!(normalise_delimiters(text), None, "{text}");
        }
    }
}
