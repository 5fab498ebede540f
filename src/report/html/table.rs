//! Tables, as they can be sorted: a column of figures says so, and stands to the right.

use maud::{Markup, html};

use super::{frame, left_out, name, sentences, text};
use crate::report::Table;

/// Rows and bytes of a table at most.
const ROWS: usize = 1_000;
const BYTES: usize = 1 << 20;
/// Bytes of a cell that takes one line.
const WIDE: usize = 40;

/// A table with its title and its notes.
pub(super) fn table(table: &Table) -> Markup {
    let label = if table.title.is_empty() { "Results" } else { &table.title };
    html! {
        @if !table.title.is_empty() { h3 { (text(&table.title)) } "\n" }
        (plain(label, &table.header, &table.rows))
        (sentences(&table.notes, "notes"))
    }
}

/// A table of texts.
pub(super) fn plain(label: &str, names: &[impl AsRef<str>], rows: &[Vec<String>]) -> Markup {
    let columns = Column::all(names, rows);
    let lines = rows.iter().map(|row| {
        html! {
            tr { @for (cell, column) in row.iter().zip(&columns) { (column.cell(&text(cell))) } }
        }
    });
    framed(label, "sorts", &columns, lines, rows.len())
}

/// A table of rows that are markup, as long as there is room for them.
pub(super) fn framed(
    label: &str,
    class: &str,
    columns: &[Column],
    rows: impl Iterator<Item = Markup>,
    of: usize,
) -> Markup {
    let (mut body, mut bytes) = (Vec::new(), 0);
    for row in rows.take(ROWS) {
        bytes += row.0.len();
        if bytes > BYTES {
            break;
        }
        body.push(row);
    }
    let rest = of - body.len();
    let table = html! {
        table class=(class) {
            thead { tr { @for column in columns { (column.header()) } } }
            tbody { @for row in &body { "\n" (row) } }
        }
    };
    html! {
        (frame(&text(label), table)) "\n"
        @if rest > 0 {
            (left_out(&format!("{rest} more rows are left out; the exports have all.")))
        }
    }
}

/// A column by its name.
pub(super) struct Column {
    name: String,
    figures: bool,
    /// Whether cells may take several lines.
    wide: bool,
}

impl Column {
    /// All columns of a table.
    pub fn all(names: &[impl AsRef<str>], rows: &[Vec<String>]) -> Vec<Self> {
        let column = |(at, name): (usize, &_)| {
            Self::of(AsRef::<str>::as_ref(name), rows.iter().map(move |row| row[at].as_str()))
        };
        names.iter().enumerate().map(column).collect()
    }

    /// The column of these cells.
    fn of<'a>(name: &str, cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut known, mut words, mut wide) = (false, false, false);
        for cell in cells {
            known |= !is_blank(cell);
            words |= !is_blank(cell) && !begins_with_a_figure(cell);
            wide |= cell.len() > WIDE;
        }
        Self { name: name.to_owned(), figures: known && !words, wide }
    }

    fn class(&self) -> Option<&'static str> {
        match (self.figures, self.wide) {
            (true, _) => Some("n"),
            (false, true) => Some("w"),
            (false, false) => None,
        }
    }

    fn header(&self) -> Markup {
        html! { th scope="col" class=[self.class()] { (name(&self.name)) } }
    }

    /// A cell.
    pub fn cell(&self, text: &str) -> Markup {
        html! { td class=[self.class()] { (text) } }
    }
}

/// Whether a cell stands for an unknown figure.
fn is_blank(cell: &str) -> bool {
    matches!(cell, "" | "-")
}

/// `1,234`, `17/20`, `85 % (64-95)`, `±1.2 %`; no name that begins with a digit, as `001-easy` does.
fn begins_with_a_figure(cell: &str) -> bool {
    let cell = cell.trim_start_matches(['±', '-', '+']);
    let figure = cell.split([' ', '/', '%']).next().unwrap_or_default();
    if figure.len() > WIDE {
        return false;
    }
    let plain = figure.replace(',', "");
    !plain.starts_with(char::is_alphabetic) && plain.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_names() {
        for cell in ["1", "1,234", "17/20", "85 % (64-95)", "±1.2 %", "0.003", "12 (8 to 20)", "-3"]
        {
            assert!(begins_with_a_figure(cell), "{cell}");
        }
        for cell in ["001-easy-03", "3x3", "inf", "NaN", "blank", "", "4 x", "cpu"] {
            assert_eq!(begins_with_a_figure(cell), cell == "4 x", "{cell}");
        }
        assert!(Column::of("s", ["-", "1"].into_iter()).figures);
        assert!(!Column::of("s", ["-", ""].into_iter()).figures);
        assert!(!Column::of("s", ["1", "x"].into_iter()).figures);
    }

    #[test]
    fn what_there_is_no_room_for_is_told() {
        let cells = |count: usize, cell: &str| Table {
            title: "many".to_owned(),
            header: vec!["name"],
            rows: vec![vec![cell.to_owned()]; count],
            notes: Vec::new(),
        };
        let table = |found: &Table| table(found).into_string();
        assert!(!table(&cells(ROWS, "x")).contains("left out"));
        assert!(table(&cells(ROWS + 7, "x")).contains(">7 more rows are left out"));
        let wide = table(&cells(ROWS, &"&".repeat(3_000)));
        assert!(wide.contains("more rows are left out") && wide.len() < BYTES + 2_000);
    }
}
