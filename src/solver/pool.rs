//! A pool of jobs: several workers, each with a share of the threads, and items that they work on.
//!
//! One thread reads items, each worker has a thread of its own, and the caller's thread takes what
//! came of them, in the order of the items or as they are done. No more than a window of items is
//! between the first and the last of these: a list of a million lines takes the memory of a few,
//! and what is read from a pipe is worked on at once.

use std::ops::ControlFlow;

use super::{Backend, SolveError, Worker};
use crate::spread::{Delivery, spread};

/// Items under way, and finished ones that wait for those before them, for each worker.
const WINDOW: usize = 64;

/// Workers that share the threads.
pub struct Pool<'a> {
    workers: Vec<Worker<'a>>,
}

impl<'a> Pool<'a> {
    /// So many workers with so many threads together, of which each has at least one and the first
    /// ones one more where they cannot be shared alike.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, workers: usize, threads: usize) -> Result<Self, SolveError> {
        let workers = workers.max(1);
        let share = |worker| threads / workers + usize::from(worker < threads % workers);
        let workers = (0..workers).map(|worker| Worker::new(backend, share(worker).max(1)));
        Ok(Self { workers: workers.collect::<Result<_, _>>()? })
    }

    /// Workers in it.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Has `work` done on every item by any of the workers, and `take` called with what came of
    /// it; `Break` ends it all. An item that was begun is done before this returns.
    pub fn run<I: Send, R: Send>(
        &mut self,
        items: impl Iterator<Item = I> + Send,
        delivery: Delivery,
        work: impl Fn(&mut Worker<'a>, I) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        let work = &work;
        let window = WINDOW * self.workers.len();
        let workers = self.workers.iter_mut().map(|worker| move |item| work(worker, item));
        spread(items, workers.collect(), window, delivery, take);
    }
}
