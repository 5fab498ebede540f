//! Checkpoints of `solve`, from which the command resumes after a crash or an interrupt.
//!
//! One file holds all of it: the task, the runs that have ended, how far the trace and the recording were
//! written, and each run that is under way. `writer.rs` writes it during runs, `loader.rs` reads it and checks
//! flags against it.

pub mod fuzz;
mod loader;
mod writer;

pub use loader::{LoadedCheckpoint, outcome_of};
pub use writer::CheckpointWriter;

use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::board::Puzzle;
use crate::cli::summary::Layout;
use crate::cli::value_parsers::every;
use crate::ga::{ConfigError, Outcome, Overrides, Preset, RunSettings};
use crate::report::ExportFormat;
use crate::store::{FitnessHistory, LogOffset};
use crate::util::quantity::Interval;

/// Flags of checkpoints.
#[derive(Debug, Args)]
pub struct CheckpointArgs {
    /// Write checkpoints to this file, from which --resume continues the same run; the one before the last
    /// is FILE.1. It is removed when all runs have ended, but for a run whose budget was spent
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is written: a time, as in 30s, or generations, as in 100g (default: 30s)
    #[arg(long, value_name = "EVERY", value_parser = every)]
    pub checkpoint_every: Option<Interval>,
    /// Throw away the checkpoint that FILE of --checkpoint holds
    #[arg(long, requires = "checkpoint")]
    pub overwrite: bool,
    /// Resume from a checkpoint, with the puzzles, parameters and outputs that it stores. The budget, --on and
    /// outputs may be given again
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// The task, how far logs were written, and the runs that have ended; the header that is written borrows them.
pub type SolveHeader = (SolveTask, LogOffsets, Vec<CompletedRun>);
pub type WrittenHeader<'a> = (&'a SolveTask, &'a LogOffsets, Vec<&'a CompletedRun>);

/// The place of a puzzle, and the number of its run, from 0.
pub type RunId = (u64, u32);

/// The task of a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolveTask {
    pub preset: Preset,
    /// The parameters that were set, as `name=value name=value`.
    pub set: String,
    pub seed: u64,
    pub runs: u32,
    pub input: PuzzleInput,
    pub every: Interval,
    pub layout: Layout,
    pub trace: Option<OsString>,
    pub record: Option<OsString>,
    pub exports: Vec<(ExportFormat, OsString)>,
}

/// The source of the puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PuzzleInput {
    /// One puzzle, which is stored.
    One { name: String, shape: String, givens: Vec<u8>, alphabet: Option<String> },
    /// A list, which is read again.
    List { arguments: Vec<OsString>, shape: Option<String>, alphabet: Option<String> },
}

impl PuzzleInput {
    /// A puzzle, and the characters of its values if it has its own.
    pub fn one(puzzle: &Puzzle, alphabet: Option<String>) -> Self {
        let (name, shape) = (puzzle.name.clone(), puzzle.geometry.to_string());
        Self::One { name, shape, givens: puzzle.givens.clone(), alphabet }
    }

    /// The characters of values, where these are told.
    pub fn alphabet(&self) -> Option<&str> {
        let (Self::One { alphabet, .. } | Self::List { alphabet, .. }) = self;
        alphabet.as_deref()
    }
}

/// How far files were written that grow with runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogOffsets {
    pub trace: Option<LogOffset>,
    /// With the board of the last frame.
    pub record: Option<(LogOffset, Vec<u8>)>,
}

/// A run that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletedRun {
    /// Its place among the puzzles, and its number among the runs of its puzzle, from 0.
    pub place: u64,
    pub number: u32,
    /// The [fingerprint](crate::store::fingerprint) of its puzzle.
    pub puzzle: u32,
    pub outcome: Outcome,
    pub history: Option<FitnessHistory>,
}

/// The budget: the only parameters that may change when a run is resumed.
pub fn budget(set: &Overrides) -> Overrides {
    Overrides {
        max_generations: set.max_generations,
        max_work: set.max_work,
        time_limit: set.time_limit,
        ..Overrides::default()
    }
}

/// All parameters but the budget.
pub fn without_budget(set: &Overrides) -> Overrides {
    Overrides { max_generations: None, max_work: None, time_limit: None, ..set.clone() }
}

impl SolveTask {
    /// The task of running these puzzles.
    pub fn new(
        settings: &RunSettings,
        seed: u64,
        runs: u32,
        input: PuzzleInput,
        every: Interval,
    ) -> Self {
        Self {
            preset: settings.preset,
            set: settings.overrides.to_string(),
            seed,
            runs,
            input,
            every,
            layout: Layout::Grid,
            trace: None,
            record: None,
            exports: Vec::new(),
        }
    }

    /// The settings.
    ///
    /// # Errors
    /// When this version knows no such parameter or value.
    pub fn settings(&self) -> Result<RunSettings, ConfigError> {
        let mut overrides = Overrides::default();
        for set in self.set.split_whitespace() {
            overrides.merge(&set.parse()?);
        }
        Ok(RunSettings { preset: self.preset, overrides })
    }
}

/// A path that means the same from any folder; `-` is not changed.
pub fn absolute_path(path: &Path) -> OsString {
    if path == Path::new("-") {
        return path.into();
    }
    absolute(path).unwrap_or_else(|_| PathBuf::from(path)).into()
}
