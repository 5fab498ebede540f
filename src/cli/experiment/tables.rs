//! The tables of an experiment, as the terminal or a file takes them.

use crate::cli::output::wrapped;
use crate::cli::table::{TextTable, width};
use crate::experiment::{ExperimentSummary, Results};
use crate::report::Table;

/// All tables.
pub fn text(results: &mut Results<'_>) -> String {
    let texts: Vec<String> =
        ExperimentSummary::of(results).tables().into_iter().map(text_of).collect();
    texts.join("\n")
}

/// What is left out of tables where there is no room, the first of it first.
const SPARE: [&str; 14] = [
    "boards/s",
    "s a run",
    "fitness unsolved",
    "their work (95 %)",
    "independent runs",
    "their success",
    "s a solution",
    "generations",
    "expected work",
    "work",
    "runs for A12",
    "runs for shares",
    "p",
    "success (95 %)",
];

/// A table with its notes.
pub fn text_of(found: Table) -> String {
    let mut shown = TextTable::new(&found.header).words(&["block", "puzzle", "test"]).spare(&SPARE);
    found.rows.into_iter().for_each(|row| shown.row(row));
    let notes: String = match width() {
        // Lines of a file are looked for by what stands in them.
        None => found.notes.iter().map(|note| format!("{note}\n")).collect(),
        Some(_) => found.notes.iter().map(|note| wrapped(note, "")).collect(),
    };
    format!("{shown}\n\n{notes}")
}
