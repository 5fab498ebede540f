//! A worker: threads of its own, and what scores on them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::batch::{BatchHost, BatchQueue, run_batches};
use super::{Backend, EngineFactory, SolveError};
use crate::board::Geometry;
use crate::fitness::{EvaluatorError, Pipeline};
use crate::ga::{BatchEngine, CpuEngine, Engine, Observer, Outcome, Run, RunState};

/// Does one run after the other on a backend.
pub struct Worker<'a> {
    backend: &'a Backend,
    role: WorkerRole,
    threads: ThreadPool,
    /// One for each shape: a device that failed once is not tried again.
    pipelines: HashMap<Geometry, Pipeline>,
}

/// What a worker does of what its backend can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerRole {
    /// One run after the other.
    Alone,
    /// Runs in batches, and alone those that cannot go into one; these on the CPU where the backend is `auto`.
    Batches,
    /// Runs on the CPU, beside a worker that has others in batches.
    Cpu,
}

impl<'a> Worker<'a> {
    /// A worker with so many threads, or one a core if 0. Of several backends it has the first.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, threads: usize) -> Result<Self, SolveError> {
        Self::with_role(backend, WorkerRole::Alone, threads)
    }

    pub(super) fn with_role(
        backend: &'a Backend,
        role: WorkerRole,
        threads: usize,
    ) -> Result<Self, SolveError> {
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { backend: backend.member(0), role, threads, pipelines: HashMap::new() })
    }

    /// Where it does its runs.
    pub fn backend(&self) -> &'a Backend {
        self.backend
    }

    /// Threads that it has.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Carries a run out until something ends it.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot begin or go on; running out of budget is no error.
    pub fn run(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        Ok(self.with_engine(run, |make| run.execute_on(make, observer))??)
    }

    /// Does something on its threads with what makes the engine of a run.
    ///
    /// # Errors
    /// [`SolveError`] when there is nothing that scores such boards.
    pub fn with_engine<R: Send>(
        &mut self,
        run: &Run<'_>,
        body: impl for<'e> FnOnce(EngineFactory<'e>) -> R + Send,
    ) -> Result<R, SolveError> {
        let Self { backend, role, threads, pipelines } = self;
        let pipeline = pipeline(backend, pipelines, run)?;
        let on_cpu = backend.is_auto() && *role != WorkerRole::Alone;
        Ok(threads.install(|| match on_cpu {
            false => backend.with_engine(run, pipeline, body),
            true => body(Box::new(|| {
                CpuEngine::new(run, pipeline).map(|engine| Box::new(engine) as Box<dyn Engine>)
            })),
        }))
    }

    /// Carries out all runs of a queue, up to `most` of them in a batch where it batches; returns
    /// how many were under way at a time at most.
    pub(super) fn run_batches<W: Observer + Send>(
        &mut self,
        most: usize,
        interrupted: &AtomicBool,
        queue: &mut dyn BatchQueue<W>,
    ) -> usize {
        run_batches(&mut WorkerBatchHost { worker: self, most }, interrupted, queue)
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

/// A worker, and how many runs it carries out in a batch at most.
struct WorkerBatchHost<'a, 'b> {
    worker: &'a mut Worker<'b>,
    most: usize,
}

impl BatchHost for WorkerBatchHost<'_, '_> {
    fn batch_engine(&mut self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>> {
        match self.worker.role {
            WorkerRole::Alone | WorkerRole::Cpu => None,
            WorkerRole::Batches => self.worker.backend.batch_engine(run, self.most),
        }
    }

    fn take(&mut self, engine: &mut dyn BatchEngine, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        self.worker.threads.install(|| engine.take(runs))
    }

    fn alone(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        self.worker.run(run, observer)
    }

    fn recover(
        &mut self,
        run: &Run<'_>,
        evolution: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        let Worker { backend, threads, pipelines, .. } = &mut *self.worker;
        let pipeline = pipeline(backend, pipelines, run)?;
        let resume = || backend.resume_on_cpu(run, evolution, fault, restarts, pipeline, observer);
        Ok(threads.install(resume)?)
    }
}
