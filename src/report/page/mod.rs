//! A document as one page of HTML, to be read without a network and passed on as one file.
//!
//! It begins with the question and the short answer. Tables and plots stand in it as they are; a script
//! sorts the tables, and draws the curve of the run that is chosen. What others wrote is escaped and cut
//! (`markup.rs`), and every part has a bound: what is left out is told where it would stand. The markup
//! is well-formed XML too.
//!
//! No library writes the markup: it is some thirty elements, and `format!` does.

mod board;
mod circumstances;
mod configurations;
mod markup;
mod origin;
#[cfg(feature = "plot")]
mod plots;
mod runs;
mod table;
#[cfg(test)]
mod tests;

pub(super) use circumstances::Circumstances;

use self::board::Boards;
use self::markup::{escape, sentences};
use super::document::{Document, Table};

/// Runs that are listed, each with its curve.
const RUNS: usize = 400;
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = concat!(
    include_str!("script/sort.js"),
    include_str!("script/curve.js"),
    include_str!("script/runs.js"),
);

/// A part of the page with a heading, to which a link leads.
struct Section {
    id: &'static str,
    title: &'static str,
    body: String,
}

/// The whole page.
pub(super) fn page(document: &dyn Document, here: &Circumstances) -> String {
    let shown = document.shown_runs(RUNS);
    let boards = Boards::of(&shown.runs);
    let mut sections = vec![
        section("results", "Results", results(document)),
        #[cfg(feature = "plot")]
        section("plots", "Plots", plots::plots(document)),
        section("runs", "Runs", runs::runs(&shown, &boards)),
        section("boards", "Boards", boards.html(&shown.runs)),
        section("configuration", "Configuration", configurations::configurations(&shown.runs)),
        section("origin", "Origin", origin::origin(document, &shown, here)),
    ];
    sections.retain(|section| !section.body.is_empty());
    let links: String = sections
        .iter()
        .map(|Section { id, title, .. }| format!("<a href=\"#{id}\">{title}</a>\n"))
        .collect();
    let sections: String = sections
        .iter()
        .map(|Section { id, title, body }| {
            format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n")
        })
        .collect();
    let (title, question) = (escape(&document.title()), escape(&document.question()));
    let answer = sentences(&document.answer(), "answer");
    let kind = document.kind();
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\"/>
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>
<meta name=\"color-scheme\" content=\"light dark\"/>
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>
<title>{title}: {question}</title>
<style>
{STYLE}</style>
</head>
<body>
<header>
<p class=\"kind\">evodoku {kind}</p>
<h1>{question}</h1>
{answer}<nav aria-label=\"Parts of this page\">
{links}</nav>
</header>
<main>
{sections}</main>
{}<script>
//<![CDATA[
{SCRIPT}//]]>
</script>
</body>
</html>
",
        runs::curves(&shown.runs),
    )
}

fn section(id: &'static str, title: &'static str, body: String) -> Section {
    Section { id, title, body }
}

/// The tables as people read them, or the rows themselves, and what follows from them.
fn results(document: &dyn Document) -> String {
    let mut tables = document.tables();
    let rows = document.rows();
    if tables.is_empty() && !rows.is_empty() {
        let (title, header) = (String::new(), document.columns());
        tables.push(Table { title, header, rows, notes: Vec::new() });
    }
    let tables: String = tables.iter().map(table::table).collect();
    tables + &sentences(&document.remarks(), "notes")
}
