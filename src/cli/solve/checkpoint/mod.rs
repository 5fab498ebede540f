//! Checkpoints of `solve`, from which the command resumes after a crash or an interrupt.
//!
//! A file holds the task, how far the trace and the recording were written, and each run that is under way. Runs
//! that have ended are beside it (`completed_runs.rs`). `writer.rs` writes it during runs, `loader.rs` reads it
//! and checks flags against it.

mod completed_runs;
mod loader;
mod writer;

pub use completed_runs::{CompletedRun, CompletedRuns, are_runs_or_blank, runs_path};
pub use loader::outcome_of;
pub use writer::{CheckpointWriter, remove};

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};

use crate::board::{Geometry, Puzzle};
use crate::cli::summary::Layout;
use crate::cli::value_parsers::every;
use crate::ga::{
    Checkpoint, ConfigError, IslandSink, Overrides, Preset, Run, RunHandle, RunSettings,
};
use crate::report::ExportFormat;
use crate::store::{
    CheckpointKind, ContainerError, LiveRun, LogOffset, RunIdentity, RunSnapshot, StoredRun,
    read_checkpoint, write_checkpoint,
};
use crate::util::quantity::Interval;

/// Flags of checkpoints.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("stored").args(["checkpoint", "resume"]).multiple(true)))]
pub struct CheckpointArgs {
    /// Save the run to this file every 30 s; --resume FILE continues it
    ///
    /// FILE.1 is the previous checkpoint. With several runs, FILE.runs holds the finished runs. These files
    /// are removed at the end, unless a single run spent its budget. Such a run can be resumed with a larger
    /// budget.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often to save: a time, as in 30s, or a number of generations, as in 100g (default: 30s)
    #[arg(long, value_name = "EVERY", value_parser = every, requires = "stored")]
    pub checkpoint_every: Option<Interval>,
    /// Replace an existing checkpoint in the --checkpoint file
    #[arg(long, requires = "checkpoint")]
    pub overwrite: bool,
    /// Continue from a checkpoint, with its puzzles, parameters and, by default, output files; the budget and --on
    /// may be changed
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// The place of a puzzle, and the number of its run, from 0.
pub type RunId = (u64, u32);

/// A checkpoint: the content of a file.
pub struct SolveCheckpoint {
    /// The file.
    pub path: PathBuf,
    /// The task of the command.
    pub task: SolveTask,
    /// How far the trace and the recording were written.
    pub offsets: LogOffsets,
    /// The runs that have ended.
    pub completed: CompletedRuns,
    /// The runs that have begun.
    pub under_way: BTreeMap<RunId, StoredRun>,
}

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
    pub check_unique: bool,
    pub trace: Option<OsString>,
    pub record: Option<OsString>,
    pub exports: Vec<(ExportFormat, OsString)>,
}

/// The source of the puzzles, with the characters of their values if `--alphabet` lists them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PuzzleInput {
    /// One puzzle, which is stored.
    One { puzzle: Puzzle, alphabet: Option<String> },
    /// A list, which is read again.
    List { arguments: Vec<OsString>, shape: Option<Geometry>, alphabet: Option<String> },
}

/// How far files were written that grow with runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogOffsets {
    pub trace: Option<LogOffset>,
    /// With the board of the last frame.
    pub record: Option<(LogOffset, Vec<u8>)>,
}

impl SolveCheckpoint {
    /// A checkpoint in which no run has begun.
    pub fn new(path: PathBuf, task: SolveTask) -> Self {
        let (completed, under_way) = (CompletedRuns::default(), BTreeMap::new());
        Self { path, task, offsets: LogOffsets::default(), completed, under_way }
    }

    /// The checkpoint that `solve` would write of a run.
    ///
    /// # Errors
    /// When the checkpoint is none of this run.
    pub fn of_run(
        run: &Run<'_>,
        settings: &RunSettings,
        checkpoint: &Checkpoint,
    ) -> io::Result<Self> {
        let Checkpoint { progress, state } = checkpoint;
        let identity = RunIdentity::new(run.space, run.config).map_err(io::Error::other)?;
        let snapshot = RunSnapshot { identity, progress: progress.clone(), history: None };
        let islands = &mut |take: IslandSink<'_>| state.for_each_island(take);
        let mut view = RunHandle { progress: progress.clone(), islands };
        let under_way = [((0, 0), StoredRun::new(snapshot, &mut view)?)].into();
        let input = PuzzleInput::One { puzzle: run.space.puzzle.clone(), alphabet: None };
        let task = SolveTask::new(settings, run.seed, 1, input, Interval::Generations(1));
        Ok(Self { under_way, ..Self::new(PathBuf::new(), task) })
    }

    /// Decodes the content of a file. The runs that have ended are opened apart.
    ///
    /// # Errors
    /// [`ContainerError`] says what is wrong.
    pub fn decode(path: &Path, bytes: &[u8]) -> Result<Self, ContainerError> {
        let ((task, offsets, offset), under_way) = read_checkpoint(bytes, CheckpointKind::Solve)?;
        let completed = CompletedRuns::until(offset);
        let under_way = under_way.into_iter().collect();
        Ok(Self { path: path.to_owned(), task, offsets, completed, under_way })
    }

    /// Writes the content of the file, with a run that `live` adds.
    ///
    /// # Errors
    /// The errors of `to`, and of an engine that cannot give a population.
    pub fn encode(
        &self,
        to: &mut dyn Write,
        live: Option<LiveRun<'_, '_, RunId>>,
    ) -> io::Result<()> {
        let header = (&self.task, &self.offsets, self.completed.offset);
        let live_id = live.as_ref().map(|(id, ..)| *id);
        let others = self.under_way.iter().filter(|(id, _)| Some(**id) != live_id);
        let packed: Vec<(RunId, &StoredRun)> = others.map(|(id, run)| (*id, run)).collect();
        write_checkpoint(to, CheckpointKind::Solve, &header, &packed, live)
    }

    /// The puzzle, if the checkpoint holds one.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        match &self.task.input {
            PuzzleInput::One { puzzle, .. } => Some(puzzle),
            PuzzleInput::List { .. } => None,
        }
    }
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
            check_unique: false,
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
