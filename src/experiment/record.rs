//! The record of a run, which an experiment exports and `--resume` reads back, and its validation.
//!
//! An experiment's JSON has `kind` "experiment", the `version` of the program, the
//! `results_version` of runs, the `experiment`'s name, the plan's `fingerprint`, the `shard` if it is
//! one, the plan (`plan_json.rs`), its `cells` summed up, and
//! in `runs` one record for each finished run, on one line. The journal, `FILE.json.journal`, has a
//! [`JournalHeader`] on its first line and a record on every other one.
//!
//! A record has these members, all of them and no others, in this order:
//!
//! - `kind`: "evolved" of a preset's run, "exact" of an exact method's;
//! - `record`: [`RECORD_VERSION`], the version of this form. It rises when a member is added, taken
//!   away, renamed or comes to mean something else; the reader of an older form then has a file of its
//!   own next to this one;
//! - `cell`, from 1 in the plan that it is exported with, and the members of [`EvolvedRun`] or [`ExactRun`];
//! - `crc32`: the checksum of all else.
//!
//! A run is recognised by its puzzle, its method, all parameters and its seed (`run_index.rs`), so that a
//! record stays good in a plan that has grown.
//!
//! A member that is missing or unknown is an error, never a zero.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use super::run_index::{RunIndex, RunKey};
use super::run_metrics::{RunMetrics, StopCause};
use super::{Cell, Series};
use crate::board::{Puzzle, verify};
use crate::exact::{ExactMethod, MethodEnd, MethodOutcome};
use crate::format;
use crate::report::RunRecord;
use crate::store::{JournalHeader, LineError, json_line, parse_line};

/// The version of the form that records have.
pub(super) const RECORD_VERSION: u32 = 3;

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RecordKind {
    /// Of a run of a preset.
    Evolved,
    /// Of a run of an exact method.
    Exact,
}

/// The members that tell how the others are to be read.
#[derive(Debug, Deserialize)]
pub(super) struct RecordTag {
    pub kind: RecordKind,
    pub record: u32,
}

/// The first line of the journal of an experiment.
pub(super) fn journal_header() -> JournalHeader {
    JournalHeader::new("journal", RECORD_VERSION, None)
}

/// A run of a preset: all that `solve` exports, and the series.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvolvedRun {
    pub kind: RecordKind,
    pub record: u32,
    pub cell: usize,
    pub name: String,
    pub puzzle: String,
    pub shape: String,
    #[serde(deserialize_with = "there")]
    pub solution: Option<String>,
    pub board: String,
    pub solved: bool,
    pub fitness: u16,
    pub stop_reason: StopCause,
    pub presolve: String,
    pub free_cells: usize,
    pub generations: u32,
    pub restarts: u32,
    pub evaluations: u64,
    pub moves: u64,
    pub steps: u64,
    pub work: u64,
    pub seconds: f64,
    pub children_per_second: f64,
    pub preset: String,
    pub population: u32,
    pub islands: usize,
    pub seed: u64,
    pub backend: String,
    #[serde(deserialize_with = "there")]
    pub adapter: Option<String>,
    #[serde(deserialize_with = "there")]
    pub driver: Option<String>,
    pub threads: usize,
    #[serde(deserialize_with = "there")]
    pub fault: Option<String>,
    pub config: Box<RawValue>,
    pub series: Series,
}

/// An [`EvolvedRun`] as it is written.
#[derive(Serialize)]
struct WrittenRecord<'a> {
    kind: RecordKind,
    record: u32,
    cell: usize,
    #[serde(flatten)]
    run: &'a RunRecord,
    series: &'a Series,
}

/// A run of an exact method, in the words of the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExactRun {
    pub kind: RecordKind,
    pub record: u32,
    pub cell: usize,
    pub name: String,
    pub puzzle: String,
    pub shape: String,
    pub method: String,
    /// Its only parameter, in seconds.
    pub time_limit: f64,
    #[serde(deserialize_with = "there")]
    pub solution: Option<String>,
    pub solved: bool,
    pub stop_reason: StopCause,
    /// Guesses of backtracking, nodes of branch and bound: not the work of a preset.
    pub nodes: u64,
    pub seconds: f64,
    pub seed: u64,
    #[serde(deserialize_with = "there")]
    pub fault: Option<String>,
}

impl ExactRun {
    /// Of a run in cell `number`, counted from 0, that ended so.
    pub fn of(
        number: usize,
        cell: &Cell,
        method: ExactMethod,
        outcome: &MethodOutcome,
        end: StopCause,
    ) -> Self {
        let geometry = cell.puzzle.geometry;
        Self {
            kind: RecordKind::Exact,
            record: RECORD_VERSION,
            cell: number + 1,
            name: cell.puzzle.name.clone(),
            puzzle: format::line(geometry, &cell.puzzle.givens),
            shape: geometry.to_string(),
            method: method.to_string(),
            time_limit: cell.config.time_limit,
            solution: outcome.board.as_ref().map(|board| format::line(geometry, board)),
            solved: end == StopCause::Solved,
            stop_reason: end,
            nodes: outcome.nodes,
            seconds: outcome.elapsed.as_secs_f64(),
            seed: cell.first_seed,
            fault: outcome.fault.clone(),
        }
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its record as one line of JSON with its checksum, as it is exported.
    pub line: String,
    /// The figures that cells are summed up from.
    pub figures: RunMetrics,
}

impl RunResult {
    /// The result of an exact method's run in `cell`, counted from 0; none if it was interrupted.
    pub fn exact(
        cell: usize,
        plan: &Cell,
        method: ExactMethod,
        outcome: &MethodOutcome,
    ) -> Option<Self> {
        let end = match outcome.ended {
            MethodEnd::Solved => StopCause::Solved,
            MethodEnd::NoSolution => StopCause::NoSolution,
            MethodEnd::Time => StopCause::Time,
            MethodEnd::Interrupted => return None,
            MethodEnd::NotBuilt | MethodEnd::Failed => StopCause::Failed,
        };
        let record = ExactRun::of(cell, plan, method, outcome, end);
        let (seconds, fault) = (record.seconds, record.fault.clone());
        Some(Self {
            line: json_line(&record),
            figures: RunMetrics { end, seconds, fault, ..RunMetrics::none() },
        })
    }

    /// The result of a run in `cell`, counted from 0.
    pub fn new(cell: usize, record: &RunRecord, series: Series) -> Self {
        Self {
            line: json_line(&WrittenRecord {
                kind: RecordKind::Evolved,
                record: RECORD_VERSION,
                cell: cell + 1,
                run: record,
                series: &series,
            }),
            figures: RunMetrics {
                end: record.stop_reason.into(),
                fitness: record.fitness,
                generations: record.generations,
                evaluations: record.evaluations,
                work: record.work,
                seconds: record.seconds,
                fault: record.fault.clone(),
                series,
            },
        }
    }
}

/// Without it a member that is missing would be read as none.
fn there<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// Why a record is not taken in.
#[derive(Debug, Error)]
pub(super) enum RejectedRecord {
    /// Its line is not as it was written, or does not belong here.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is a run that is not in the plan: which one.
    #[error("it did another run")]
    Unplanned(String),
}

/// The run of a line, and its number in the plan. Of several places in the plan it is given one
/// that is `free`, and takes that place's cell and name.
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

/// Checks that the members of a record agree.
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
