//! Cells in fields separated by tabs or semicolons, as spreadsheets copy and export them.
//!
//! Such a field may be empty, which is a blank. A tab may also be blank space between cells or before
//! them, so it separates fields only where there are as many rows as each has fields.
//!
//! ```text
//! 1;;;4        four rows of four fields: 1..4 and so on
//! ;;1;
//! ;1;;
//! 4;;;1
//! ```

use super::record::{content, has_cells};
use crate::board::Geometry;

/// The separators of fields besides a comma.
const SEPARATORS: [char; 2] = ['\t', ';'];

/// The text with commas as separators, at the same positions; `None` if it has no fields.
pub(super) fn normalise_delimiters(text: &str) -> Option<String> {
    let separator = SEPARATORS.into_iter().find(|separator| parts_fields(text, *separator))?;
    let mut parted = String::with_capacity(text.len() + 1);
    for line in text.lines() {
        let cells = content(line);
        parted.extend(cells.chars().map(|c| if c == separator { ',' } else { c }));
        parted.push_str(&line[cells.len()..]);
        parted.push('\n');
    }
    Some(parted)
}

/// Whether all lines with cells are rows of a board, each with as many fields as there are rows.
fn parts_fields(text: &str, separator: char) -> bool {
    let (mut rows, mut fields) = (0, 0);
    for line in text.lines().map(content) {
        if !line.contains(separator) {
            if has_cells(line) {
                return false;
            }
            continue;
        }
        let mut parts = 0;
        for field in line.split(separator) {
            parts += 1;
            if field.split_whitespace().nth(1).is_some() {
                return false;
            }
        }
        if rows > 0 && parts != fields {
            return false;
        }
        (rows, fields) = (rows + 1, parts);
    }
    rows == fields && Geometry::squarest(rows).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_as_many_fields_are_parted() {
        for (text, expected) in [
            ("1\t\t\t4\n\t\t\t\n2\t \t\t1 # a\tb\n\t1\t\t\n", "1,,,4\n,,,\n2, ,,1 # a\tb\n,1,,\n"),
            ("# small\n1;;;4\n\n;;;\n2;;;1\n;1;;", "# small\n1,,,4\n\n,,,\n2,,,1\n,1,,\n"),
        ] {
            assert_eq!(normalise_delimiters(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_else_has_tabs_stays() {
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
