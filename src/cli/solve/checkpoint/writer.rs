//! The checkpoint of a command, written during its runs.
//!
//! A single run is written island by island, without a copy of its population. Of several at a time each leaves
//! its packed population with the writer when it is due; the run that finds the file due writes it with the
//! populations that the others left last. Runs share nothing, so that their states may be of different times.
//! When a run resumes, it repeats the generations after its state.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{CompletedRun, CompletedRuns, LiveRun, LogOffsets, RunId, SolveCheckpoint, SolveTask};
use crate::ga::{Outcome, Run, RunHandle, StopReason};
use crate::store::{
    FitnessHistory, OutputError, Readiness, RotatingFile, RunSnapshot, SnapshotSink, StoredRun,
    TIME_SHARE, fingerprint,
};
use crate::util::lock;
use crate::util::quantity::Interval;

/// Writes the checkpoint of a command.
pub struct CheckpointWriter {
    file: RotatingFile,
    every: Interval,
    /// Whether there are several runs: one of them that has spent its budget is done.
    pub many: bool,
    /// Whether several of them are under way at a time.
    side_by_side: bool,
    state: Mutex<WriterState>,
}

/// The state of all runs.
struct WriterState {
    checkpoint: SolveCheckpoint,
    /// Whether the command wrote a checkpoint, or resumed from one.
    is_stored: bool,
    /// When the file was written last, and how long that took.
    written: Option<Instant>,
    took: Duration,
    /// Whether the last write failed, and this was reported.
    told: bool,
}

impl WriterState {
    /// The warning of a failure, if none was given before.
    fn warning(&mut self, error: &OutputError) -> Option<String> {
        let warning = || format!("{error}; the previous checkpoint is unchanged");
        (!std::mem::replace(&mut self.told, true)).then(warning)
    }
}

impl CheckpointWriter {
    /// A writer of a task, and of the checkpoint that it resumed from; of `many` runs, several of which may be
    /// under way at a time (`side_by_side`).
    pub fn new(
        file: RotatingFile,
        task: SolveTask,
        resumed: Option<SolveCheckpoint>,
        many: bool,
        side_by_side: bool,
    ) -> Self {
        let (every, is_stored) = (task.every, resumed.is_some());
        let checkpoint = match resumed {
            Some(resumed) => SolveCheckpoint { task, ..resumed },
            None => SolveCheckpoint::new(file.output.path.clone(), task),
        };
        let (written, took, told) = (None, Duration::ZERO, false);
        let state = Mutex::new(WriterState { checkpoint, is_stored, written, took, told });
        Self { file, every, many, side_by_side, state }
    }

    /// A run that was done before the command was resumed.
    ///
    /// # Errors
    /// The error of the system.
    pub fn completed(&self, id: RunId) -> io::Result<Option<CompletedRun>> {
        lock(&self.state).checkpoint.completed.get(id)
    }

    /// A run that was under way then.
    pub fn under_way(&self, id: RunId) -> Option<StoredRun> {
        lock(&self.state).checkpoint.under_way.get(&id).cloned()
    }

    /// How far the trace and the recording are on disk, which the next checkpoint says.
    pub fn set_offsets(&self, offsets: LogOffsets) {
        lock(&self.state).checkpoint.offsets = offsets;
    }

    /// Time that passes between two checkpoints at least.
    fn rest(&self, state: &WriterState) -> Duration {
        let rest = state.took * TIME_SHARE;
        match self.every {
            Interval::Time(time) => time.max(rest),
            Interval::Generations(_) => rest,
        }
    }

    /// Whether nothing was written for as long as it rests.
    fn is_due(&self, state: &WriterState) -> bool {
        state.written.is_none_or(|written| written.elapsed() >= self.rest(state))
    }

    /// Records a run that has ended. Returns a warning that was not given before.
    pub fn run_ended(
        &self,
        id: RunId,
        run: &Run<'_>,
        outcome: &Outcome,
        history: Option<&FitnessHistory>,
        offsets: impl FnOnce() -> LogOffsets,
    ) -> Option<String> {
        use StopReason::{Interrupted, Lost, Observer};
        // A run that was cut off is still under way, and one whose budget is spent may get more.
        let goes_on = matches!(outcome.stop_reason, Interrupted | Lost | Observer);
        if goes_on || !self.many {
            return None;
        }
        let mut state = lock(&self.state);
        state.checkpoint.under_way.remove(&id);
        let (puzzle, history) = (fingerprint(&run.space.puzzle), history.cloned());
        let run = CompletedRun { id, puzzle, outcome: outcome.clone(), history };
        match state.checkpoint.completed.push(&run) {
            Ok(is_full) if is_full && !state.told || self.is_due(&state) => {
                state.checkpoint.offsets = offsets();
                self.write(&mut state, None)
            }
            Ok(_) => None,
            Err(error) => state.warning(&self.file.output.error(error)),
        }
    }

    /// Ends the checkpoint; `is_over` says that there is nothing to resume: all runs have ended, and all outputs
    /// are written. Returns a warning that was not given before.
    pub fn finish(&self, is_over: bool) -> Option<String> {
        if is_over {
            // What is beside the file may be another command's.
            match lock(&self.state).checkpoint.completed.offset {
                Some(_) => remove(&self.file),
                None => self.file.remove(),
            }
            return None;
        }
        // A run by itself has written how it ended.
        if self.side_by_side { self.write(&mut lock(&self.state), None) } else { None }
    }

    /// The file that can be resumed from: the one that was written, if the last write succeeded; the one that the
    /// command resumed from, if nothing was written.
    pub fn path(&self) -> Option<PathBuf> {
        let state = lock(&self.state);
        (state.is_stored && !state.told).then(|| state.checkpoint.path.clone())
    }

    /// Writes all that is known, with the population of a run that is not known yet.
    fn write(
        &self,
        state: &mut WriterState,
        own: Option<LiveRun<'_, '_, RunId>>,
    ) -> Option<String> {
        let start = Instant::now();
        let own_id = own.as_ref().map(|(id, ..)| *id);
        let checkpoint = &mut state.checkpoint;
        // There is no file beside a checkpoint that is not there, or is another process's. Without the runs that have
        // ended, the trace and the recording do not have their rows either.
        let offsets = std::mem::take(&mut checkpoint.offsets);
        let owned = match state.is_stored || checkpoint.completed.is_written() {
            true => self.file.check_owner(),
            false => self.file.replace(|to| checkpoint.encode(to, None)),
        };
        checkpoint.offsets = offsets;
        let stored = owned.and_then(|()| checkpoint.completed.store(&self.file.output.target));
        let written = stored.and_then(|()| self.file.replace(|to| checkpoint.encode(to, own)));
        (state.written, state.took) = (Some(Instant::now()), start.elapsed());
        state.is_stored |= written.is_ok();
        if let Err(error) = written {
            return state.warning(&error);
        }
        if let Some(id) = own_id {
            state.checkpoint.under_way.remove(&id);
        }
        state.checkpoint.path = self.file.output.path.clone();
        state.told = false;
        None
    }
}

/// Removes a checkpoint, unless another process owns it, and the runs beside it.
pub fn remove(file: &RotatingFile) {
    let target = &file.output.target;
    file.remove();
    if !target.exists() {
        CompletedRuns::remove(target);
    }
}

impl SnapshotSink for CheckpointWriter {
    type Key = RunId;

    fn interval(&self) -> Interval {
        self.every
    }

    fn readiness(&self, _: Duration) -> Readiness {
        // The run that writes it holds the lock: the others need not wait.
        match self.state.try_lock() {
            Err(_) => Readiness::Busy,
            Ok(state) if state.written.is_none() => Readiness::Empty,
            Ok(state) => Readiness::After(self.rest(&state)),
        }
    }

    fn saves_ended(&self, reason: StopReason, _: bool) -> bool {
        reason != StopReason::Solved
    }

    fn save(&self, id: &RunId, snapshot: RunSnapshot, view: &mut RunHandle<'_>) -> Option<String> {
        if !self.side_by_side {
            return self.write(&mut lock(&self.state), Some((*id, &snapshot, view)));
        }
        let packed = StoredRun::new(snapshot, view);
        let mut state = lock(&self.state);
        match packed {
            Ok(run) => {
                state.checkpoint.under_way.insert(*id, run);
                let by_generations = matches!(self.every, Interval::Generations(_));
                let is_due = by_generations || self.is_due(&state);
                if is_due { self.write(&mut state, None) } else { None }
            }
            Err(error) => state.warning(&self.file.output.error(error)),
        }
    }
}
