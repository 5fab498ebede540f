//! The seat of a run of an experiment: it is kept when it is due.
//!
//! Whether it is due goes by the time since it was kept last. All runs together write for a fiftieth of
//! the time at most: one that took so long waits for as many times that as runs are under way.

use std::fmt;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::checkpoints::{Checkpoints, WrittenHead};
use crate::board::SearchSpace;
use crate::checkpoint::{KeptFile, Kind, SHARE, UnderWay, for_each_island, write};
use crate::ga::{Config, RunCounters, RunHandle, RunJob, StopReason};
use crate::quantity::Interval;
use crate::report::FitnessHistory;

/// Keeps one run.
pub(super) struct Seat<'a> {
    checkpoints: &'a Checkpoints<'a>,
    run: String,
    space: Arc<SearchSpace>,
    config: Arc<Config>,
    /// When it was first seen: jobs may wait before they begin.
    begun: Option<Instant>,
    /// Time that it took before.
    before: Duration,
    /// When it was kept last, or begun, and at which generation.
    since: Instant,
    generation: u32,
    /// How long writing took.
    took: Duration,
}

impl<'a> Seat<'a> {
    /// That of the run of a job.
    pub fn new<W>(checkpoints: &'a Checkpoints<'a>, run: String, job: &RunJob<W>) -> Self {
        let progress = job.from.as_ref().map(|from| &from.progress);
        Self {
            checkpoints,
            run,
            space: job.space.clone(),
            config: job.config.clone(),
            begun: None,
            before: progress.map_or(Duration::ZERO, |progress| progress.elapsed),
            since: Instant::now(),
            generation: progress.map_or(0, |progress| progress.generation),
            took: Duration::ZERO,
        }
    }

    /// Whether the run is to be kept as it stands.
    pub fn wants(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        let begun = *self.begun.get_or_insert_with(|| {
            self.since = Instant::now();
            self.checkpoints.begun.fetch_add(1, Ordering::Relaxed);
            self.since
        });
        match (ending, self.checkpoints.every) {
            (None, Interval::Generations(every)) => generation - self.generation >= every,
            (None, Interval::Time(every)) => {
                let runs = self.checkpoints.begun.load(Ordering::Relaxed);
                let rest = self.took * SHARE * u32::try_from(runs).unwrap_or(u32::MAX);
                self.since.elapsed() >= every.max(rest)
            }
            // A short one is as soon done anew.
            (Some(StopReason::Interrupted), Interval::Generations(every)) => generation >= every,
            (Some(StopReason::Interrupted), Interval::Time(every)) => {
                self.before + begun.elapsed() >= every
            }
            (Some(_), _) => false,
        }
    }

    /// Keeps it.
    pub fn keep(&mut self, view: &mut RunHandle<'_>, course: &FitnessHistory) {
        let start = Instant::now();
        self.generation = view.progress().generation;
        let written = self.write(view, course);
        self.checkpoints.wrote(&self.run, written);
        (self.since, self.took) = (Instant::now(), start.elapsed());
    }

    fn write(&self, view: &mut RunHandle<'_>, course: &FitnessHistory) -> io::Result<()> {
        let progress: &RunCounters = view.progress();
        let under_way = UnderWay::new(&self.space, &self.config, progress, Some(course));
        let under_way = under_way.map_err(io::Error::other)?;
        let packing = under_way.packing().ok_or_else(|| io::Error::other("it has no shape"))?;
        let head = WrittenHead { run: &self.run, under_way: &under_way };
        let bytes = packing.bytes(&under_way.sizes);
        match fs::create_dir(self.checkpoints.folder()) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let file =
            KeptFile::new(&self.checkpoints.path(&self.run)).map_err(|failed| failed.error)?;
        // What is there is the run's own, from before.
        file.hold();
        let written = file.replace(|to| {
            write(to, Kind::Experiment, &head, bytes, |to| {
                for_each_island(view, &mut |boards, fitness| packing.write(boards, fitness, to))
            })
        });
        written.map_err(|failed| failed.error)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if self.begun.is_some() {
            self.checkpoints.begun.fetch_sub(1, Ordering::Relaxed);
        }
        self.checkpoints.left(&self.run);
    }
}

impl fmt::Debug for Seat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").field("run", &self.run).finish_non_exhaustive()
    }
}
