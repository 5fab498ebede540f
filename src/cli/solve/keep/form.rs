//! What a checkpoint of `solve` says beside the populations.

use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};

use serde::{Deserialize, Serialize};

use crate::board::Puzzle;
use crate::checkpoint::UnderWay;
use crate::cli::summary::Layout;
use crate::ga::{ConfigError, Outcome, Overrides, Preset, RunSettings};
use crate::quantity::Interval;
use crate::report::{ExportFormat, FitnessHistory, LogOffset};

/// Everything but populations.
#[derive(Debug, Deserialize)]
pub struct Head {
    pub task: Task,
    pub marks: Marks,
    pub done: Vec<Done>,
    pub under_way: Vec<(Key, UnderWay)>,
}

/// The same as it is written, which copies nothing.
#[derive(Debug, Serialize)]
pub struct WrittenHead<'a> {
    pub task: &'a Task,
    pub marks: &'a Marks,
    pub done: Vec<&'a Done>,
    pub under_way: Vec<(Key, &'a UnderWay)>,
}

/// The place of a puzzle, and the number of its run, from 0.
pub type Key = (u64, u32);

/// What was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub preset: Preset,
    /// What was set, as `name=value`.
    pub set: Vec<String>,
    pub seed: u64,
    pub runs: u32,
    pub input: Input,
    pub every: Interval,
    pub layout: Layout,
    pub trace: Option<OsString>,
    pub record: Option<OsString>,
    pub exports: Vec<(ExportFormat, OsString)>,
}

/// Where puzzles are from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Input {
    /// One puzzle, which stands here.
    One { name: String, shape: String, givens: Vec<u8>, alphabet: Option<String> },
    /// A list, which is read again.
    List { arguments: Vec<OsString>, shape: Option<String>, alphabet: Option<String> },
}

impl Input {
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
pub struct Marks {
    pub trace: Option<LogOffset>,
    /// With the board of the last frame.
    pub record: Option<(LogOffset, Vec<u8>)>,
}

/// A run that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    /// Its place among the puzzles, and its number among the runs of its puzzle, from 0.
    pub place: u64,
    pub number: u32,
    /// The [fingerprint](crate::checkpoint::fingerprint) of its puzzle.
    pub puzzle: u32,
    pub outcome: Outcome,
    pub course: Option<FitnessHistory>,
}

/// What the budget is: the only parameters that a run may go on with others of.
pub fn budget(set: &Overrides) -> Overrides {
    Overrides {
        max_generations: set.max_generations,
        max_work: set.max_work,
        time_limit: set.time_limit,
        ..Overrides::default()
    }
}

/// All else.
pub fn without_budget(set: &Overrides) -> Overrides {
    Overrides { max_generations: None, max_work: None, time_limit: None, ..set.clone() }
}

/// Settings as they stand in a checkpoint.
pub fn written(settings: &RunSettings) -> Vec<String> {
    let set = settings.overrides.parameters();
    set.filter_map(|parameter| {
        Some(format!("{}={}", parameter.name, (parameter.set)(&settings.overrides)?))
    })
    .collect()
}

impl Task {
    /// What was asked for, of puzzles that are from elsewhere or here.
    pub fn new(
        settings: &RunSettings,
        seed: u64,
        runs: u32,
        input: Input,
        every: Interval,
    ) -> Self {
        Self {
            preset: settings.preset,
            set: written(settings),
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
        for set in &self.set {
            overrides.merge(&set.parse()?);
        }
        Ok(RunSettings { preset: self.preset, overrides })
    }
}

/// A path that means the same from any folder; `-` stays what it is.
pub fn anywhere(path: &Path) -> OsString {
    if path == Path::new("-") {
        return path.into();
    }
    absolute(path).unwrap_or_else(|_| PathBuf::from(path)).into()
}
