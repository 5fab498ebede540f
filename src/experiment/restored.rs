//! A record on its way back into results: whole, of a form that is known, and of a run of the plan
//! that is what it says.

use super::figures::Figures;
use super::record::{EvolvedRun, ExactRun, RECORD_VERSION, RecordKind, RecordTag, read};
use super::{Cell, Method, Plan, RunEnd, RunResult};
use crate::board::{Puzzle, verify};
use crate::format;
use crate::seal::unseal;

/// Why a record is not taken in.
pub(super) enum Unfit {
    /// It is not as it was written.
    Broken(String),
    /// It is, and does not belong here.
    Foreign(String),
}

/// The run of a line, and its number in the plan.
///
/// # Errors
/// [`Unfit`] when the line is not as it was written, or does not belong to the plan.
pub(super) fn restored(plan: &Plan, line: &str) -> Result<(usize, RunResult), Unfit> {
    let (object, kind) = tagged(line, &[RecordKind::Evolved, RecordKind::Exact])?;
    let found = match kind {
        RecordKind::Exact => read(&object).and_then(|run: ExactRun| exact(plan, run)),
        _ => read(&object).and_then(|run: EvolvedRun| evolved(plan, run)),
    };
    let (number, figures) = found.map_err(Unfit::Foreign)?;
    Ok((number, RunResult { line: line.to_owned(), figures }))
}

/// The record of a line, whole and of a form that is known, and its kind.
pub(super) fn tagged(line: &str, kinds: &[RecordKind]) -> Result<(String, RecordKind), Unfit> {
    let object = unseal(line).map_err(|broken| Unfit::Broken(broken.to_string()))?;
    let tag: RecordTag = read(&object).map_err(Unfit::Foreign)?;
    if tag.record != RECORD_VERSION {
        let known = format!("its form is version {}, not {RECORD_VERSION}", tag.record);
        return Err(Unfit::Foreign(known));
    }
    if !kinds.contains(&tag.kind) {
        return Err(Unfit::Foreign("its kind belongs elsewhere".to_owned()));
    }
    Ok((object, tag.kind))
}

/// The number of a run in the plan, and its cell.
fn place<'a>(
    plan: &'a Plan,
    cell: usize,
    seed: u64,
    puzzle: &str,
) -> Result<(usize, &'a Cell), String> {
    let found = cell.checked_sub(1).and_then(|cell| plan.cells.get(cell));
    let found = found.ok_or_else(|| format!("there is no cell {cell}"))?;
    let place = seed.wrapping_sub(found.first_seed);
    if place >= found.seeds.into() {
        return Err(format!("cell {cell} has no seed {seed}"));
    }
    if puzzle != format::line(found.puzzle.geometry, &found.puzzle.givens) {
        return Err(format!("cell {cell} has another puzzle"));
    }
    Ok((found.first_run + place as usize, found))
}

fn evolved(plan: &Plan, run: EvolvedRun) -> Result<(usize, Figures), String> {
    let (number, cell) = place(plan, run.cell, run.seed, &run.puzzle)?;
    let config = serde_json::to_string(&cell.config).unwrap_or_default();
    if !matches!(cell.method, Method::Preset(_)) || run.config.get() != config {
        return Err(format!("cell {} has another configuration", run.cell));
    }
    if run.evaluations.checked_add(run.moves) != Some(run.work) {
        let (evaluations, moves) = (run.evaluations, run.moves);
        return Err(format!("its work is {}, not {evaluations} + {moves}", run.work));
    }
    if !run.series.is_whole() {
        return Err("its series has gaps".to_owned());
    }
    let solves = matches!(run.stop_reason, RunEnd::Solved | RunEnd::Presolved);
    if (run.solved, run.fitness == 0) != (solves, solves) {
        return Err(format!("its fitness is {} and it ended: {}", run.fitness, run.stop_reason));
    }
    solution(&cell.puzzle, solves, run.solution.as_deref())?;
    let figures = Figures {
        end: run.stop_reason,
        fitness: run.fitness,
        generations: run.generations,
        evaluations: run.evaluations,
        work: run.work,
        seconds: run.seconds,
        fault: run.fault,
        series: run.series,
    };
    Ok((number, figures))
}

fn exact(plan: &Plan, run: ExactRun) -> Result<(usize, Figures), String> {
    let (number, cell) = place(plan, run.cell, run.seed, &run.puzzle)?;
    if !matches!(cell.method, Method::Exact(method) if method.name() == run.method) {
        return Err(format!("cell {} has another method", run.cell));
    }
    let solves = run.stop_reason == RunEnd::Solved;
    if run.solved != solves {
        return Err(format!("it ended: {}", run.stop_reason));
    }
    if solves {
        solution(&cell.puzzle, solves, run.solution.as_deref())?;
    }
    let (end, seconds, fault) = (run.stop_reason, run.seconds, run.fault);
    Ok((number, Figures { end, seconds, fault, ..Figures::none() }))
}

/// Whether a run that solves has a board that does, and another has none.
fn solution(puzzle: &Puzzle, solves: bool, solution: Option<&str>) -> Result<(), String> {
    match (solves, solution) {
        (true, None) => Err("it says that it is solved, and has no solution".to_owned()),
        (false, Some(_)) => Err("it says that it is not solved, and has a solution".to_owned()),
        (false, None) => Ok(()),
        (true, Some(line)) => {
            let board = format::read(line, "its solution", Some(puzzle.geometry));
            let board = board.map_err(|error| error.to_string())?.puzzle;
            verify(puzzle, &board.givens).map_err(|flaw| format!("its solution is none: {flaw}"))
        }
    }
}
