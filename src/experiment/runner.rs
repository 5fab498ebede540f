//! The runner: does the runs that are missing, several at a time.
//!
//! Each of `jobs` workers of the pool takes the next run of the plan. Which worker does a run, and when, changes nothing about it.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::series::Collector;
use super::{Cell, Method, Plan, Results, RunResult};
use crate::board::presolve;
use crate::evolve::{Overrides, Run, StopReason};
use crate::report::Record;
use crate::solver::{Backend, Pool, SolveError, Worker};
use crate::spread::Delivery;

/// Any error.
type AnyError = Box<dyn Error + Send + Sync>;

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
    pub part: Portion,
}

/// A part of an experiment, the rest of which is left for another time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Portion {
    /// So many seeds of each cell, if not all.
    pub seeds: Option<u32>,
    /// Of the cells of presets, those that have all these values.
    pub only: Vec<Overrides>,
}

impl Portion {
    /// Whether a cell's run, counted from 0, is in it.
    fn holds(&self, cell: &Cell, run: u32) -> bool {
        self.seeds.is_none_or(|seeds| run < seeds)
            && (matches!(cell.method, Method::Exact(_))
                || self.only.iter().all(|set| set.hold_in(&cell.config)))
    }
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is missing.
    Complete,
    /// It was told to.
    Interrupted,
}

/// Why an experiment could not go on. What it has finished is kept.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The system gave no threads.
    #[error(transparent)]
    Threads(SolveError),
    /// A run failed.
    #[error("{puzzle}, {method}, seed {seed}: {error}")]
    Run {
        /// The puzzle's name.
        puzzle: String,
        /// The method's name.
        method: &'static str,
        /// The run's seed.
        seed: u64,
        /// What went wrong.
        error: AnyError,
    },
    /// Whoever was told of a finished run failed.
    #[error("{0}")]
    Told(AnyError),
}

/// Is told of every finished run, by its number; an error ends the experiment.
pub type RunWatcher<'f> = dyn for<'r> FnMut(&mut Results<'r>, usize) -> Result<(), AnyError> + 'f;

impl Runner<'_> {
    /// Does what is missing in `results`.
    ///
    /// # Errors
    /// [`RunnerError`] when a run or the machine fails; running out of budget is no error.
    pub fn run(
        &self,
        results: &mut Results<'_>,
        finished: &mut RunWatcher<'_>,
    ) -> Result<Ending, RunnerError> {
        let missing = self.missing(results);
        let jobs = self.jobs.clamp(1, missing.len().max(1));
        let mut pool = Pool::new(self.backend, jobs, self.threads).map_err(RunnerError::Threads)?;
        let mut ended = Ok(());
        let work = |worker: &mut Worker<'_>, run| (run, self.do_run(worker, run));
        pool.run(missing.into_iter(), Delivery::AsDone, work, |(run, result)| {
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
        });
        ended?;
        let complete = self.missing(results).is_empty();
        Ok(if complete { Ending::Complete } else { Ending::Interrupted })
    }

    /// The runs to do: the first seed of every cell, then the second, so that what is finished at
    /// any time is a smaller experiment of its own.
    pub fn missing(&self, results: &Results<'_>) -> Vec<usize> {
        let mut missing = results.missing();
        missing.retain(|number| {
            let (cell, run) = self.plan.run(*number);
            self.part.holds(&self.plan.cells[cell], run)
        });
        missing.sort_by_key(|number| (self.plan.run(*number).1, *number));
        missing
    }

    /// The result of a run, or nothing if it was interrupted.
    fn do_run(
        &self,
        worker: &mut Worker<'_>,
        number: usize,
    ) -> Result<Option<RunResult>, RunnerError> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let plan = self.plan;
        let (cell_number, place) = plan.run(number);
        let cell = &plan.cells[cell_number];
        let seed = cell.seed(place);
        if let Method::Exact(method) = cell.method {
            let limit = cell.config.time_limit();
            let outcome = method.solve(&cell.puzzle, limit, self.interrupted);
            return Ok(RunResult::exact(cell_number, cell, method, &outcome));
        }
        let failed = |error: AnyError| RunnerError::Run {
            puzzle: cell.puzzle.name.clone(),
            method: cell.method.name(),
            seed,
            error,
        };
        let space =
            presolve(&cell.puzzle, cell.config.presolve).map_err(|error| failed(error.into()))?;
        let run = Run::new(&space, &cell.config, seed, self.interrupted);
        let mut collector = Collector::default();
        let outcome = worker.evolve(&run, &mut collector).map_err(|error| failed(error.into()))?;
        if let (StopReason::Lost, Some(fault)) = (outcome.stop_reason, &outcome.fault) {
            return Err(failed(fault.clone().into()));
        }
        if outcome.stop_reason == StopReason::Interrupted {
            return Ok(None);
        }
        let backend = self.backend.info(worker.threads());
        let record = Record::new(&space, &cell.config, seed, &backend, &outcome);
        Ok(Some(RunResult::new(cell_number, &record, collector.finish())))
    }
}
