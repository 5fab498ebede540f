//! The runner: does the runs that are missing, several at a time.
//!
//! Each of `jobs` workers of the pool takes the next run of the plan. Which worker does a run, and
//! when, changes nothing about it.

mod error;
mod job;
mod observer;
mod subset;

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use error::AnyError;
pub use error::{Completion, RunnerError};
use job::PlannedRuns;
pub use subset::RunSubset;

use super::run_index::RunIndex;
use super::{Cell, Checkpoints, Method, Plan, RemoteRunner, Results, RunResult, Shard};
use crate::run::{Backend, Pool, WorkFn};
use crate::util::ordered_parallel::ResultOrder;

/// Does the runs of a plan.
pub struct Runner<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Where runs happen.
    pub backend: &'a Backend,
    /// Runs at a time.
    pub jobs: usize,
    /// Threads of all of them together.
    pub threads: usize,
    /// Set by whoever wants the experiment to end; the runner sets it when a run fails.
    pub interrupted: &'a AtomicBool,
    /// Which of the missing runs are done.
    pub part: RunSubset,
    /// Where runs are kept that take long, if they are.
    pub checkpoints: Option<&'a Checkpoints<'a>>,
}

/// The result of a run, if it was not interrupted.
pub(super) type RunEnd = Result<Option<RunResult>, RunnerError>;

/// A run by its number, and how it ended.
type Done = (usize, RunEnd);

/// Is told of every finished run, by its number; an error ends the experiment.
pub type RunWatcher<'f> = dyn for<'r> FnMut(&mut Results<'r>, usize) -> Result<(), AnyError> + 'f;

impl Runner<'_> {
    /// Runs at a time: one after the other where a device carries out a run by itself.
    pub fn seats(&self) -> usize {
        if self.backend.is_gpu() { self.backend.members().len() } else { self.jobs.max(1) }
    }

    /// Does what is missing in `results`.
    ///
    /// # Errors
    /// [`RunnerError`] when a run or the machine fails; running out of budget is no error.
    pub fn run(
        &self,
        results: &mut Results<'_>,
        finished: &mut RunWatcher<'_>,
    ) -> Result<Completion, RunnerError> {
        self.run_with(Vec::new(), results, finished)
    }

    /// The same beside other processes that have the same plan.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_with(
        &self,
        remote: Vec<RemoteRunner<'_>>,
        results: &mut Results<'_>,
        finished: &mut RunWatcher<'_>,
    ) -> Result<Completion, RunnerError> {
        let mut missing = self.missing(results);
        let jobs = self.seats().clamp(1, missing.len().max(1));
        let batched = remote.is_empty() && self.batches(&missing);
        let pool = match batched {
            true => Pool::batched(self.backend, jobs, missing.len(), self.threads),
            false => Pool::new(self.backend, jobs, self.threads),
        };
        let mut pool = pool.map_err(RunnerError::Threads)?;
        let mut ended = Ok(());
        let take = |(run, result): Done| {
            ended = result.and_then(|result| {
                let Some(result) = result else { return Ok(()) };
                results.insert(run, result);
                finished(results, run).map_err(RunnerError::Told)
            });
            if ended.is_ok() {
                return ControlFlow::Continue(());
            }
            self.interrupted.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        };
        if batched {
            // Those that can go into one batch one after the other: of each kind the first seed of every
            // cell, then the second.
            let kinds = self.kinds();
            missing.sort_by_key(|number| kinds[self.plan.run(*number).0]);
        }
        let asked = &LazyLock::new(|| RunIndex::of(self.plan));
        let remote = remote.into_iter().map(|mut remote| -> WorkFn<'_, usize, Done> {
            Box::new(move |run| (run, self.run_remote(asked, &mut remote, run)))
        });
        let jobs =
            PlannedRuns { runner: self, shared: batched.then(|| self.backend.info(self.threads)) };
        let (items, order) = (missing.into_iter(), ResultOrder::AsCompleted);
        pool.execute(remote.collect(), items, order, self.interrupted, &jobs, take);
        ended?;
        let complete = self.missing(results).is_empty();
        Ok(if complete { Completion::Complete } else { Completion::Interrupted })
    }

    /// Whether these runs go in batches to a GPU. Beside one that only may be taken, exact methods have the
    /// cores.
    fn batches(&self, runs: &[usize]) -> bool {
        let cells = runs.iter().map(|number| &self.plan.cells[self.plan.run(*number).0]);
        let is_exact = |cell: &Cell| matches!(cell.method, Method::Exact(_));
        (self.backend.is_gpu() || !cells.clone().any(is_exact))
            && self.backend.batches(cells.map(|cell| &cell.config), runs.len())
    }

    /// Of each cell the first one whose runs can go together with its own.
    fn kinds(&self) -> Vec<usize> {
        let mut firsts: Vec<usize> = Vec::new();
        let cells = &self.plan.cells;
        let together = |one: &Cell, other: &Cell| {
            one.puzzle.geometry == other.puzzle.geometry
                && self.backend.can_batch(&one.config, &other.config)
        };
        let kind = |(number, cell)| {
            let known = firsts.iter().find(|first| together(&cells[**first], cell)).copied();
            known.unwrap_or_else(|| {
                firsts.push(number);
                number
            })
        };
        cells.iter().enumerate().map(kind).collect()
    }

    /// The runs to do: the first seed of every cell, then the second, so that what is finished at
    /// any time is a smaller experiment of its own.
    pub fn missing(&self, results: &Results<'_>) -> Vec<usize> {
        let mut missing = results.missing();
        if let Some(shard) = self.part.shard {
            let owners = Shard::owners(self.plan, shard.of());
            missing.retain(|number| owners[*number] == shard.index());
        }
        missing.retain(|number| {
            let (cell, run) = self.plan.run(*number);
            self.part.holds(&self.plan.cells[cell], run)
        });
        missing.sort_by_key(|number| (self.plan.run(*number).1, *number));
        missing
    }
}
