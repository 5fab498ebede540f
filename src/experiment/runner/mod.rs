//! The runner: does the runs that are missing, several at a time.
//!
//! Each of `jobs` workers of the pool takes the next run of the plan. Which worker does a run, and
//! when, changes nothing about it.

mod batch;
mod error;
mod job;
mod observer;
mod subset;

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use error::AnyError;
pub use error::{Completion, RunnerError};
pub use subset::RunSubset;

use super::run_index::RunIndex;
use super::{Checkpoints, Plan, RemoteRunner, Results, RunResult, Shard};
use crate::solver::{Backend, Elsewhere, Pool, Worker};
use crate::spread::Delivery;

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
        if self.backend.is_shared() { self.backend.parts().len() } else { self.jobs.max(1) }
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
        let missing = self.missing(results);
        let shared = self.backend.is_shared();
        let jobs = if shared { self.backend.parts().len() } else { self.jobs };
        let jobs = jobs.clamp(1, missing.len().max(1));
        let mut pool = Pool::new(self.backend, jobs, self.threads).map_err(RunnerError::Threads)?;
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
        if shared && remote.is_empty() {
            self.run_together(&mut pool, missing, take);
        } else {
            let work = |worker: &mut Worker<'_>, run| (run, self.do_run(worker, run));
            let asked = &LazyLock::new(|| RunIndex::of(self.plan));
            let elsewhere = remote.into_iter().map(|mut remote| -> Elsewhere<'_, usize, Done> {
                Box::new(move |run| (run, self.run_remote(asked, &mut remote, run)))
            });
            let (elsewhere, missing) = (elsewhere.collect(), missing.into_iter());
            pool.run_beside(elsewhere, missing, Delivery::AsDone, work, take);
        }
        ended?;
        let complete = self.missing(results).is_empty();
        Ok(if complete { Completion::Complete } else { Completion::Interrupted })
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
