//! Cells in fields parted by tabs or semicolons, as spreadsheets copy and export them.
//!
//! Such a field may be empty, which is a blank. A tab may as well be blank space between cells, or before
//! them, so that it parts fields only where there are as many rows as each has fields.

use super::piece::{content, has_cells};
use crate::board::Geometry;

/// What parts fields beside a comma.
const SEPARATORS: [char; 2] = ['\t', ';'];

/// The text with commas between its fields, in the same places; nothing where there are none.
pub(super) fn with_commas(text: &str) -> Option<String> {
    let separator = SEPARATORS.into_iter().find(|separator| parts_fields(text, *separator))?;
    let line = |line: &str| {
        let cells = content(line);
        cells.replace(separator, ",") + &line[cells.len()..] + "\n"
    };
    Some(text.lines().map(line).collect())
}

/// Whether the rows of a board are all that has cells, and each is as many fields as there are rows.
fn parts_fields(text: &str, separator: char) -> bool {
    let lines = || text.lines().map(content);
    let rows = lines().filter(|line| line.contains(separator));
    let side = rows.clone().count();
    let is_field = |field: &str| field.split_whitespace().count() <= 1;
    Geometry::squarest(side).is_some()
        && lines().all(|line| line.contains(separator) || !has_cells(line))
        && rows.clone().all(|row| row.split(separator).count() == side)
        && rows.flat_map(|row| row.split(separator)).all(is_field)
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
            assert_eq!(with_commas(text).as_deref(), Some(expected), "{text}");
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
            assert_eq!(with_commas(text), None, "{text}");
        }
    }
}
