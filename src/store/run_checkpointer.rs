//! When a run is saved, and by whom.
//!
//! A run is saved every so many generations or so long after the last time. Where that goes by time, saving
//! takes a fiftieth of the time at most, however slow the disk is: a run rests for 50 times as long as
//! it took. [`SnapshotSink`] is where it is saved: one file with all runs (`solve`), or a file for each
//! (`experiment`).

use std::fmt;
use std::time::{Duration, Instant};

use super::{FitnessHistory, OutputError, RunIdentity, RunSnapshot};
use crate::ga::{ConfigError, Run, RunHandle, StopReason};
use crate::quantity::Interval;

/// Where checkpoints go by time, writing them takes this part of it at most.
pub const TIME_SHARE: u32 = 50;

/// Where runs are saved.
pub trait SnapshotSink: Sync {
    /// What names a run there.
    type Key;

    /// How often a run is saved.
    fn interval(&self) -> Interval;

    /// Whether it takes a run now, of which saving `took` so long the last time.
    fn readiness(&self, took: Duration) -> Readiness;

    /// Whether a run is saved that has ended so; `is_long` if it took longer than an interval.
    fn saves_ended(&self, reason: StopReason, is_long: bool) -> bool;

    /// Saves a run. Gives what failed that is still to be told.
    fn save(
        &self,
        key: &Self::Key,
        snapshot: RunSnapshot,
        standing: &mut RunHandle<'_>,
    ) -> Option<OutputError>;

    /// A run has begun.
    fn begun(&self) {}

    /// A run is over, which had begun or not.
    fn over(&self, _key: &Self::Key, _had_begun: bool) {}
}

/// Whether a sink takes a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Another run is being saved: this one goes on meanwhile.
    Busy,
    /// Nothing was saved yet: the first is saved at once, so that it is known that it can be.
    Empty,
    /// It takes a run that was not saved for so long.
    After(Duration),
}

/// Saves one run whenever that is due.
pub struct RunCheckpointer<'a, S: SnapshotSink> {
    sink: &'a S,
    key: S::Key,
    identity: RunIdentity,
    /// When it was first seen: it may wait before it begins.
    begun: Option<Instant>,
    /// Time that it took before it was resumed.
    before: Duration,
    /// When it was saved last, or begun, and at which generation.
    saved: Instant,
    generation: u32,
    /// How long saving took.
    took: Duration,
}

impl<'a, S: SnapshotSink> RunCheckpointer<'a, S> {
    /// For a run that begins or goes on.
    ///
    /// # Errors
    /// When its islands cannot be.
    pub fn new(sink: &'a S, key: S::Key, run: &Run<'_>) -> Result<Self, ConfigError> {
        let identity = RunIdentity::new(run.space, run.config)?;
        let progress = run.from.map(|from| &from.progress);
        let generation = progress.map_or(0, |progress| progress.generation);
        let before = progress.map_or(Duration::ZERO, |progress| progress.elapsed);
        let (saved, took) = (Instant::now(), Duration::ZERO);
        Ok(Self { sink, key, identity, begun: None, before, saved, generation, took })
    }

    /// Where the run is saved.
    pub fn sink(&self) -> &'a S {
        self.sink
    }

    /// Whether the run is to be saved as it stands.
    pub fn wants(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        let begun = *self.begun.get_or_insert_with(|| {
            self.sink.begun();
            self.saved = Instant::now();
            self.saved
        });
        match (ending, self.sink.interval()) {
            (Some(reason), Interval::Generations(every)) => {
                self.sink.saves_ended(reason, generation >= every)
            }
            (Some(reason), Interval::Time(every)) => {
                self.sink.saves_ended(reason, self.before + begun.elapsed() >= every)
            }
            (None, every) => match (self.sink.readiness(self.took), every) {
                (Readiness::Busy, _) => false,
                (Readiness::Empty, _) => true,
                (_, Interval::Generations(every)) => generation - self.generation >= every,
                (Readiness::After(rest), Interval::Time(every)) => {
                    self.saved.elapsed() >= every.max(rest)
                }
            },
        }
    }

    /// Saves it, and how it went so far. Gives what failed that is still to be told.
    pub fn save(
        &mut self,
        standing: &mut RunHandle<'_>,
        history: Option<&FitnessHistory>,
    ) -> Option<OutputError> {
        let start = Instant::now();
        let progress = standing.progress().clone();
        self.generation = progress.generation;
        let (identity, history) = (self.identity.clone(), history.cloned());
        let snapshot = RunSnapshot { identity, progress, history };
        let failed = self.sink.save(&self.key, snapshot, standing);
        (self.saved, self.took) = (Instant::now(), start.elapsed());
        failed
    }
}

impl<S: SnapshotSink> Drop for RunCheckpointer<'_, S> {
    fn drop(&mut self) {
        self.sink.over(&self.key, self.begun.is_some());
    }
}

impl<S: SnapshotSink> fmt::Debug for RunCheckpointer<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunCheckpointer")
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}
