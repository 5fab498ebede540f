//! A report as one page of HTML, to be read without a network and passed on as one file.
//!
//! It begins with the question and the short answer. Tables and plots stand in it as they are; a script
//! sorts the tables, and draws the curve of the run that is chosen. `maud` escapes what others wrote,
//! [`text`] and [`name`] cut it, and every part has a bound: what is left out is told where it would
//! stand. The markup is well-formed XML too.

mod board;
mod configurations;
mod provenance;
mod run_view;
mod runs;
mod table;
#[cfg(test)]
mod tests;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::board::Boards;
use super::Report;
#[cfg(feature = "plot")]
use super::plot::Plot;
use super::report::Table;
use crate::util::sanitize;

pub(super) use provenance::{ENVIRONMENT, Environment};
pub use run_view::{BoardView, CurvePoint, RunView, RunViews, device_text};

/// Runs that a page lists at most, each with its curve.
pub const MOST_RUN_VIEWS: usize = 400;
/// Characters of a text that are shown, and of a name.
const LONGEST: usize = 2_000;
const LONGEST_NAME: usize = 120;
/// Sentences that are shown of a list.
const SENTENCES: usize = 60;
/// Bytes of all plots at most.
#[cfg(feature = "plot")]
const PLOT_BYTES: usize = 4 << 20;

/// Void elements as XML has them, which `maud` writes as HTML has them.
const META: PreEscaped<&str> = PreEscaped(
    "<meta charset=\"utf-8\"/>
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>
<meta name=\"color-scheme\" content=\"light dark\"/>
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>
",
);
const LINE_BREAK: PreEscaped<&str> = PreEscaped("<br/>");

const STYLE: PreEscaped<&str> = PreEscaped(include_str!("style.css"));
const SCRIPT: PreEscaped<&str> = PreEscaped(concat!(
    "\n//<![CDATA[\n",
    include_str!("script/sort.js"),
    include_str!("script/curve.js"),
    include_str!("script/runs.js"),
    "//]]>\n",
));

/// The whole page.
pub(super) fn page(report: &Report<'_>, environment: &Environment) -> String {
    let views = report.run_views.get();
    let boards = Boards::of(&views.runs);
    let mut sections = vec![
        ("results", "Results", results(report)),
        #[cfg(feature = "plot")]
        ("plots", "Plots", plots(&report.plots.get())),
        ("runs", "Runs", runs::runs(&views, &boards)),
        ("boards", "Boards", boards.markup(&views.runs)),
        ("configuration", "Configuration", configurations::configurations(&views.runs)),
        ("origin", "Origin", provenance::provenance(report, &views, environment)),
    ];
    sections.retain(|(_, _, body)| !body.0.is_empty());
    let question = text(&report.question.get());
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                (META)
                title { (text(&report.title)) ": " (question) }
                style { "\n" (STYLE) }
            }
            body {
                header {
                    p class="kind" { "evodoku " (report.kind) }
                    h1 { (question) }
                    (sentences(&report.answer.get(), "answer"))
                    nav aria-label="Parts of this page" {
                        @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } "\n" }
                    }
                }
                main {
                    @for (id, title, body) in &sections {
                        "\n" section id=(id) { h2 { (title) } "\n" (body) }
                    }
                }
                (runs::curves(&views.runs))
                script { (SCRIPT) }
            }
        }
        "\n"
    };
    page.into_string()
}

/// The tables for people, or the rows of the report, and what follows from them.
fn results(report: &Report<'_>) -> Markup {
    let mut tables = report.tables.get();
    if tables.is_empty() {
        let rows = report.rows.get();
        let (title, header) = (String::new(), rows.names);
        let rows: Vec<Vec<String>> = rows.rows.iter().map(|row| row.texts()).collect();
        if !rows.is_empty() {
            tables.push(Table { title, header, rows, notes: Vec::new() });
        }
    }
    html! {
        @for table in &tables { (table::table(table)) }
        (sentences(&report.remarks.get(), "notes"))
    }
}

/// A figure for each plot. A plot shows its own title, which is read out too.
#[cfg(feature = "plot")]
fn plots(plots: &[Plot]) -> Markup {
    let mut bytes = 0;
    let figure = |Plot { title, svg, .. }: &Plot| {
        let svg = svg.find("<svg").map_or("", |at| svg[at..].trim_end());
        if bytes + svg.len() > PLOT_BYTES {
            return left_out(&format!("There is no room for a plot: {title}. --plot draws all."));
        }
        bytes += svg.len();
        html! {
            @if !svg.is_empty() {
                figure class="plot" {
                    (frame(&text(title), html! { "\n" (PreEscaped(svg)) "\n" }))
                }
            }
        }
    };
    let figures: Vec<Markup> = plots.iter().map(figure).collect();
    html! { @for figure in &figures { (figure) "\n" } }
}

/// Text that others wrote: what would be obeyed is written out, and what runs on is cut.
fn text(text: &str) -> String {
    sanitize::line(text, LONGEST)
}

/// A name that others gave, of which less is enough.
fn name(text: &str) -> String {
    sanitize::line(text, LONGEST_NAME)
}

/// A frame in which what is wide is scrolled.
fn frame(label: &str, content: Markup) -> Markup {
    html! { div class="frame" tabindex="0" role="region" aria-label=(label) { (content) } }
}

/// A paragraph for each sentence.
fn sentences(sentences: &[String], class: &str) -> Markup {
    html! {
        @for sentence in sentences.iter().take(SENTENCES) { p class=(class) { (text(sentence)) } "\n" }
        @if let Some(more @ 1..) = sentences.len().checked_sub(SENTENCES) {
            (left_out(&format!("{more} more remarks are left out; --export-markdown has all.")))
        }
    }
}

/// A paragraph that says what is left out here.
fn left_out(what: &str) -> Markup {
    html! { p class="left-out" { (text(what)) } "\n" }
}

/// A list of names and values.
fn definitions(list: &[(String, Markup)]) -> Markup {
    html! {
        @if !list.is_empty() {
            dl { @for (name, value) in list { div { dt { (text(name)) } dd { (value) } } "\n" } }
        }
    }
}
