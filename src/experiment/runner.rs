//! The runner: does the runs that are missing, several at a time.
//!
//! Each of `jobs` workers of the pool takes the next run of the plan. Which worker does a run, and when, changes nothing about it.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::asked::Asked;
use super::only::all_hold;
use super::series::Collector;
use super::{Cell, Method, Only, Plan, Results, RunResult, Shard};
use crate::board::{SearchSpace, presolve};
use crate::evolve::{GenerationReport, Job, Observer, Outcome, Run, StopReason};
use crate::ranks::Away;
use crate::report::Record;
use crate::solver::{Backend, Elsewhere, Errand, Pool, SolveError, Worker};
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
    /// Of the cells those that are meant; all if nothing is named.
    pub only: Vec<Only>,
    /// The runs of this shard, if not all.
    pub shard: Option<Shard>,
}

impl Portion {
    /// Whether a cell's run, counted from 0, is in it, whatever the shard.
    fn holds(&self, cell: &Cell, run: u32) -> bool {
        self.seeds.is_none_or(|seeds| run < seeds) && all_hold(&self.only, cell)
    }
}

/// The result of a run, if it was not interrupted.
pub(super) type RunEnd = Result<Option<RunResult>, RunnerError>;

/// A run by its number, and how it ended.
type Done = (usize, RunEnd);

/// The series of a run, and the run's number.
struct Numbered {
    number: usize,
    collector: Collector,
}

impl Observer for Numbered {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.collector.generation(report)
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
    ) -> Result<Ending, RunnerError> {
        self.lead(Vec::new(), results, finished)
    }

    /// The same with workers on other ranks, who [follow](Self::follow) with the same plan.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn lead(
        &self,
        crew: Vec<Away<'_>>,
        results: &mut Results<'_>,
        finished: &mut RunWatcher<'_>,
    ) -> Result<Ending, RunnerError> {
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
        if shared && crew.is_empty() {
            self.run_together(&mut pool, missing, take);
        } else {
            let work = |worker: &mut Worker<'_>, run| (run, self.do_run(worker, run));
            let asked = &LazyLock::new(|| Asked::of(self.plan));
            let elsewhere = crew.into_iter().map(|mut away| -> Elsewhere<'_, usize, Done> {
                Box::new(move |run| (run, self.run_away(asked, &mut away, run)))
            });
            let (elsewhere, missing) = (elsewhere.collect(), missing.into_iter());
            pool.run_beside(elsewhere, missing, Delivery::AsDone, work, take);
        }
        ended?;
        let complete = self.missing(results).is_empty();
        Ok(if complete { Ending::Complete } else { Ending::Interrupted })
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

    /// Does runs together, those that can go together one after the other: of each kind the first
    /// seed of every cell, then the second.
    fn run_together(
        &self,
        pool: &mut Pool<'_>,
        mut missing: Vec<usize>,
        take: impl FnMut(Done) -> ControlFlow<()>,
    ) {
        let kinds = self.kinds();
        missing.sort_by_key(|number| kinds[self.plan.run(*number).0]);
        let most = missing.len();
        let errand = |number| match self.space(number) {
            Ok(space) => {
                let (cell, place) = self.cell(number);
                let (space, config) = (Arc::new(space), Arc::new(cell.config.clone()));
                let watcher = Numbered { number, collector: Collector::default() };
                Errand::Run(Job { space, config, seed: cell.seed(place), watcher })
            }
            Err(answer) => Errand::Answered((number, *answer)),
        };
        let finish = |job: Job<Numbered>, outcome| {
            let Job { space, watcher: Numbered { number, collector }, .. } = job;
            (number, self.result(number, &space, outcome, collector, self.threads))
        };
        let (items, interrupted) = (missing.into_iter().map(errand), self.interrupted);
        pool.run_together(items, most, Delivery::AsDone, interrupted, finish, take);
    }

    /// Of each cell the first one whose runs can go together with its own.
    fn kinds(&self) -> Vec<usize> {
        let mut firsts: Vec<usize> = Vec::new();
        let cells = &self.plan.cells;
        let together = |one: &Cell, other: &Cell| {
            one.puzzle.geometry == other.puzzle.geometry
                && self.backend.goes_together(&one.config, &other.config)
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

    /// A run's cell, and which of its runs it is.
    fn cell(&self, number: usize) -> (&Cell, u32) {
        let (cell, place) = self.plan.run(number);
        (&self.plan.cells[cell], place)
    }

    /// The result of a run, or nothing if it was interrupted.
    pub(super) fn do_run(&self, worker: &mut Worker<'_>, number: usize) -> RunEnd {
        let space = match self.space(number) {
            Ok(space) => space,
            Err(answer) => return *answer,
        };
        let (cell, place) = self.cell(number);
        let run = Run::new(&space, &cell.config, cell.seed(place), self.interrupted);
        let mut collector = Collector::default();
        let outcome = worker.evolve(&run, &mut collector);
        self.result(number, &space, outcome, collector, worker.threads())
    }

    /// What a run evolves in, or what there is to say of it if it does not evolve.
    fn space(&self, number: usize) -> Result<SearchSpace, Box<RunEnd>> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Box::new(Ok(None)));
        }
        let (cell_number, _) = self.plan.run(number);
        let (cell, _) = self.cell(number);
        if let Method::Exact(method) = cell.method {
            let limit = cell.config.time_limit();
            let outcome = method.solve(&cell.puzzle, limit, self.interrupted);
            return Err(Box::new(Ok(RunResult::exact(cell_number, cell, method, &outcome))));
        }
        presolve(&cell.puzzle, cell.config.presolve)
            .map_err(|error| Box::new(Err(self.failed(number, error.into()))))
    }

    pub(super) fn failed(&self, number: usize, error: AnyError) -> RunnerError {
        let (cell, place) = self.cell(number);
        let (puzzle, method) = (cell.puzzle.name.clone(), cell.method.name());
        RunnerError::Run { puzzle, method, seed: cell.seed(place), error }
    }

    /// What came of a run.
    fn result(
        &self,
        number: usize,
        space: &SearchSpace,
        outcome: Result<Outcome, SolveError>,
        collector: Collector,
        threads: usize,
    ) -> RunEnd {
        let outcome = outcome.map_err(|error| self.failed(number, error.into()))?;
        if let (StopReason::Lost, Some(fault)) = (outcome.stop_reason, &outcome.fault) {
            return Err(self.failed(number, fault.clone().into()));
        }
        if outcome.stop_reason == StopReason::Interrupted {
            return Ok(None);
        }
        let ((cell_number, _), (cell, place)) = (self.plan.run(number), self.cell(number));
        let backend = self.backend.info_of(&cell.config, threads);
        let record = Record::new(space, &cell.config, cell.seed(place), &backend, &outcome);
        Ok(Some(RunResult::new(cell_number, &record, collector.finish())))
    }
}
