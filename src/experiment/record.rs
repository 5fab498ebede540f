//! The record of a run: what an experiment exports of it, and what `--resume` reads back.
//!
//! An experiment's JSON has `kind` "experiment", the `version` of the program, the
//! `results_version` of runs, the `experiment`'s name, the plan's `fingerprint`, the `shard` if it is
//! one, the plan (`plan/json.rs`), its `cells` summed up, and
//! in `runs` one record for each finished run, on one line. The journal, `FILE.json.journal`, has a
//! [`JournalHeader`] on its first line and a record on every other one.
//!
//! A record has these members, all of them and no others, in this order:
//!
//! - `kind`: "evolved" of a preset's run, "exact" of an exact method's;
//! - `record`: [`RECORD_VERSION`], the version of this form. It rises when a member is added, taken
//!   away, renamed or comes to mean something else; what reads an older form then has a file of its
//!   own beside this one;
//! - `cell`, from 1 in the plan that it is exported with, and what [`EvolvedRun`] or [`ExactRun`] lists;
//! - `crc32`: the checksum of all else.
//!
//! A run is recognised by its puzzle, its method, all parameters and its seed (`run_index.rs`), so that a
//! record stays good in a plan that has grown.
//!
//! A member that is missing or unknown is an error, never a zero.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::run_metrics::StopCause;
use super::{Cell, Series};
use crate::exact::{ExactMethod, MethodOutcome};
use crate::format;
use crate::report::RunRecord;
use crate::run::BackendInfo;
use crate::store::JournalHeader;

/// The version of the form that records have.
pub(super) const RECORD_VERSION: u32 = 3;

/// What kind of record it is.
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

/// What the journal of an experiment begins with.
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

impl EvolvedRun {
    /// Of a run in `cell`, counted from 0.
    pub fn of(cell: usize, record: &RunRecord, series: &Series) -> Self {
        // All of it: what is new in a record is to be exported, or there is a reason why not.
        let RunRecord {
            name,
            puzzle,
            shape,
            solution,
            board,
            solved,
            fitness,
            stop_reason,
            presolve,
            free_cells,
            generations,
            restarts,
            evaluations,
            moves,
            steps,
            work,
            seconds,
            children_per_second,
            preset,
            population,
            islands,
            seed,
            device: BackendInfo { backend, adapter, driver, threads },
            fault,
            config,
        } = record.clone();
        Self {
            kind: RecordKind::Evolved,
            record: RECORD_VERSION,
            cell: cell + 1,
            name,
            puzzle,
            shape,
            solution,
            board,
            solved,
            fitness,
            stop_reason: stop_reason.into(),
            presolve: presolve.to_string(),
            free_cells,
            generations,
            restarts,
            evaluations,
            moves,
            steps,
            work,
            seconds,
            children_per_second,
            preset: preset.to_string(),
            population,
            islands,
            seed,
            backend: backend.to_owned(),
            adapter,
            driver,
            threads,
            fault,
            // Every name is a string and every number finite: nothing here can fail.
            config: serde_json::value::to_raw_value(&config).unwrap_or_default(),
            series: series.clone(),
        }
    }
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

/// Without it a member that is missing would be read as none.
fn there<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}
