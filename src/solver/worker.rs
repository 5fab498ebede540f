//! A worker: threads of its own, and what scores on them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::backend::Maker;
use super::balance::{Done, Part, Quota};
use super::together::{Client, Site, evolve_together};
use super::{Backend, SolveError};
use crate::board::Geometry;
use crate::fitness::{EvaluatorError, Pipeline};
use crate::ga::{BatchEngine, Observer, Outcome, Run, RunState};

/// Does one run after the other on a backend.
pub struct Worker<'a> {
    backend: &'a Backend,
    threads: ThreadPool,
    /// One for each shape: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipeline>,
}

impl<'a> Worker<'a> {
    /// A worker with so many threads, or one a core if 0. Of several backends it has the first.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, threads: usize) -> Result<Self, SolveError> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { backend: backend.part(0), threads, pipelines: HashMap::new() })
    }

    /// Where it does its runs.
    pub fn backend(&self) -> &'a Backend {
        self.backend
    }

    /// Threads that it has.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Evolves until something ends the run.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot begin or go on; running out of budget is no error.
    pub fn evolve(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        Ok(self.with_engine(run, |make| run.evolve_on(make, observer))??)
    }

    /// Does something on its threads with what makes the engine of a run.
    ///
    /// # Errors
    /// [`SolveError`] when there is nothing that scores such boards.
    pub fn with_engine<R: Send>(
        &mut self,
        run: &Run<'_>,
        body: impl for<'e> FnOnce(Maker<'e>) -> R + Send,
    ) -> Result<R, SolveError> {
        let Self { backend, threads, pipelines } = self;
        let pipeline = pipeline(backend, pipelines, run)?;
        Ok(threads.install(|| backend.with_engine(run, pipeline, body)))
    }

    /// Carries out all runs of a client, up to `most` of them together where the backend can, as its
    /// part of those who do; returns how many were under way at a time at most.
    pub(super) fn evolve_together<W: Observer + Send>(
        &mut self,
        most: usize,
        part: Part<'_>,
        interrupted: &AtomicBool,
        client: &mut dyn Client<W>,
    ) -> usize {
        evolve_together(&mut Seats { worker: self, most, part }, interrupted, client)
    }
}

/// What scores the boards of a run.
fn pipeline<'a>(
    backend: &Backend,
    pipelines: &'a mut HashMap<Geometry, Pipeline>,
    run: &Run<'_>,
) -> Result<&'a mut Pipeline, SolveError> {
    let geometry = run.space.geometry();
    Ok(match pipelines.entry(geometry) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(backend.pipeline(geometry)?),
    })
}

/// A worker, and how many runs it carries out together at most.
struct Seats<'a, 'b> {
    worker: &'a mut Worker<'b>,
    most: usize,
    part: Part<'a>,
}

impl Site for Seats<'_, '_> {
    fn ensemble(&mut self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>> {
        if let Part::Core(_) = self.part {
            return None;
        }
        let ensemble = self.worker.backend.ensemble(run, self.most)?;
        if let Part::Beside(beside) = &mut self.part {
            beside.begin(run, ensemble.seats());
        }
        Some(ensemble)
    }

    fn take(&mut self, ensemble: &mut dyn BatchEngine, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        self.worker.threads.install(|| ensemble.take(runs))
    }

    fn quota(&mut self, done: Done) -> Option<Quota> {
        match &mut self.part {
            Part::Beside(beside) => Some(beside.quota(done)),
            Part::Whole | Part::Core(_) => None,
        }
    }

    fn is_beside(&self) -> bool {
        matches!(self.part, Part::Beside(_))
    }

    fn alone(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        match self.part.tally() {
            Some(tally) => self.worker.evolve(run, &mut tally.counted(run, observer)),
            None => self.worker.evolve(run, observer),
        }
    }

    fn recover(
        &mut self,
        run: &Run<'_>,
        evolution: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        let Worker { backend, threads, pipelines } = &mut *self.worker;
        let pipeline = pipeline(backend, pipelines, run)?;
        let go_on = || backend.go_on(run, evolution, fault, restarts, pipeline, observer);
        Ok(threads.install(go_on)?)
    }
}
