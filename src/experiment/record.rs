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

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::run_index::{RunIndex, RunKey};
use super::run_metrics::{ALIKE, RunMetrics, StopCause};
use super::{Cell, Series};
use crate::board::{Puzzle, verify};
use crate::exact::{ExactMethod, MethodEnd, MethodOutcome};
use crate::format;
use crate::ga::StopReason;
use crate::report::RunRecord;
use crate::store::{JournalHeader, LineError, json_line, parse_line};
use crate::util::required;

/// The version of the form that records have.
pub(super) const RECORD_VERSION: u32 = 3;

/// The member that tells how the others are to be read.
#[derive(Debug, Deserialize)]
struct RecordTag {
    record: u32,
}

/// A record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum ExperimentRecord {
    Evolved(Box<EvolvedRun>),
    Exact(ExactRun),
}

impl fmt::Display for ExperimentRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (puzzle, method, seed) = match self {
            Self::Evolved(record) => (&record.run.name, record.run.preset.name(), record.run.seed),
            Self::Exact(run) => (&run.name, run.method.as_str(), run.seed),
        };
        write!(f, "{puzzle}, {method}, seed {seed}")
    }
}

/// The first line of the journal of an experiment.
pub(super) fn journal_header() -> JournalHeader {
    JournalHeader::new("journal", RECORD_VERSION, None)
}

/// A run of a preset: all that `solve` exports, and the series.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvolvedRun {
    record: u32,
    cell: usize,
    #[serde(flatten)]
    pub run: RunRecord,
    pub series: Series,
}

/// A run of an exact method, in the words of the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExactRun {
    pub record: u32,
    pub cell: usize,
    pub name: String,
    pub puzzle: String,
    pub shape: String,
    pub method: String,
    /// Its only parameter, in seconds.
    pub time_limit: f64,
    #[serde(deserialize_with = "required")]
    pub solution: Option<String>,
    pub solved: bool,
    pub stop_reason: StopCause,
    /// Guesses of backtracking, nodes of branch and bound: not the work of a preset.
    pub nodes: u64,
    pub seconds: f64,
    pub seed: u64,
    #[serde(deserialize_with = "required")]
    pub fault: Option<String>,
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
    /// The result of an exact method's run in a cell of this number, counted from 0; none if it was
    /// interrupted.
    pub fn exact(
        number: usize,
        cell: &Cell,
        method: ExactMethod,
        outcome: MethodOutcome,
    ) -> Option<Self> {
        let end = match outcome.ended {
            MethodEnd::Solved => StopCause::Solved,
            MethodEnd::NoSolution => StopCause::NoSolution,
            MethodEnd::Time => StopCause::Time,
            MethodEnd::Interrupted => return None,
            MethodEnd::NotBuilt | MethodEnd::Failed => StopCause::Failed,
        };
        let geometry = cell.puzzle.geometry;
        let record = ExactRun {
            record: RECORD_VERSION,
            cell: number + 1,
            name: cell.puzzle.name.clone(),
            puzzle: format::line(geometry, &cell.puzzle.givens),
            shape: geometry.to_string(),
            method: method.to_string(),
            time_limit: cell.config.time_limit,
            solution: outcome.board.map(|board| format::line(geometry, &board)),
            solved: end == StopCause::Solved,
            stop_reason: end,
            nodes: outcome.nodes,
            seconds: outcome.elapsed.as_secs_f64(),
            seed: cell.first_seed,
            fault: outcome.fault,
        };
        Some(ExperimentRecord::Exact(record).into())
    }

    /// The result of a run in `cell`, counted from 0.
    pub fn new(cell: usize, run: RunRecord, series: Series) -> Self {
        let record = EvolvedRun { record: RECORD_VERSION, cell: cell + 1, run, series };
        ExperimentRecord::Evolved(Box::new(record)).into()
    }
}

impl From<ExperimentRecord> for RunResult {
    fn from(record: ExperimentRecord) -> Self {
        let line = json_line(&record);
        let figures = match record {
            ExperimentRecord::Evolved(record) => {
                let EvolvedRun { run, series, .. } = *record;
                let budget = run.config.max_work;
                let is_beyond = budget > 0 && run.work as f64 > ALIKE * budget as f64;
                RunMetrics {
                    end: run.stop_reason.into(),
                    late: is_beyond && run.stop_reason == StopReason::Solved,
                    fitness: run.fitness,
                    generations: run.generations,
                    evaluations: run.evaluations,
                    work: run.work,
                    seconds: run.seconds,
                    fault: run.fault,
                    series,
                }
            }
            ExperimentRecord::Exact(run) => {
                let (end, seconds, fault) = (run.stop_reason, run.seconds, run.fault);
                RunMetrics { end, seconds, fault, ..RunMetrics::default() }
            }
        };
        Self { line, figures }
    }
}

/// Why a record is not taken in.
#[derive(Debug, Error)]
pub(super) enum RejectedRecord {
    /// Its line is not as it was written, or does not belong here.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is a run that is not in the plan.
    #[error("it belongs to another run")]
    Unplanned(Box<ExperimentRecord>),
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
    let RecordTag { record } = parse_line(line)?;
    if record != RECORD_VERSION {
        return Err(foreign(format!("its format is version {record}, not {RECORD_VERSION}")));
    }
    match parse_line(line)? {
        ExperimentRecord::Evolved(run) => evolved(index, run, free),
        ExperimentRecord::Exact(run) => exact(index, run, free),
    }
}

fn foreign(what: String) -> RejectedRecord {
    LineError::Foreign(what).into()
}

fn evolved(
    index: &RunIndex<'_>,
    mut record: Box<EvolvedRun>,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), RejectedRecord> {
    let run = &mut record.run;
    let key = RunKey::evolved(&run.shape, &run.puzzle, run.preset, &run.config);
    let stored = record.cell.wrapping_sub(1);
    let Some((cell, number)) = index.find(&key, Some(run.seed), stored, free) else {
        return Err(RejectedRecord::Unplanned(ExperimentRecord::Evolved(record).into()));
    };
    let puzzle = &index.plan.cells[cell].puzzle;
    (record.cell, run.name) = (cell + 1, puzzle.name.clone());
    check(&record, puzzle)?;
    Ok((number, ExperimentRecord::Evolved(record).into()))
}

/// Checks that the members of a record agree, and that its solution is one of its puzzle.
fn check(record: &EvolvedRun, puzzle: &Puzzle) -> Result<(), RejectedRecord> {
    let run = &record.run;
    if run.evaluations.checked_add(run.moves) != Some(run.work) {
        let (evaluations, moves) = (run.evaluations, run.moves);
        return Err(foreign(format!("its work is {}, not {evaluations} + {moves}", run.work)));
    }
    if !record.series.is_whole() {
        return Err(foreign("its series has gaps".to_owned()));
    }
    let solves = matches!(run.stop_reason, StopReason::Solved | StopReason::Presolved);
    if (run.solved, run.fitness == 0) != (solves, solves) {
        let ended =
            format!("its fitness is {}, but it ended as '{}'", run.fitness, run.stop_reason);
        return Err(foreign(ended));
    }
    solution(puzzle, solves, run.solution.as_deref())
}

fn exact(
    index: &RunIndex<'_>,
    mut run: ExactRun,
    free: impl Fn(usize) -> bool,
) -> Result<(usize, RunResult), RejectedRecord> {
    let key = RunKey::exact(&run.shape, &run.puzzle, &run.method, run.time_limit);
    let Some((cell, number)) = index.find(&key, None, run.cell.wrapping_sub(1), free) else {
        return Err(RejectedRecord::Unplanned(ExperimentRecord::Exact(run).into()));
    };
    let Cell { puzzle, first_seed, .. } = &index.plan.cells[cell];
    (run.cell, run.name, run.seed) = (cell + 1, puzzle.name.clone(), *first_seed);
    let solves = run.stop_reason == StopCause::Solved;
    if run.solved != solves {
        return Err(foreign(format!("it ended: {}", run.stop_reason)));
    }
    solution(puzzle, solves, run.solution.as_deref())?;
    Ok((number, ExperimentRecord::Exact(run).into()))
}

/// Whether a run that solves has a board that does, and another has none.
fn solution(puzzle: &Puzzle, solves: bool, solution: Option<&str>) -> Result<(), RejectedRecord> {
    let flaw = match (solves, solution) {
        (true, None) => "it is marked as solved, but contains no solution".to_owned(),
        (false, Some(_)) => "it is marked as not solved, but contains a solution".to_owned(),
        (false, None) => return Ok(()),
        (true, Some(line)) => match format::read(line, "its solution", Some(puzzle.geometry)) {
            Err(error) => error.to_string(),
            Ok(board) => match verify(puzzle, &board.puzzle.givens) {
                Ok(()) => return Ok(()),
                Err(flaw) => format!("its solution is wrong: {flaw}"),
            },
        },
    };
    Err(foreign(flaw))
}
