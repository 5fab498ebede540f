//! A pool of jobs: several workers, each with a share of the threads, and items that they work on.
//!
//! One thread reads items, each worker has a thread of its own, and the caller's thread takes what
//! came of them, in the order of the items or as they are done. No more than a window of items is
//! between the first and the last of these: a list of a million lines takes the memory of a few,
//! and what is read from a pipe is worked on at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::balance::{Beside, Part, Tally};
use super::together::Client;
use super::{Backend, SolveError, Worker};
use crate::ga::{Observer, Outcome, RunJob};
use crate::spread::{Delivery, Desk, spread, spread_at_desks};

/// Items under way, and finished ones that wait for those before them, for each worker.
const WINDOW: usize = 64;

/// The same for each run of those that are carried out together: some take many times as long as
/// most, and the others need not wait.
const AHEAD: usize = 16;
/// Runs that are carried out together at most, as far as the window goes by them.
const MOST_TOGETHER: usize = 4096;

/// A worker that is elsewhere, which is handed one item after the other.
pub type Elsewhere<'e, I, R> = Box<dyn FnMut(I) -> R + Send + 'e>;

/// What is to be done for an item.
#[derive(Debug)]
pub enum Errand<W, R> {
    /// A run.
    Run(RunJob<W>),
    /// Nothing: its result is there.
    Answered(R),
}

/// Runs from a desk, and results for it.
struct Errands<'a, W, R, F> {
    desk: &'a Desk<'a, Errand<W, R>, R>,
    finish: &'a F,
}

impl<W, R, F> Client<W> for Errands<'_, W, R, F>
where
    F: Fn(RunJob<W>, Result<Outcome, SolveError>) -> R,
{
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<W>)> {
        loop {
            let item = if wait { self.desk.wait() } else { self.desk.look() };
            match item? {
                (number, Errand::Run(job)) => return Some((number, job)),
                (number, Errand::Answered(result)) => self.desk.hand_in(number, result),
            };
        }
    }

    fn ended(&mut self, number: u64, job: RunJob<W>, outcome: Result<Outcome, SolveError>) {
        self.desk.hand_in(number, (self.finish)(job, outcome));
    }

    fn idle(&self) -> usize {
        self.desk.idle()
    }

    fn give_back(&mut self, number: u64, job: RunJob<W>) {
        self.desk.give_back(number, Errand::Run(job));
    }

    fn rest(&mut self, time: Duration) -> bool {
        self.desk.rest(time)
    }
}

/// Workers that share the threads.
pub struct Pool<'a> {
    workers: Vec<Worker<'a>>,
    /// Whether the first has a GPU beside the cores, which the others have.
    is_joint: bool,
}

impl<'a> Pool<'a> {
    /// So many workers with so many threads together, of which each has at least one and the first
    /// ones one more where they cannot be shared alike. Of several backends each worker has the next.
    ///
    /// # Errors
    /// [`SolveError::Threads`] when the system does not give as many.
    pub fn new(backend: &'a Backend, workers: usize, threads: usize) -> Result<Self, SolveError> {
        let workers = workers.max(1);
        let share = |worker| threads / workers + usize::from(worker < threads % workers);
        let workers =
            (0..workers).map(|worker| Worker::new(backend.part(worker), share(worker).max(1)));
        Ok(Self { workers: workers.collect::<Result<_, _>>()?, is_joint: false })
    }

    /// The same with another worker, who carries out as many runs on the backend's GPU as get the most
    /// done beside those of the cores ([`Backend::is_joint`]).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn joint(backend: &'a Backend, workers: usize, threads: usize) -> Result<Self, SolveError> {
        let mut pool = Self::new(backend, workers, threads)?;
        pool.workers.insert(0, Worker::new(backend, 1)?);
        Ok(Self { is_joint: true, ..pool })
    }

    /// Workers in it.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Has the runs of all items carried out together where the backend can do so, up to `most` at
    /// a time, and one after the other where it cannot; `finish` makes a result of what came of a
    /// run, and `take` is called with it as by [`run`](Self::run). Each run is the same as alone.
    /// Returns how many were under way at a time at most.
    pub fn run_together<W: Observer + Send, R: Send>(
        &mut self,
        items: impl Iterator<Item = Errand<W, R>> + Send,
        most: usize,
        delivery: Delivery,
        interrupted: &AtomicBool,
        finish: impl Fn(RunJob<W>, Result<Outcome, SolveError>) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<()>,
    ) -> usize {
        let (finish, together) = (&finish, &AtomicUsize::new(0));
        // A worker that took all of a few runs would leave nothing to the others; one beside the cores
        // gives back what they can do.
        let each = if self.is_joint { most } else { most.div_ceil(self.workers.len()) };
        let window = WINDOW.max(AHEAD.saturating_mul(most.min(MOST_TOGETHER)));
        let (tally, is_joint) = (&Tally::default(), self.is_joint);
        let workers = self.workers.iter_mut().enumerate().map(|(number, worker)| {
            move |desk: &Desk<'_, Errand<W, R>, R>| {
                let backend = worker.backend();
                let (name, tell) = (&*backend.name(), &|line: &str| backend.say(line));
                let part = match number {
                    _ if !is_joint => Part::Whole,
                    0 => Part::Beside(Box::new(Beside { name, tally, tell, since: None })),
                    _ => Part::Core(tally),
                };
                let client = &mut Errands { desk, finish };
                let most = worker.evolve_together(each, part, interrupted, client);
                together.fetch_add(most, Ordering::Relaxed);
            }
        });
        spread_at_desks(items, workers.collect(), window, delivery, take);
        together.load(Ordering::Relaxed)
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
        self.run_beside(Vec::new(), items, delivery, work, take);
    }

    /// The same with workers beside the pool's own, who are elsewhere.
    pub fn run_beside<I: Send, R: Send>(
        &mut self,
        elsewhere: Vec<Elsewhere<'_, I, R>>,
        items: impl Iterator<Item = I> + Send,
        delivery: Delivery,
        work: impl Fn(&mut Worker<'a>, I) -> R + Sync,
        take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        let work = &work;
        let window = WINDOW * (self.workers.len() + elsewhere.len());
        let here = self
            .workers
            .iter_mut()
            .map(|worker| -> Elsewhere<'_, I, R> { Box::new(move |item| work(worker, item)) });
        spread(items, here.chain(elsewhere).collect(), window, delivery, take);
    }
}
