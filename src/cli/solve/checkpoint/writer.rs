//! The checkpoint of a command, written during its runs.
//!
//! A single run is written island by island, without a copy of its population. Of several at a time each leaves
//! its packed population with the writer when it is due; the run that finds the file due writes it with the
//! populations that the others left last. Runs share nothing, so that their states may be of different times.
//! When a run resumes, it repeats the generations after its state.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::loader::LoadedCheckpoint;
use super::{CompletedRun, LogOffsets, RunId, SolveTask, WrittenHeader};
use crate::ga::{Outcome, Run, RunHandle, StopReason};
use crate::store::{
    CheckpointKind, FitnessHistory, OutputError, Readiness, RotatingFile, RunSnapshot,
    SnapshotSink, StoredPopulation, StoredRun, TIME_SHARE, WrittenRun, fingerprint,
    write_checkpoint,
};
use crate::util::quantity::Interval;
use crate::util::quantity::counted;

/// Writes the checkpoint of a command.
pub struct CheckpointWriter {
    file: RotatingFile,
    task: SolveTask,
    /// Whether there are several runs, and whether they go side by side.
    many: bool,
    side_by_side: bool,
    /// The file that the command resumes from.
    resumed: Option<PathBuf>,
    state: Mutex<WriterState>,
}

/// The state of all runs.
#[derive(Default)]
struct WriterState {
    offsets: LogOffsets,
    completed: BTreeMap<RunId, CompletedRun>,
    under_way: BTreeMap<RunId, StoredRun>,
    /// When the file was written last, and how long that took.
    written: Option<Instant>,
    took: Duration,
    /// How often it was, how long all of that took, and how large it was last.
    times: u32,
    spent: Duration,
    bytes: u64,
    /// Whether it was reported that it cannot be written.
    told: bool,
}

impl WriterState {
    /// Whether nothing was written for so long.
    fn is_due(&self, rest: Duration) -> bool {
        self.written.is_none_or(|written| written.elapsed() >= rest)
    }

    /// A failure, if none was reported before.
    fn untold(&mut self, error: OutputError) -> Option<OutputError> {
        (!std::mem::replace(&mut self.told, true)).then_some(error)
    }
}

impl CheckpointWriter {
    /// A writer of a task, and of the checkpoint that it resumed from; of `many` runs, several of which may be
    /// under way at a time (`side_by_side`).
    pub fn new(
        file: RotatingFile,
        task: SolveTask,
        resumed: Option<LoadedCheckpoint>,
        many: bool,
        side_by_side: bool,
    ) -> Self {
        let mut state = WriterState::default();
        let mut from = None;
        if let Some(LoadedCheckpoint { path, offsets, completed, under_way, .. }) = resumed {
            from = Some(path);
            state.offsets = offsets;
            state.completed =
                completed.into_iter().map(|run| ((run.place, run.number), run)).collect();
            state.under_way = under_way.into_iter().collect();
        }
        Self { file, task, many, side_by_side, resumed: from, state: Mutex::new(state) }
    }

    /// Nothing that panics is done under the lock.
    fn state(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run that was done before the command was resumed.
    pub fn completed(&self, id: RunId) -> Option<CompletedRun> {
        self.state().completed.get(&id).cloned()
    }

    /// A run that was under way then.
    pub fn under_way(&self, id: RunId) -> Option<StoredRun> {
        self.state().under_way.get(&id).cloned()
    }

    /// How far the trace and the recording are on disk, which the next checkpoint says.
    pub fn set_offsets(&self, offsets: LogOffsets) {
        self.state().offsets = offsets;
    }

    /// Time that passes between two checkpoints at least.
    fn rest(&self, state: &WriterState) -> Duration {
        let rest = state.took * TIME_SHARE;
        match self.task.every {
            Interval::Time(time) => time.max(rest),
            Interval::Generations(_) => rest,
        }
    }

    /// Records a run that has ended. Returns a failure that was not reported before.
    pub fn run_ended(
        &self,
        id: RunId,
        run: &Run<'_>,
        outcome: &Outcome,
        history: Option<&FitnessHistory>,
        offsets: impl FnOnce() -> LogOffsets,
    ) -> Option<OutputError> {
        use StopReason::{Interrupted, Lost, Observer};
        // A run that was cut off is still under way, and one whose budget is spent may get more.
        let goes_on = matches!(outcome.stop_reason, Interrupted | Lost | Observer);
        if goes_on || !self.many {
            return None;
        }
        let mut state = self.state();
        state.under_way.remove(&id);
        let (place, number) = id;
        let (puzzle, history) = (fingerprint(&run.space.puzzle), history.cloned());
        let run = CompletedRun { place, number, puzzle, outcome: outcome.clone(), history };
        state.completed.insert(id, run);
        if !state.is_due(self.rest(&state)) {
            return None;
        }
        state.offsets = offsets();
        self.write(&mut state, None)
    }

    /// Ends the checkpoint; `is_over` says that there is nothing to resume: all runs have ended, and all outputs
    /// are written. Returns a failure that was not reported before.
    pub fn finish(&self, is_over: bool) -> Option<OutputError> {
        if is_over {
            self.file.remove();
            return None;
        }
        // A run by itself has written how it ended.
        if self.side_by_side { self.write(&mut self.state(), None) } else { None }
    }

    /// The cost of writing as text, if anything was written.
    pub fn cost(&self) -> Option<String> {
        let WriterState { times, spent, bytes, .. } = &*self.state();
        let (megabytes, milliseconds) = (*bytes as f64 / 1e6, 1e3 * spent.as_secs_f64());
        let each = milliseconds / f64::from((*times).max(1));
        let count = counted((*times).into(), "checkpoint");
        let said = format!("{count}, the last of {megabytes:.1} MB, {each:.1} ms each");
        (*times > 0).then_some(said)
    }

    /// Whether there are several runs: one of them that has spent its budget is done.
    pub fn has_many(&self) -> bool {
        self.many
    }

    /// The file that can be resumed from: the one that was written, if the last write succeeded; the one that the
    /// command resumed from, if nothing was written.
    pub fn path(&self) -> Option<&Path> {
        let state = self.state();
        match state.times {
            0 => self.resumed.as_deref(),
            _ => (!state.told).then(|| self.file.output().path()),
        }
    }

    /// Writes all that is known, with the population of a run that is not known yet.
    fn write(
        &self,
        state: &mut WriterState,
        own: Option<(RunId, &RunSnapshot, &mut RunHandle<'_>)>,
    ) -> Option<OutputError> {
        let start = Instant::now();
        let own_id = own.as_ref().map(|(id, ..)| *id);
        let others = state.under_way.iter().filter(|(id, _)| Some(**id) != own_id);
        let mut runs: Vec<WrittenRun<'_, '_, RunId>> = others
            .map(|(id, run)| (*id, &run.snapshot, StoredPopulation::Packed(&run.population)))
            .collect();
        runs.extend(own.map(|(id, snapshot, run)| (id, snapshot, StoredPopulation::Live(run))));
        let completed = state.completed.values().collect();
        let header: WrittenHeader<'_> = (&self.task, &state.offsets, completed);
        let mut bytes = 0;
        let written = self.file.replace(|to| {
            bytes = write_checkpoint(to, CheckpointKind::Solve, &header, runs)?;
            Ok(())
        });
        (state.written, state.took) = (Some(Instant::now()), start.elapsed());
        (state.times, state.spent, state.bytes) =
            (state.times + 1, state.spent + state.took, bytes);
        match written {
            Ok(()) => {
                if let Some(id) = own_id {
                    state.under_way.remove(&id);
                }
                state.told = false;
                None
            }
            Err(error) => state.untold(error),
        }
    }
}

impl SnapshotSink for CheckpointWriter {
    type Key = RunId;

    fn interval(&self) -> Interval {
        self.task.every
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

    fn save(
        &self,
        id: &RunId,
        snapshot: RunSnapshot,
        view: &mut RunHandle<'_>,
    ) -> Option<OutputError> {
        if !self.side_by_side {
            return self.write(&mut self.state(), Some((*id, &snapshot, view)));
        }
        let packed = StoredRun::new(snapshot, view);
        let mut state = self.state();
        match packed {
            Ok(run) => {
                state.under_way.insert(*id, run);
                let rest = match self.task.every {
                    Interval::Time(_) => self.rest(&state),
                    Interval::Generations(_) => Duration::ZERO,
                };
                if state.is_due(rest) { self.write(&mut state, None) } else { None }
            }
            Err(error) => state.untold(self.file.output().error(error)),
        }
    }
}
