//! Tables, as they can be sorted: a column of figures says so, and stands to the right.

use super::markup::{self, escape, left_out, sentences};
use crate::report::document::Table;

/// Rows and bytes of a table at most.
const ROWS: usize = 1_000;
const BYTES: usize = 1 << 20;
/// Bytes of a cell that takes one line.
const WIDE: usize = 40;

/// A table with its title and its notes.
pub(super) fn table(table: &Table) -> String {
    let title = match table.title.is_empty() {
        true => String::new(),
        false => format!("<h3>{}</h3>\n", escape(&table.title)),
    };
    let label = if table.title.is_empty() { "Results" } else { &table.title };
    let notes = sentences(&table.notes, "notes");
    let body = plain(label, &table.header, &table.rows);
    format!("{title}{body}{notes}")
}

/// A table of texts.
pub(super) fn plain(label: &str, names: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let column = |(at, name): (usize, &_)| {
        Column::of(AsRef::<str>::as_ref(name), rows.iter().map(move |row| row[at].as_str()))
    };
    let columns: Vec<Column> = names.iter().enumerate().map(column).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&columns).map(|(cell, column)| column.cell(&escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    });
    framed(label, "", &columns, lines, rows.len())
}

/// A table of rows that are markup, as long as there is room for them.
pub(super) fn framed(
    label: &str,
    class: &str,
    columns: &[Column],
    rows: impl Iterator<Item = String>,
    of: usize,
) -> String {
    let (mut body, mut shown) = (String::new(), 0);
    for row in rows.take(ROWS) {
        if body.len() + row.len() > BYTES {
            break;
        }
        body += &row;
        shown += 1;
    }
    let header: String = columns.iter().map(Column::header).collect();
    let label = escape(label);
    let rest = match of - shown {
        0 => String::new(),
        rest => left_out(&format!("{rest} more rows are left out; the exports have all.")),
    };
    format!(
        "<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">
<table class=\"sorts {class}\">
<thead><tr>{header}</tr></thead>
<tbody>
{body}</tbody>
</table>
</div>
{rest}"
    )
}

/// A column by its name.
pub(super) struct Column {
    name: String,
    figures: bool,
    /// Whether cells may take several lines.
    wide: bool,
}

impl Column {
    /// The column of these cells.
    pub fn of<'a>(name: &str, cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut known, mut words, mut wide) = (false, false, false);
        for cell in cells {
            known |= !is_blank(cell);
            words |= !is_blank(cell) && !begins_with_a_figure(cell);
            wide |= cell.len() > WIDE;
        }
        Self { name: name.to_owned(), figures: known && !words, wide }
    }

    fn class(&self) -> &'static str {
        match (self.figures, self.wide) {
            (true, _) => " class=\"n\"",
            (false, true) => " class=\"w\"",
            (false, false) => "",
        }
    }

    fn header(&self) -> String {
        format!("<th scope=\"col\"{}>{}</th>", self.class(), markup::name(&self.name))
    }

    /// A cell of markup.
    pub fn cell(&self, markup: &str) -> String {
        format!("<td{}>{markup}</td>", self.class())
    }
}

/// What stands for a figure that is not known.
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
        assert!(!table(&cells(ROWS, "x")).contains("left out"));
        assert!(table(&cells(ROWS + 7, "x")).contains(">7 more rows are left out"));
        let wide = table(&cells(ROWS, &"&".repeat(3_000)));
        assert!(wide.contains("more rows are left out") && wide.len() < BYTES + 2_000);
    }
}
