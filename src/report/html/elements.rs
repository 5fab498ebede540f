//! Elements that all parts of a page are made of: text from files and users, frames, tables that can be sorted. A
//! column of numbers has a class, and is aligned to the right.

use maud::{Markup, PreEscaped, html};

use crate::report::Table;
use crate::util::sanitize;

/// Characters of a text that are shown, and of a name.
const LONGEST: usize = 2_000;
const LONGEST_NAME: usize = 120;
/// Sentences that are shown of a list.
const SENTENCES: usize = 60;
/// Rows and bytes of a table at most.
const ROWS: usize = 1_000;
const BYTES: usize = 1 << 20;
/// Bytes of a cell that takes one line.
const WIDE: usize = 40;

/// A void element as XML has it, which `maud` writes as HTML has it.
pub(super) const LINE_BREAK: PreEscaped<&str> = PreEscaped("<br/>");

/// Text from files and users: characters that a terminal would interpret are escaped, and long text is cut.
pub(super) fn text(text: &str) -> String {
    sanitize::line(text, LONGEST)
}

/// A name from a file or a user, which is cut sooner.
pub(super) fn name(text: &str) -> String {
    sanitize::line(text, LONGEST_NAME)
}

/// A frame in which wide content is scrolled.
pub(super) fn frame(label: &str, content: Markup) -> Markup {
    html! { div class="frame" tabindex="0" role="region" aria-label=(label) { (content) } }
}

/// A paragraph for each sentence.
pub(super) fn sentences(sentences: &[String], class: &str) -> Markup {
    html! {
        @for sentence in sentences.iter().take(SENTENCES) { p class=(class) { (text(sentence)) } "\n" }
        @if let Some(more @ 1..) = sentences.len().checked_sub(SENTENCES) {
            (left_out(&format!("{more} more remarks are left out; --export-markdown writes all.")))
        }
    }
}

/// A paragraph about something that is left out.
pub(super) fn left_out(what: &str) -> Markup {
    html! { p class="left-out" { (text(what)) } "\n" }
}

/// A list of names and values.
pub(super) fn definitions(list: &[(String, Markup)]) -> Markup {
    html! {
        dl { @for (name, value) in list { div { dt { (text(name)) } dd { (value) } } "\n" } }
    }
}

/// A table with its title and its notes.
pub(super) fn table(table: &Table) -> Markup {
    let label = if table.title.is_empty() { "Results" } else { &table.title };
    html! {
        @if !table.title.is_empty() { h3 { (text(&table.title)) } "\n" }
        (table_of_runs(label, "sorts", &table.header, &table.rows, false))
        (sentences(&table.notes, "notes"))
    }
}

/// A table of as many rows as there is room for, each with the number of its run if the rows are runs.
pub(super) fn table_of_runs(
    label: &str,
    class: &str,
    names: &[&str],
    rows: &[Vec<String>],
    are_runs: bool,
) -> Markup {
    let column = |at: usize| column_class(rows.iter().map(|row| row[at].as_str()));
    let classes: Vec<_> = (0..names.len()).map(column).collect();
    let mut bytes = 0;
    let row = |(at, row): (usize, &Vec<String>)| {
        html! {
            tr data-run=[are_runs.then_some(at)] {
                @for (cell, class) in row.iter().zip(&classes) { td class=[*class] { (text(cell)) } }
            }
        }
    };
    let fits = |row: &Markup| {
        bytes += row.0.len();
        bytes <= BYTES
    };
    let body: Vec<Markup> = rows.iter().enumerate().take(ROWS).map(row).take_while(fits).collect();
    let rest = rows.len() - body.len();
    let header = names.iter().zip(&classes);
    let table = html! {
        table class=(class) {
            thead {
                tr {
                    @for (title, class) in header {
                        th scope="col" class=[*class] { (name(title)) }
                    }
                }
            }
            tbody { @for row in &body { "\n" (row) } }
        }
    };
    html! {
        (frame(&text(label), table)) "\n"
        @if rest > 0 {
            (left_out(&format!("{rest} more rows are left out; the exports contain all.")))
        }
    }
}

/// The class of a column of these cells: `n` where no fewer are figures than words, as in `1,234`, `17/20`,
/// `85 % (64-95)`, `12 (8 to 20)`, `<0.001`, `1.2e-5` or `12 of 20`, `w` of cells that may take several lines.
fn column_class<'a>(mut cells: impl Iterator<Item = &'a str> + Clone) -> Option<&'static str> {
    let is_word = |cell: &str| {
        let is_plain = |word: &&str| ["to", "of"].contains(word) || word.parse::<f64>().is_ok();
        let words = cell.split(' ').filter(|word| !is_plain(word) || ["inf", "NaN"].contains(word));
        cell.len() > WIDE || words.collect::<String>().contains(char::is_alphabetic)
    };
    let has_digit = |cell: &str| cell.contains(|c: char| c.is_ascii_digit());
    let figures = cells.clone().filter(|cell| has_digit(cell) && !is_word(cell)).count();
    if figures > 0 && figures >= cells.clone().filter(|cell| is_word(cell)).count() {
        return Some("n");
    }
    cells.any(|cell| cell.len() > WIDE).then_some("w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_names() {
        for cell in [
            "1", "1,234", "17/20", "85 % (64-95)", "±1.2 %", "0.003", "12 (8 to 20)", "12 of 20",
            "-3",
        ] {
            assert_eq!(column_class([cell].into_iter()), Some("n"), "{cell}");
        }
        for cell in ["001-easy-03", "3x3", "inf", "NaN", "blank", "", "4 x", "cpu"] {
            assert_eq!(column_class([cell].into_iter()), None, "{cell}");
        }
        let wide = "1".repeat(WIDE + 1);
        assert_eq!(column_class([wide.as_str()].into_iter()), Some("w"));
        assert_eq!(column_class(["-", "1"].into_iter()), Some("n"));
        assert_eq!(column_class(["-", ""].into_iter()), None);
        for few in [&["1", "x"][..], &["0.03", "<0.001", "blank", "1.2e-9"], &["7", "not found"]] {
            assert_eq!(column_class(few.iter().copied()), Some("n"), "{few:?}");
        }
        assert_eq!(column_class(["1", "x", "y"].into_iter()), None);
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

    #[test]
    fn what_is_obeyed_is_written_out_and_what_runs_on_is_cut() {
        assert_eq!(text("a\u{1b}[1m\u{202e}b\0"), r"a\u{1b}[1m\u{202e}b\u{0}");
        assert_eq!(text("Grüße, 数独"), "Grüße, 数独");
        assert_eq!(text(&"<".repeat(1_000_000)).len(), LONGEST + 3);
        assert_eq!(name(&"x".repeat(1_000)).len(), LONGEST_NAME + 3);
        let markup = left_out("<b>\"x\" & 'y'").into_string();
        assert!(markup.contains("&lt;b&gt;&quot;x&quot; &amp; 'y'"), "{markup}");
    }
}
