//! A pool of workers, which carries jobs out: each has a share of the threads, and takes the next of the items.
//!
//! One thread reads items, each worker has a thread of its own, and the caller's thread takes what
//! came of them, in the order of the items or as they are completed. No more than a window of items is
//! between the first and the last of these: a list of a million lines takes the memory of a few,
//! and what is read from a pipe is worked on at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::batch::BatchQueue;
use super::worker::WorkerRole;
use super::{Backend, SolveError, Worker};
use crate::ga::{Observer, Outcome, RunJob};
use crate::util::ordered_parallel::{
    ResultOrder, WorkerHandle, one_by_one, parallel_map, parallel_workers,
};

/// Items under way, and finished ones that wait for those before them, for each worker.
const WINDOW: usize = 64;

/// The same for each run of a batch: some take many times as long as most, and the others need not wait.
const AHEAD: usize = 16;
/// Runs of a batch at most, as far as the window goes by them.
const MOST_BATCHED: usize = 4096;

/// The work of a worker on another rank, which is handed one item after the other.
pub type WorkFn<'e, I, R> = Box<dyn FnMut(I) -> R + Send + 'e>;

/// What is to be done for an item.
#[derive(Debug)]
pub enum PoolItem<W, R> {
    /// A run.
    Run(RunJob<W>),
    /// Nothing: its result is there.
    Ready(R),
}

/// What comes before a run, and after it: both on the worker's thread.
pub trait Jobs<I>: Sync {
    /// Who watches runs.
    type Observer: Observer + Send;
    /// What comes of an item.
    type Result: Send;

    /// What is to be done for an item.
    fn prepare(&self, item: I) -> PoolItem<Self::Observer, Self::Result>;

    /// The result of a run that was carried out by a worker with so many threads.
    fn finish(
        &self,
        job: RunJob<Self::Observer>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> Self::Result;
}

/// Runs that a worker receives, and the results that it submits.
struct WorkerQueue<'a, I, J: Jobs<I>> {
    handle: &'a WorkerHandle<I, J::Result>,
    jobs: &'a J,
    threads: usize,
}

impl<I, J: Jobs<I>> BatchQueue<J::Observer> for WorkerQueue<'_, I, J> {
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<J::Observer>)> {
        loop {
            let item = if wait { self.handle.recv() } else { self.handle.try_recv() };
            let (number, item) = item?;
            match self.jobs.prepare(item) {
                PoolItem::Run(job) => return Some((number, job)),
                PoolItem::Ready(result) => self.handle.submit(number, result),
            };
        }
    }

    fn ended(
        &mut self,
        number: u64,
        job: RunJob<J::Observer>,
        outcome: Result<Outcome, SolveError>,
    ) {
        self.handle.submit(number, self.jobs.finish(job, outcome, self.threads));
    }
}

/// Workers that share the threads.
pub struct Pool<'a> {
    workers: Vec<Worker<'a>>,
    /// Runs of a batch at most.
    most: usize,
    /// Items under way, and finished ones that wait, where runs go in batches.
    ahead: usize,
}

impl<'a> Pool<'a> {
    /// So many workers with so many threads together, of which each has at least one and the first
    /// ones one more where they cannot be shared alike. Of several backends each worker has the next.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, workers: usize, threads: usize) -> Result<Self, SolveError> {
        let mut pool = Self { workers: Vec::new(), most: 1, ahead: 0 };
        pool.add(backend, WorkerRole::Alone, workers, threads)?;
        Ok(pool)
    }

    /// Workers for `runs` runs, as far as is known, in batches: one for each of several backends; with
    /// [`auto`](Backend::auto) one for the GPU, and `cores` for the CPU.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn batched(
        backend: &'a Backend,
        cores: usize,
        runs: usize,
        threads: usize,
    ) -> Result<Self, SolveError> {
        let ahead = AHEAD.saturating_mul(runs.min(MOST_BATCHED));
        let gpus = backend.members().len().min(runs).max(1);
        // A worker that took all of a few runs would leave nothing to the others; a GPU does more at a time
        // than a core beside it.
        let most = runs.div_ceil(if backend.is_auto() { 2 } else { gpus });
        let mut pool = Self { workers: Vec::new(), most, ahead };
        if backend.is_auto() {
            pool.add(backend, WorkerRole::Batches, 1, 1)?;
            pool.add(backend, WorkerRole::Cpu, cores, threads)?;
        } else {
            pool.add(backend, WorkerRole::Batches, gpus, threads)?;
        }
        Ok(pool)
    }

    fn add(
        &mut self,
        backend: &'a Backend,
        role: WorkerRole,
        workers: usize,
        threads: usize,
    ) -> Result<(), SolveError> {
        let workers = workers.max(1);
        for worker in 0..workers {
            let share = threads / workers + usize::from(worker < threads % workers);
            self.workers.push(Worker::with_role(backend.member(worker), role, share.max(1))?);
        }
        Ok(())
    }

    /// Has the runs of all items carried out by the pool's workers and by those on other ranks, and
    /// `take` called with what came of them; `Break` ends it all. Each run is the same as alone. Returns how many were under way at a time at most.
    pub fn execute<I: Send, J: Jobs<I>>(
        &mut self,
        remote: Vec<WorkFn<'_, I, J::Result>>,
        items: impl Iterator<Item = I> + Send,
        order: ResultOrder,
        interrupted: &AtomicBool,
        jobs: &J,
        take: impl FnMut(J::Result) -> ControlFlow<()>,
    ) -> usize {
        let at_once = &AtomicUsize::new(remote.len());
        let most = self.most;
        let window = self.ahead.max(WINDOW * (self.workers.len() + remote.len()));
        type Body<'b, I, R> = Box<dyn FnOnce(&WorkerHandle<I, R>) + Send + 'b>;
        let here = self.workers.iter_mut().map(|worker| -> Body<'_, I, J::Result> {
            Box::new(move |handle| {
                let queue = &mut WorkerQueue { handle, jobs, threads: worker.threads() };
                at_once.fetch_add(worker.run_batches(most, interrupted, queue), Ordering::Relaxed);
            })
        });
        let remote =
            remote.into_iter().map(|work| -> Body<'_, I, J::Result> { Box::new(one_by_one(work)) });
        parallel_workers(items, here.chain(remote), window, order, take);
        at_once.load(Ordering::Relaxed)
    }

    /// Has `work` done on every item by any of the workers, and `take` called with what came of
    /// it; `Break` ends it all. An item that was begun is done before this returns.
    pub fn run<I: Send, R: Send>(
        &mut self,
        items: impl Iterator<Item = I> + Send,
        order: ResultOrder,
        work: impl Fn(&mut Worker<'a>, I) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        self.run_with(Vec::new(), items, order, work, take);
    }

    /// The same with workers on other ranks beside the pool's own.
    pub(crate) fn run_with<I: Send, R: Send>(
        &mut self,
        remote: Vec<WorkFn<'_, I, R>>,
        items: impl Iterator<Item = I> + Send,
        order: ResultOrder,
        work: impl Fn(&mut Worker<'a>, I) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        let work = &work;
        let window = WINDOW * (self.workers.len() + remote.len());
        let here = self
            .workers
            .iter_mut()
            .map(|worker| -> WorkFn<'_, I, R> { Box::new(move |item| work(worker, item)) });
        parallel_map(items, here.chain(remote).collect(), window, order, take);
    }
}
