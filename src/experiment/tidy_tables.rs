//! Runs and generations as long tables: each row says of which cell it is, so that whoever reads one
//! needs no other file.
//!
//! ```text
//! cell,block,puzzle,method,population,seed,solved,...
//! 1,,003-4x4,boxes,20,1,true,...
//! ```
//!
//! A run's columns are members of its record (`record.rs`), those of a generation the points of its
//! series (`series.rs`).

use serde_json::{Map, Value, json};

use super::report::of_cell;
use super::{Results, RunResult};
use crate::report::Row;

/// Members of records that have a column, and what that is called.
const OF_RUN: [(&str, &str); 22] = [
    ("shape", "shape"),
    ("population", "population"),
    ("seed", "seed"),
    ("solved", "solved"),
    ("stop_reason", "stop_reason"),
    ("fitness", "fitness"),
    ("free_cells", "free_cells"),
    ("generations", "generations"),
    ("restarts", "restarts"),
    ("evaluations", "evaluations"),
    ("moves", "moves"),
    ("steps", "steps"),
    ("work", "work"),
    ("nodes", "nodes"),
    ("seconds", "seconds"),
    ("children_per_second", "children_per_second"),
    ("threads", "threads"),
    ("backend", "backend"),
    ("adapter", "adapter"),
    ("fault", "fault"),
    ("puzzle", "givens"),
    ("solution", "solution"),
];

/// Columns of a generation.
const OF_GENERATION: [&str; 5] = ["seed", "generation", "best", "worst", "restart"];

/// The names of the columns of a run.
pub(super) fn run_columns(parameters: &[&'static str]) -> Vec<&'static str> {
    let names = OF_RUN.iter().map(|(_, column)| *column);
    of_cells(parameters)
        .into_iter()
        .chain(names.filter(|name| !parameters.contains(name)))
        .collect()
}

/// The names of the columns of a generation.
pub(super) fn generation_columns(parameters: &[&'static str]) -> Vec<&'static str> {
    of_cells(parameters).into_iter().chain(OF_GENERATION).collect()
}

fn of_cells(parameters: &[&'static str]) -> Vec<&'static str> {
    ["cell", "block", "puzzle", "method"].into_iter().chain(parameters.iter().copied()).collect()
}

/// A row for each finished run.
pub(super) fn runs(results: &Results<'_>) -> Vec<Row> {
    let parameters = &results.plan().parameters;
    let row = |(_, mut columns, run): (u64, Row, &RunResult)| {
        let record: Map<String, Value> = serde_json::from_str(&run.line).unwrap_or_default();
        let value = |member: &str| record.get(member).cloned().unwrap_or(Value::Null);
        let own = OF_RUN.iter().filter(|(_, column)| !parameters.contains(column));
        columns.0.extend(own.map(|(member, column)| (*column, value(member))));
        columns
    };
    finished(results).map(row).collect()
}

/// A row for each generation that the series of a finished run keeps; an exact method has none.
pub(super) fn generations(results: &Results<'_>) -> Vec<Row> {
    let rows = |(seed, columns, run): (u64, Row, &RunResult)| -> Vec<Row> {
        let series = &run.figures.series;
        let fitness = series.best.iter().zip(&series.worst);
        let points = series.generation.iter().zip(fitness).zip(&series.restart);
        let row = |((generation, (best, worst)), restart)| {
            let own = [json!(seed), json!(generation), json!(best), json!(worst), json!(restart)];
            let mut row = columns.clone();
            row.0.extend(OF_GENERATION.into_iter().zip(own));
            row
        };
        points.map(row).collect()
    };
    finished(results).flat_map(rows).collect()
}

/// The finished runs, each with its seed and the columns of its cell.
fn finished<'a>(results: &'a Results<'_>) -> impl Iterator<Item = (u64, Row, &'a RunResult)> + 'a {
    let plan = results.plan();
    (0..plan.runs()).filter_map(move |number| {
        let run = results.run(number)?;
        let (at, which) = plan.run(number);
        let cell = &plan.cells[at];
        Some((cell.seed(which), of_cell(at, cell, &plan.parameters), run))
    })
}
