//! The validation of a record on its way back into results: it is whole, of a form that is known, and of
//! a run of the plan that is what it says.

use thiserror::Error;

use super::record::{EvolvedRun, ExactRun, RECORD_VERSION, RecordKind, RecordTag};
use super::run_index::{RunIndex, RunKey};
use super::run_metrics::RunMetrics;
use super::{Cell, RunResult, StopCause};
use crate::board::{Puzzle, verify};
use crate::format;
use crate::store::{LineError, json_line, parse_line};

/// Why a record is not taken in.
#[derive(Debug, Error)]
pub(super) enum RejectedRecord {
    /// Its line is not as it was written, or does not belong here.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is a run that is not asked for: which one.
    #[error("it did another run")]
    Unplanned(String),
}

/// The run of a line, and its number in the plan. Of several places in the plan it is given one
/// that is `free`, and it is told in the words of that place.
///
/// # Errors
/// [`RejectedRecord`] when the line is not as it was written, or does not belong to the plan.
pub(super) fn validate(
    index: &RunIndex<'_>,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), RejectedRecord> {
    let tag: RecordTag = parse_line(line)?;
    if tag.record != RECORD_VERSION {
        return Err(foreign(format!("its form is version {}, not {RECORD_VERSION}", tag.record)));
    }
    match tag.kind {
        RecordKind::Exact => exact(index, parse_line(line)?, line, free),
        RecordKind::Evolved => evolved(index, parse_line(line)?, line, free),
    }
}

fn foreign(what: String) -> RejectedRecord {
    LineError::Foreign(what).into()
}

fn evolved(
    index: &RunIndex<'_>,
    mut run: EvolvedRun,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), RejectedRecord> {
    let EvolvedRun { shape, puzzle, preset, config, .. } = &run;
    let key = RunKey::evolved(shape, puzzle, preset, config.get());
    let (cell, number) = index
        .find(&key, Some(run.seed), run.cell.wrapping_sub(1), free)
        .ok_or_else(|| unplanned(&run.name, &run.preset, run.seed))?;
    let name = &index.plan().cells[cell].puzzle.name;
    let mut line = line.to_owned();
    if (run.cell, &run.name) != (cell + 1, name) {
        (run.cell, run.name) = (cell + 1, name.clone());
        line = json_line(&run);
    }
    check(&run).and_then(|()| {
        let solves = matches!(run.stop_reason, StopCause::Solved | StopCause::Presolved);
        solution(&index.plan().cells[cell].puzzle, solves, run.solution.as_deref())
    })?;
    let figures = RunMetrics {
        end: run.stop_reason,
        fitness: run.fitness,
        generations: run.generations,
        evaluations: run.evaluations,
        work: run.work,
        seconds: run.seconds,
        fault: run.fault,
        series: run.series,
    };
    Ok((number, RunResult { line, figures }))
}

/// Whether what a run says of itself goes together.
fn check(run: &EvolvedRun) -> Result<(), RejectedRecord> {
    if run.evaluations.checked_add(run.moves) != Some(run.work) {
        let (evaluations, moves) = (run.evaluations, run.moves);
        return Err(foreign(format!("its work is {}, not {evaluations} + {moves}", run.work)));
    }
    if !run.series.is_whole() {
        return Err(foreign("its series has gaps".to_owned()));
    }
    let solves = matches!(run.stop_reason, StopCause::Solved | StopCause::Presolved);
    if (run.solved, run.fitness == 0) != (solves, solves) {
        let ended = format!("its fitness is {} and it ended: {}", run.fitness, run.stop_reason);
        return Err(foreign(ended));
    }
    Ok(())
}

fn exact(
    index: &RunIndex<'_>,
    mut run: ExactRun,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), RejectedRecord> {
    let key = RunKey::exact(&run.shape, &run.puzzle, &run.method, run.time_limit);
    let (cell, number) = index
        .find(&key, None, run.cell.wrapping_sub(1), free)
        .ok_or_else(|| unplanned(&run.name, &run.method, run.seed))?;
    let Cell { puzzle, first_seed, .. } = &index.plan().cells[cell];
    let mut line = line.to_owned();
    if (run.cell, &run.name, run.seed) != (cell + 1, &puzzle.name, *first_seed) {
        (run.cell, run.name, run.seed) = (cell + 1, puzzle.name.clone(), *first_seed);
        line = json_line(&run);
    }
    let solves = run.stop_reason == StopCause::Solved;
    if run.solved != solves {
        return Err(foreign(format!("it ended: {}", run.stop_reason)));
    }
    if solves {
        solution(puzzle, solves, run.solution.as_deref())?;
    }
    let (end, seconds, fault) = (run.stop_reason, run.seconds, run.fault);
    Ok((
        number,
        RunResult { line, figures: RunMetrics { end, seconds, fault, ..RunMetrics::none() } },
    ))
}

fn unplanned(puzzle: &str, method: &str, seed: u64) -> RejectedRecord {
    RejectedRecord::Unplanned(format!("{puzzle}, {method}, seed {seed}"))
}

/// Whether a run that solves has a board that does, and another has none.
fn solution(puzzle: &Puzzle, solves: bool, solution: Option<&str>) -> Result<(), RejectedRecord> {
    let flaw = match (solves, solution) {
        (true, None) => "it says that it is solved, and has no solution".to_owned(),
        (false, Some(_)) => "it says that it is not solved, and has a solution".to_owned(),
        (false, None) => return Ok(()),
        (true, Some(line)) => match format::read(line, "its solution", Some(puzzle.geometry)) {
            Err(error) => error.to_string(),
            Ok(board) => match verify(puzzle, &board.puzzle.givens) {
                Ok(()) => return Ok(()),
                Err(flaw) => format!("its solution is none: {flaw}"),
            },
        },
    };
    Err(foreign(flaw))
}
