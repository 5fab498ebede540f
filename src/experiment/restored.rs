//! A record on its way back into results: whole, of a form that is known, and of a run of the plan
//! that is what it says.

use super::asked::{Asked, Identity};
use super::record::{EvolvedRun, ExactRun, RECORD_VERSION, RecordKind, RecordTag, line_of, read};
use super::run_metrics::RunMetrics;
use super::{Cell, RunResult, StopCause};
use crate::board::{Puzzle, verify};
use crate::format;
use crate::seal::unseal;

/// Why a record is not taken in.
pub(super) enum Unfit {
    /// It is not as it was written.
    Broken(String),
    /// It is, and does not belong here.
    Foreign(String),
    /// It is a run that is not asked for: which one.
    Unasked(String),
}

/// The run of a line, and its number in the plan. Of several places in the plan it is given one
/// that is `free`, and it is told in the words of that place.
///
/// # Errors
/// [`Unfit`] when the line is not as it was written, or does not belong to the plan.
pub(super) fn restored(
    asked: &Asked<'_>,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), Unfit> {
    let (object, kind) = tagged(line, &[RecordKind::Evolved, RecordKind::Exact])?;
    match kind {
        RecordKind::Exact => {
            let run: ExactRun = read(&object).map_err(Unfit::Foreign)?;
            exact(asked, run, line, free)
        }
        _ => {
            let run: EvolvedRun = read(&object).map_err(Unfit::Foreign)?;
            evolved(asked, run, line, free)
        }
    }
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

fn evolved(
    asked: &Asked<'_>,
    mut run: EvolvedRun,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), Unfit> {
    let EvolvedRun { shape, puzzle, preset, config, .. } = &run;
    let identity = Identity::evolved(shape, puzzle, preset, config.get());
    let (cell, number) = asked
        .find(&identity, Some(run.seed), run.cell.wrapping_sub(1), free)
        .ok_or_else(|| unasked(&run.name, &run.preset, run.seed))?;
    let name = &asked.plan().cells[cell].puzzle.name;
    let mut line = line.to_owned();
    if (run.cell, &run.name) != (cell + 1, name) {
        (run.cell, run.name) = (cell + 1, name.clone());
        line = line_of(&run);
    }
    check(&run).and_then(|()| {
        let solves = matches!(run.stop_reason, StopCause::Solved | StopCause::Presolved);
        solution(&asked.plan().cells[cell].puzzle, solves, run.solution.as_deref())
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
fn check(run: &EvolvedRun) -> Result<(), Unfit> {
    if run.evaluations.checked_add(run.moves) != Some(run.work) {
        let (evaluations, moves) = (run.evaluations, run.moves);
        return Err(Unfit::Foreign(format!(
            "its work is {}, not {evaluations} + {moves}",
            run.work
        )));
    }
    if !run.series.is_whole() {
        return Err(Unfit::Foreign("its series has gaps".to_owned()));
    }
    let solves = matches!(run.stop_reason, StopCause::Solved | StopCause::Presolved);
    if (run.solved, run.fitness == 0) != (solves, solves) {
        let ended = format!("its fitness is {} and it ended: {}", run.fitness, run.stop_reason);
        return Err(Unfit::Foreign(ended));
    }
    Ok(())
}

fn exact(
    asked: &Asked<'_>,
    mut run: ExactRun,
    line: &str,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), Unfit> {
    let identity = Identity::exact(&run.shape, &run.puzzle, &run.method, run.time_limit);
    let (cell, number) = asked
        .find(&identity, None, run.cell.wrapping_sub(1), free)
        .ok_or_else(|| unasked(&run.name, &run.method, run.seed))?;
    let Cell { puzzle, first_seed, .. } = &asked.plan().cells[cell];
    let mut line = line.to_owned();
    if (run.cell, &run.name, run.seed) != (cell + 1, &puzzle.name, *first_seed) {
        (run.cell, run.name, run.seed) = (cell + 1, puzzle.name.clone(), *first_seed);
        line = line_of(&run);
    }
    let solves = run.stop_reason == StopCause::Solved;
    if run.solved != solves {
        return Err(Unfit::Foreign(format!("it ended: {}", run.stop_reason)));
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

fn unasked(puzzle: &str, method: &str, seed: u64) -> Unfit {
    Unfit::Unasked(format!("{puzzle}, {method}, seed {seed}"))
}

/// Whether a run that solves has a board that does, and another has none.
fn solution(puzzle: &Puzzle, solves: bool, solution: Option<&str>) -> Result<(), Unfit> {
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
    Err(Unfit::Foreign(flaw))
}
