//! Decides when a run is saved.
//!
//! A run is saved after a number of generations, or after a time. By time, saving takes at most a fiftieth of
//! the time, however slow the disk is: a run then waits for 50 times as long as saving took. [`SnapshotSink`] is
//! where it is saved: one file with all runs (`solve`), or a file for each (`experiment`).

use std::time::{Duration, Instant};

use super::{FitnessHistory, RunIdentity, RunSnapshot};
use crate::ga::{ConfigError, Run, RunHandle, StopReason};
use crate::util::quantity::Interval;

/// Where checkpoints go by time, writing them takes this part of it at most.
pub const TIME_SHARE: u32 = 50;

/// Where runs are saved.
pub trait SnapshotSink: Sync {
    /// The key of a run there.
    type Key;

    /// How often a run is saved.
    fn interval(&self) -> Interval;

    /// Whether it takes a run now; `took` is how long saving that run took the last time.
    fn readiness(&self, took: Duration) -> Readiness;

    /// Whether a run is saved that has ended so; `is_long` if it took longer than an interval.
    fn saves_ended(&self, reason: StopReason, is_long: bool) -> bool;

    /// Saves a run. Gives a warning that was not given before.
    fn save(
        &self,
        key: &Self::Key,
        snapshot: RunSnapshot,
        standing: &mut RunHandle<'_>,
    ) -> Option<String>;

    /// A run has begun.
    fn begun(&self) {}

    /// A run is over, which had begun or not.
    fn over(&self, _key: &Self::Key, _had_begun: bool) {}
}

/// Whether a sink takes a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Another run is being saved: this one continues meanwhile.
    Busy,
    /// Nothing was saved yet: the first is saved at once, so that it is known that it can be.
    Empty,
    /// It takes a run that was not saved for so long.
    After(Duration),
}

/// Saves one run whenever that is due.
pub struct RunCheckpointer<'a, S: SnapshotSink> {
    /// Where the run is saved.
    pub sink: &'a S,
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
    /// For a run that begins or continues.
    ///
    /// # Errors
    /// When its islands cannot be.
    pub fn new(sink: &'a S, key: S::Key, run: &Run<'_>) -> Result<Self, ConfigError> {
        let identity = RunIdentity::new(run.space, run.config)?;
        let progress = run.resume_from.map(|from| &from.progress);
        let generation = progress.map_or(0, |progress| progress.generation);
        let before = progress.map_or(Duration::ZERO, |progress| progress.elapsed);
        let (saved, took) = (Instant::now(), Duration::ZERO);
        Ok(Self { sink, key, identity, begun: None, before, saved, generation, took })
    }

    /// Whether the run is to be saved now.
    pub fn wants(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        let begun = *self.begun.get_or_insert_with(|| {
            self.sink.begun();
            self.saved = Instant::now();
            self.saved
        });
        let every = self.sink.interval();
        if let Some(reason) = ending {
            let is_long = match every {
                Interval::Generations(every) => generation >= every,
                Interval::Time(every) => self.before + begun.elapsed() >= every,
            };
            return self.sink.saves_ended(reason, is_long);
        }
        match (self.sink.readiness(self.took), every) {
            (Readiness::Busy, _) => false,
            (Readiness::Empty, _) => true,
            (_, Interval::Generations(every)) => generation - self.generation >= every,
            (Readiness::After(rest), Interval::Time(every)) => {
                self.saved.elapsed() >= every.max(rest)
            }
        }
    }

    /// Saves it and its history. Gives a warning that was not given before.
    pub fn save(
        &mut self,
        standing: &mut RunHandle<'_>,
        history: Option<&FitnessHistory>,
    ) -> Option<String> {
        let start = Instant::now();
        let progress = standing.progress.clone();
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::{Config, Preset};

    /// Counts the runs that are under way.
    struct Sink {
        every: Interval,
        readiness: Readiness,
        under_way: AtomicU32,
    }

    impl SnapshotSink for Sink {
        type Key = u8;

        fn interval(&self) -> Interval {
            self.every
        }

        fn readiness(&self, _: Duration) -> Readiness {
            self.readiness
        }

        fn saves_ended(&self, reason: StopReason, is_long: bool) -> bool {
            reason == StopReason::Interrupted && is_long
        }

        fn save(&self, _: &u8, _: RunSnapshot, _: &mut RunHandle<'_>) -> Option<String> {
            None
        }

        fn begun(&self) {
            self.under_way.fetch_add(1, Ordering::Relaxed);
        }

        fn over(&self, _: &u8, had_begun: bool) {
            self.under_way.fetch_sub(u32::from(had_begun), Ordering::Relaxed);
        }
    }

    #[test]
    fn a_run_is_saved_when_it_is_due_and_its_sink_is_ready() {
        use Readiness::{After, Busy, Empty};
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let config = Config::of(Preset::Boxes, &space);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 1, &interrupted);
        let (hour, now) = (Duration::from_secs(3_600), Duration::ZERO);
        let wants = |every, readiness, generation, ending| {
            let sink = Sink { every, readiness, under_way: AtomicU32::new(0) };
            let mut checkpointer = RunCheckpointer::new(&sink, 0, &run).unwrap();
            let wanted = checkpointer.wants(generation, ending);
            assert_eq!(sink.under_way.load(Ordering::Relaxed), 1);
            drop(checkpointer);
            assert_eq!(sink.under_way.load(Ordering::Relaxed), 0);
            wanted
        };
        let tens = Interval::Generations(10);
        assert!(wants(tens, Empty, 1, None) && !wants(tens, Busy, 10, None));
        assert!(!wants(tens, After(now), 9, None) && wants(tens, After(hour), 10, None));
        let (always, hourly) = (Interval::Time(now), Interval::Time(hour));
        assert!(wants(always, After(now), 1, None) && !wants(always, After(hour), 1, None));
        assert!(!wants(hourly, After(now), 1, None));
        let ended = Some(StopReason::Interrupted);
        assert!(wants(always, After(hour), 1, ended) && !wants(hourly, After(now), 1, ended));
        assert!(wants(tens, Busy, 10, ended) && !wants(tens, Empty, 9, ended));
    }
}
