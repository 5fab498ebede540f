//! The plan in an export, written and read: parts of an experiment are merged without its spec and its
//! puzzles.
//!
//! `parameters` lists what the spec names, and `plan` has an object for each cell, on one line: its
//! puzzle, method and configuration, its seeds, and why it is not run if it is not.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::plan::MOST_RUNS;
use super::{Cell, Plan, Skip};
use crate::format;
use crate::ga::Config;
use crate::report::{Field, Row};
use crate::util::named_enum::UnknownName;

/// A cell of a stored plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedCell {
    cell: usize,
    block: String,
    name: String,
    puzzle: String,
    shape: String,
    method: String,
    config: Config,
    first_seed: u64,
    seeds: u32,
    cost: u64,
    remark: String,
    skip: Option<Skip>,
}

/// The fields of a plan in an export.
pub(super) fn fields(plan: &Plan) -> [(&'static str, Field); 2] {
    let cells = plan.cells.iter().enumerate().map(|(number, cell)| {
        let geometry = cell.puzzle.geometry;
        Row(vec![
            ("cell", json!(number + 1)),
            ("block", json!(cell.block)),
            ("name", json!(cell.puzzle.name)),
            ("puzzle", json!(format::line(geometry, &cell.puzzle.givens))),
            ("shape", json!(geometry.to_string())),
            ("method", json!(cell.method.name())),
            ("config", json!(cell.config)),
            ("first_seed", json!(cell.first_seed)),
            ("seeds", json!(cell.seeds)),
            ("cost", json!(cell.cost)),
            ("remark", json!(cell.remark)),
            ("skip", json!(cell.skip)),
        ])
    });
    [("parameters", Field::of(&plan.parameters)), ("plan", Field::List(cells.collect()))]
}

/// The plan of an export.
///
/// # Errors
/// A sentence about the first thing that is wrong.
pub(super) fn plan(
    name: &str,
    fingerprint: &str,
    parameters: &[String],
    cells: Vec<PlannedCell>,
) -> Result<Plan, String> {
    let known = |name: &String| Config::parameter(name).map(|parameter| parameter.name);
    let parameters = parameters.iter().map(known).collect::<Result<_, _>>();
    let parameters = parameters.map_err(|error| error.to_string())?;
    let mut made = Vec::new();
    let mut first_run = 0_usize;
    for planned in cells {
        let number = planned.cell;
        let cell = cell(planned, first_run).map_err(|what| format!("cell {number}: {what}"))?;
        first_run = first_run.saturating_add(cell.seeds as usize);
        if first_run > MOST_RUNS {
            return Err(format!("cell {number}: there are more than {MOST_RUNS} runs"));
        }
        made.push(cell);
    }
    let plan = Plan::of(name.to_owned(), parameters, made);
    if plan.fingerprint != fingerprint {
        let found = &plan.fingerprint;
        return Err(format!(
            "it was changed, or is of another version: its plan has fingerprint {found}, not {fingerprint}"
        ));
    }
    Ok(plan)
}

fn cell(planned: PlannedCell, first_run: usize) -> Result<Cell, String> {
    let geometry = planned.shape.parse().map_err(|error| format!("{error}"))?;
    let puzzle = format::read(&planned.puzzle, "its puzzle", Some(geometry));
    let mut puzzle = puzzle.map_err(|error| error.to_string())?.puzzle;
    puzzle.name = planned.name;
    if planned.skip.is_none() {
        planned.config.check().map_err(|error| error.to_string())?;
    }
    Ok(Cell {
        block: planned.block,
        config: planned.config,
        puzzle: Arc::new(puzzle),
        method: planned.method.parse().map_err(|error: UnknownName| error.to_string())?,
        first_seed: planned.first_seed,
        seeds: planned.seeds,
        remark: planned.remark,
        skip: planned.skip,
        cost: planned.cost,
        first_run,
        // Nothing of it is run.
        memory: 0,
    })
}
