//! The executor: carries out the runs of all commands, on threads, in batches on a GPU, and on other ranks.
//!
//! ```text
//! items -> Jobs::prepare -> worker with threads of its own, or with batches on a GPU -> Jobs::finish -> take
//!     \-> worker on another rank ------------------------------------------------------------------/
//! ```
//!
//! One thread reads items, each worker has threads of its own and takes the next item, and the caller's thread
//! takes results, in the order of the items or as runs end. No more than a window of items is between the first
//! and the last of these: a list of a million lines takes the memory of a few, and a puzzle that is read from
//! a pipe is solved at once. Which worker carries out a run, and when, changes nothing about it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rayon::ThreadPool;

use super::batch::work;
use super::worker::{IslandExecutor, Worker, WorkerRole};
use super::{Backend, Jobs, SolveError};
use crate::ga::{Observer, Outcome, Run, RunError};
use crate::util::ordered_parallel::{ResultOrder, WorkerHandle, ordered_queue};
use crate::util::threads::{pool_of_at_most, spawn_scoped};

/// Items under way, and finished ones that wait for those before them, for each worker.
const WINDOW: usize = 64;

/// The same for each run of a batch: some take many times as long as most, and the others need not wait.
const AHEAD: usize = 16;
/// Runs of a batch at most, as far as the window goes by them.
const MOST_BATCHED: usize = 4096;

/// Has each worker `work` on threads of its own pool while the caller's thread carries out `body`.
fn in_pools<T: Send, R: Send>(
    workers: &mut [(ThreadPool, Worker<'_>)],
    handle: WorkerHandle<T, R>,
    work: &(impl Fn(&mut Worker<'_>, &WorkerHandle<T, R>) + Sync),
    body: impl FnOnce(),
) {
    let Some(((pool, worker), others)) = workers.split_first_mut() else {
        drop(handle);
        return body();
    };
    let own = handle.clone();
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| work(worker, &own));
        in_pools(others, handle, work, body);
    });
}

/// A worker on another rank.
pub struct RemoteWorker<'e> {
    /// The name of its rank in messages, as in `rank 1`.
    pub node: String,
    /// Carries out there the run that a text describes, and waits for the reply.
    pub run: RemoteWork<'e, String, RemoteReply>,
}

/// The reply of another rank to a job: the text of the result, none if the run was interrupted, or the error
/// that it failed with.
pub type RemoteReply = Result<Option<String>, String>;

/// Carries out the run of one item after the other on another rank.
pub type RemoteWork<'e, I, R> = Box<dyn FnMut(I) -> R + Send + 'e>;

/// Workers that share the threads.
pub struct Executor<'a> {
    workers: Vec<(ThreadPool, Worker<'a>)>,
    /// Items under way, and finished ones that wait, where runs go in batches.
    ahead: usize,
}

impl<'a> Executor<'a> {
    /// Workers that share the threads: each has at least one, and the first ones have one more where the threads
    /// cannot be divided equally. With 0 threads a single worker has one a core. Each worker has the next of
    /// several backends.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system starts no thread. Where it starts fewer, there are fewer workers.
    pub fn new(backend: &'a Backend, workers: usize, threads: usize) -> Result<Self, SolveError> {
        let mut executor = Self { workers: Vec::new(), ahead: 0 };
        executor.add(backend, WorkerRole::Alone, workers, threads)?;
        Ok(executor)
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
        let mut executor = Self { workers: Vec::new(), ahead };
        // A worker that took all of a few runs would leave nothing to the others; a GPU does more at a time
        // than a core.
        if backend.is_auto() {
            executor.add(backend, WorkerRole::Batches(runs.div_ceil(2)), 1, 1)?;
            executor.add(backend, WorkerRole::Cpu, cores, threads)?;
        } else {
            executor.add(backend, WorkerRole::Batches(runs.div_ceil(gpus)), gpus, threads)?;
        }
        Ok(executor)
    }

    /// Has the islands of each run shared among ranks.
    pub fn sharing(mut self, islands: Option<&'a dyn IslandExecutor>) -> Self {
        self.workers.iter_mut().for_each(|(_, worker)| worker.islands = islands);
        self
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
            let share = if threads == 0 { 0 } else { share.max(1) };
            match pool_of_at_most(share) {
                // Fewer workers do the same.
                Err(_) if worker > 0 => break,
                pool => self.workers.push((pool?, Worker::with_role(backend.member(worker), role))),
            }
        }
        Ok(())
    }

    /// Carries out the runs of all items with the executor's workers and those on other ranks. Calls `take` with the
    /// number of each item, from 0, and its result; `Break` ends all runs. Each run is the same as alone. Returns
    /// the largest number of runs that were under way at a time.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not start the thread that reads.
    pub fn execute<J: Jobs>(
        &mut self,
        remote: Vec<RemoteWork<'_, J::Item, J::Result>>,
        items: impl Iterator<Item = J::Item> + Send,
        order: ResultOrder,
        interrupted: &AtomicBool,
        jobs: &J,
        mut take: impl FnMut(u64, J::Result) -> ControlFlow<()>,
    ) -> Result<usize, SolveError> {
        let at_once = &AtomicUsize::new(remote.len());
        let window = self.ahead.max(WINDOW * (self.workers.len() + remote.len()));
        let work = |worker: &mut Worker<'_>, handle: &WorkerHandle<_, _>| {
            at_once.fetch_add(work(worker, handle, jobs, interrupted), Ordering::Relaxed);
        };
        thread::scope(|scope| {
            let (reader, handle, mut results) = ordered_queue(window, order);
            spawn_scoped(scope, "reader", move || reader.read(items))?;
            for remote in remote {
                let handle = handle.clone();
                spawn_scoped(scope, "remote", move || handle.map(remote))?;
            }
            in_pools(&mut self.workers, handle, &work, || {
                while let Some(result) = results.next() {
                    if take(results.last_number(), result).is_break() {
                        break;
                    }
                }
                // No more are wanted: the workers end.
                drop(results);
            });
            Ok(())
        })
        .map_err(SolveError::Threads)?;
        Ok(at_once.load(Ordering::Relaxed))
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// The number of threads of all workers.
    pub fn threads(&self) -> usize {
        self.workers.iter().map(|(pool, _)| pool.current_num_threads()).sum()
    }

    /// Carries out one run on the first worker.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot start or continue. A spent budget is not an error.
    pub fn run(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        match self.workers.first_mut() {
            Some((pool, worker)) => pool.install(|| worker.evolve(run, observer)),
            None => Err(RunError::Interrupted.into()),
        }
    }
}
