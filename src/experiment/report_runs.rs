//! Runs as a page shows them one by one. Where it cannot show all, the first seeds of every cell.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::run_metrics::StopCause;
use super::{Cell, Method, Results, RunResult};
use crate::report::{BoardView, RunView, RunViews, device_text};

/// Members of a run's record that a page shows and its figures lack; an exact method's has not all.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReportRuns {
    board: Option<String>,
    solution: Option<String>,
    backend: Option<String>,
    adapter: Option<String>,
    driver: Option<String>,
    threads: usize,
}

/// At most so many of the finished runs, in the order of the plan.
pub(super) fn runs(results: &Results<'_>, most: usize) -> RunViews {
    let plan = results.plan();
    let finished = || (0..plan.runs()).filter(|number| results.run(*number).is_some());
    let mut first: Vec<(u32, usize)> =
        finished().map(|number| (plan.run(number).1, number)).collect();
    let of = first.len();
    first.sort_unstable();
    let chosen: BTreeSet<usize> = first.into_iter().take(most).map(|(_, number)| number).collect();
    let shown = |number: usize| {
        let (cell, which) = plan.run(number);
        let cell = &plan.cells[cell];
        Some(run(cell, cell.seed(which), &plan.parameters, results.run(number)?))
    };
    let runs = chosen.into_iter().filter_map(shown).collect();
    RunViews { runs, of, which: "the first seeds of each cell" }
}

fn run(cell: &Cell, seed: u64, parameters: &[&'static str], run: &RunResult) -> RunView {
    // A record that was written or checked by this program: what it lacked would not be shown.
    let record: ReportRuns = serde_json::from_str(&run.line).unwrap_or_default();
    let figures = &run.figures;
    let evolved = matches!(cell.method, Method::Preset(_));
    let device = record.backend.map(|backend| {
        let (adapter, driver) = (record.adapter.as_deref(), record.driver.as_deref());
        device_text(&backend, adapter, driver, record.threads)
    });
    let mut labels = Vec::new();
    if !cell.block.is_empty() {
        labels.push(("block", cell.block.clone()));
    }
    let value = |name: &&'static str| Some((*name, cell.value(name)?));
    labels.extend(parameters.iter().filter_map(value));
    RunView {
        puzzle: cell.puzzle.name.clone(),
        shape: cell.puzzle.geometry.to_string(),
        method: cell.method.to_string(),
        labels,
        seed,
        solved: matches!(figures.end, StopCause::Solved | StopCause::Presolved),
        end: figures.end.to_string(),
        fitness: evolved.then_some(figures.fitness),
        generations: evolved.then_some(figures.generations),
        work: evolved.then_some(figures.work),
        seconds: figures.seconds,
        device,
        config: evolved.then(|| cell.config.clone()),
        curve: figures.series.curve(),
        board: record
            .board
            .or(record.solution)
            .and_then(|line| BoardView::read(&cell.puzzle, &line)),
    }
}
