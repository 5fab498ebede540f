//! A report as one page of HTML, to be read without a network and passed on as one file.
//!
//! It begins with the question and the short answer. It has the tables and plots themselves; a script sorts the
//! tables, and draws the curve of the run that is chosen. `maud` escapes text from files and users, `text` and
//! `name` cut it, and every part has a bound: where something is left out the page says so. The markup is
//! well-formed XML too.

mod board;
mod configurations;
mod elements;
mod runs;

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use indicatif::HumanBytes;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use self::elements::{definitions, left_out, name, sentences, table, text};
use super::plot::Plot;
use super::{Field, Report, RunViews, SystemInfo};
use crate::util::quantity::counted;

/// Bytes of all plots at most.
const PLOT_BYTES: usize = 8 << 20;

/// Void elements as XML has them, which `maud` writes as HTML has them.
const META: PreEscaped<&str> = PreEscaped(
    "<meta charset=\"utf-8\"/>
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>
<meta name=\"color-scheme\" content=\"light dark\"/>
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>
",
);

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
    let mut sections = vec![
        ("plots", "Plots", plots(&report.plots.get())),
        ("results", "Results", results(report)),
        ("runs", "Runs", runs::runs(&views)),
        ("boards", "Boards", board::boards(&views.runs)),
        ("configuration", "Configuration", configurations::configurations(&views.runs)),
        ("origin", "Origin", provenance(report, &views, environment)),
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

/// The tables for people, and what follows from them.
fn results(report: &Report<'_>) -> Markup {
    html! {
        @for one in &report.tables.get() { (table(one)) }
        (sentences(&report.remarks.get(), "notes"))
    }
}

/// A figure for each plot. A plot shows its own title, which is read out too.
fn plots(plots: &[Plot]) -> Markup {
    let mut bytes = 0;
    let figure = |Plot { title, svg, narrow, .. }: &Plot| {
        if bytes + svg.len() + narrow.len() > PLOT_BYTES {
            return left_out(&format!("There is no room for a plot: {title}. --plot draws all."));
        }
        bytes += svg.len() + narrow.len();
        html! {
            figure class="plot" aria-label=(text(title)) {
                div class="wide" { "\n" (PreEscaped(svg)) }
                div class="narrow" { "\n" (PreEscaped(narrow)) }
            }
        }
    };
    let figures: Vec<Markup> = plots.iter().map(figure).collect();
    html! { @for figure in &figures { (figure) "\n" } }
}

/// The environment of this process, which does not change while it runs.
pub(super) static ENVIRONMENT: LazyLock<Environment> =
    LazyLock::new(|| Environment { command: command(env::args_os()), machine: SystemInfo::here() });

/// The command line, and the machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    /// As a shell would read it.
    pub command: String,
    /// Processor and memory.
    pub machine: SystemInfo,
}

/// The fields of the report, the devices of its runs, and the environment.
pub(super) fn provenance(
    report: &Report<'_>,
    views: &RunViews,
    environment: &Environment,
) -> Markup {
    let mut known = Vec::new();
    for (known_as, field) in report.members() {
        if let (Field::Value(value), true) = (field, known_as != "kind") {
            let value = match value {
                Value::String(text) => text,
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) => "no".to_owned(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => continue,
            };
            known.push((known_as.replace('_', " "), html! { (text(&value)) }));
        }
    }
    let devices = views.runs.iter().filter_map(|run| run.device.as_deref());
    let devices: BTreeSet<String> = devices.map(name).collect();
    if !devices.is_empty() {
        let devices = devices.into_iter().collect::<Vec<_>>().join("; ");
        known.push(("runs on".to_owned(), html! { (devices) }));
    }
    let machine = machine(&environment.machine);
    known.push(("page written on".to_owned(), html! { (text(&machine)) }));
    known.push(("by".to_owned(), html! { code { (text(&environment.command)) } }));
    definitions(&known)
}

fn machine(machine: &SystemInfo) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("an unknown processor");
    let threads = counted(machine.cores as u64, "thread");
    let memory = |bytes| format!(", {} of memory", HumanBytes(bytes));
    let memory = machine.memory_bytes.map_or_else(String::new, memory);
    format!("{cpu}, {threads}{memory}, {}", machine.system)
}

/// The words of a command line, quoted where a shell needs that.
fn command(mut words: impl Iterator<Item = OsString>) -> String {
    let program = words.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_os_string();
    let words = [program].into_iter().chain(words);
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::{BytesStart, Event};

    use super::*;
    use crate::board::Geometry;
    use crate::report::{BoardView, MOST_RUN_VIEWS, OnDemand, RunView, Series, Table};

    /// A name full of markup and control characters.
    const EVIL: &str =
        "</script><script>alert(\"x\")</script>]]>--><img src='x' onerror='y'>&\u{1b}\u{0}";

    /// The page of a report of so many runs and rows, all of whose words are `word`.
    fn many(word: &str, runs: usize, shape: (usize, usize), rows: usize) -> String {
        let geometry = Geometry::new(shape.0, shape.1).unwrap();
        let run = |number: usize| {
            let cells = geometry.cells();
            RunView {
                puzzle: format!("{number} {word}"),
                shape: geometry.to_string(),
                method: word.to_owned(),
                labels: vec![("block", format!("{word} {number}"))],
                seed: u64::MAX,
                solved: number.is_multiple_of(2),
                end: word.to_owned(),
                fitness: Some(number as u16),
                generations: Some(u32::MAX),
                work: Some(u64::MAX),
                seconds: 1.0,
                device: Some(format!("{word} {number}")),
                config: None,
                curve: Series {
                    generation: (0..300).map(|at| at * 14_000_000).collect(),
                    best: vec![12_000; 300],
                    worst: vec![12_000; 300],
                    restart: vec![0; 300],
                },
                board: Some(BoardView { geometry, cells: vec![1; cells], givens: vec![1; cells] }),
            }
        };
        let words = |count: usize| OnDemand::new(move || vec![word.to_owned(); count]);
        let report = Report {
            kind: "solve",
            title: word.to_owned(),
            question: OnDemand::new(|| word.to_owned()),
            answer: words(rows),
            fields: OnDemand::new(|| vec![("subject", Field::of(word))]),
            tables: OnDemand::new(|| {
                let rows = vec![vec![word.to_owned(), "1".to_owned()]; rows];
                let (title, notes) = (word.to_owned(), vec![word.to_owned()]);
                vec![Table { title, header: vec!["name", "figure"], rows, notes }]
            }),
            remarks: words(rows),
            run_views: OnDemand::new(|| RunViews {
                runs: (0..runs.min(MOST_RUN_VIEWS)).map(run).collect(),
                of: runs,
                which: "the first",
            }),
            plots: OnDemand::new(|| {
                let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n";
                let (svg, narrow) = (svg.to_owned(), svg.to_owned());
                vec![Plot { title: word.to_owned(), svg, narrow, height: 1 }]
            }),
            ..Report::default()
        };
        page(&report, &Environment { command: word.to_owned(), ..Environment::default() })
    }

    /// The elements of a page that is well-formed, in order, with their attributes.
    fn elements(page: &str) -> Vec<(String, String)> {
        let mut reader = Reader::from_str(page);
        let of = |tag: &BytesStart<'_>| (tag.name().0.to_owned(), tag.attributes_raw().to_owned());
        let mut found = Vec::new();
        let mut depth = 0_i32;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => {
                    depth += 1;
                    found.push(of(&start));
                }
                Event::Empty(empty) => found.push(of(&empty)),
                Event::End(_) => depth -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        found
    }

    fn count(elements: &[(String, String)], name: &str) -> usize {
        elements.iter().filter(|(known, _)| known == name).count()
    }

    #[test]
    fn a_page_is_well_formed_and_has_all_parts() {
        let page = many("word", 3, (2, 3), 2);
        let found = elements(&page);
        for id in ["results", "runs", "boards", "origin", "chosen", "curve", "board-2"] {
            assert!(found.iter().any(|(_, rest)| rest.contains(&format!("id=\"{id}\""))), "{id}");
        }
        assert!(count(&found, "svg") == 2 && !page.contains("<?xml"));
        assert_eq!(
            (count(&found, "h1"), count(&found, "script"), count(&found, "style")),
            (1, 2, 1)
        );
        // Two tables that sort, and a board for each run.
        assert_eq!(count(&found, "table"), 2 + 3);
        assert!(!page.contains("left out") && !page.contains("no room"));
        // Nothing is fetched.
        let fetched =
            |(_, rest): &(String, String)| rest.contains("src=") || rest.contains("href=\"h");
        assert!(!found.iter().any(fetched) && !page.contains("url(") && !page.contains("@import"));
    }

    #[test]
    fn what_others_wrote_stays_text_wherever_it_stands() {
        let (plain, evil) = (elements(&many("word", 3, (2, 2), 2)), many(EVIL, 3, (2, 2), 2));
        let names = |elements: &[(String, String)]| -> Vec<String> {
            elements.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&elements(&evil)), names(&plain));
        assert!(!evil.contains("<img") && !evil.contains("alert(\"x\")</script>"));
        assert_eq!(evil.matches("</script>").count(), 2);
        assert!(!evil.contains(['\u{1b}', '\u{0}']));
    }

    #[test]
    fn a_page_is_bounded_and_tells_what_is_left_out() {
        for (word, shape, rows) in [("w", (8, 8), 5), (&"<&".repeat(2_000), (3, 3), 2_000)] {
            let page = many(word, 1_000_000, shape, rows);
            assert!(page.len() < 12 << 20, "{} bytes", page.len());
            assert!(page.contains("of 1,000,000 runs are listed (the first"));
            assert!(page.contains("room only for the curves of the first 333 runs"));
            let boards = page.contains("There is no room for 391 boards");
            assert!(boards || shape != (8, 8), "{shape:?}");
            elements(&page);
        }
    }

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["/usr/bin/evodoku", "solve", "it's.txt", "", "a b", "--set=x=1,2"];
        let told = command(words.into_iter().map(OsString::from));
        assert_eq!(told, r"evodoku solve 'it'\''s.txt' '' 'a b' --set=x=1,2");
    }
}
