//! The runner: carries out the runs of a plan that are missing, several at a time.
//!
//! Its jobs are the runs of the plan, by their numbers; their results are the records that are exported. On
//! another rank of an MPI job its source is the numbers that rank 0 sends, and the reply to each is the record.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use thiserror::Error as ThisError;

use super::cell_filter::all_hold;
use super::record::validate;
use super::run_index::{RunIndex, fingerprint};
use super::{Cell, CellFilter, Checkpoints, Method, Plan, Results, RunResult, Shard};
use crate::board::presolve;
use crate::ga::{GenerationReport, Observer, Outcome, RunHandle, StopReason};
use crate::report::RunRecord;
use crate::run::{
    Backend, BackendInfo, Executor, Jobs, RemoteReply, RemoteWork, RemoteWorker, RunJob, SolveError,
};
use crate::store::{FitnessHistory, RunCheckpointer, Series};
use crate::util::ordered_parallel::ResultOrder;

/// Carries out the runs of a plan.
pub struct Runner<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Where runs happen.
    pub backend: &'a Backend,
    /// Runs at a time.
    pub jobs: usize,
    /// Threads of all of them together.
    pub threads: usize,
    /// Set when the user wants the experiment to end; the runner sets it when a run fails.
    pub interrupted: &'a AtomicBool,
    /// The missing runs that are carried out.
    pub part: RunSubset,
    /// The checkpoints of runs that take long, if any are kept.
    pub checkpoints: Option<&'a Checkpoints<'a>>,
}

/// A part of an experiment, the rest of which is left for another time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSubset {
    /// The number of seeds of each cell, if not all.
    pub seeds: Option<u32>,
    /// The cells that these filters let through; all without a filter.
    pub only: Vec<CellFilter>,
    /// The runs of this shard, if not all.
    pub shard: Option<Shard>,
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// No run is missing.
    Complete,
    /// The user interrupted it.
    Interrupted,
}

type AnyError = Box<dyn Error + Send + Sync>;

/// Why an experiment could not continue. Its finished runs are kept.
#[derive(Debug, ThisError)]
pub enum RunnerError {
    /// The system gave no threads.
    #[error(transparent)]
    Threads(SolveError),
    /// A run failed: its puzzle, method and seed, and the error.
    #[error("{0}: {1}")]
    Run(String, AnyError),
    /// The callback for finished runs failed.
    #[error("{0}")]
    Callback(AnyError),
}

/// The result of a run, if it was not interrupted.
type RunEnd = Result<Option<RunResult>, RunnerError>;

/// A callback for the number of every finished run; its error ends the experiment.
pub type RunWatcher<'f> = dyn for<'r> FnMut(&mut Results<'r>, usize) -> Result<(), AnyError> + 'f;

impl Runner<'_> {
    /// Runs at a time: one after the other on each device that breeds a run by itself.
    pub fn seats(&self) -> usize {
        if self.backend.is_gpu() { self.backend.members().len() } else { self.jobs.max(1) }
    }

    /// Carries out the runs that are missing in `results`.
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

    /// Carries out the missing runs together with workers on other ranks, which have the same plan.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn run_with(
        &self,
        remote: Vec<RemoteWorker<'_>>,
        results: &mut Results<'_>,
        finished: &mut RunWatcher<'_>,
    ) -> Result<Completion, RunnerError> {
        let mut missing = self.missing(results);
        let workers = self.seats().clamp(1, missing.len().max(1));
        let batched = remote.is_empty() && self.batches(&missing);
        let executor = match batched {
            true => Executor::batched(self.backend, workers, missing.len(), self.threads),
            false => Executor::new(self.backend, workers, self.threads),
        };
        if batched {
            // Runs that can share a batch follow each other: of each kind the first seed of every cell, then
            // the second.
            let kinds = self.kinds();
            missing.sort_by_key(|number| kinds[self.plan.run(*number).0]);
        }
        let index = &LazyLock::new(|| RunIndex::of(self.plan));
        let remote = remote.into_iter().map(|mut worker| -> RemoteWork<'_, usize, _> {
            Box::new(move |number| (number, self.run_remote(index, &mut worker, number)))
        });
        let shared = batched.then(|| self.backend.info(self.threads));
        let jobs = PlannedRuns { runner: self, shared };
        let mut ended = Ok(());
        let take = |_, (number, end): (usize, RunEnd)| {
            ended = end.and_then(|result| {
                let Some(result) = result else { return Ok(()) };
                results.insert(number, result);
                finished(results, number).map_err(RunnerError::Callback)
            });
            if ended.is_ok() {
                return ControlFlow::Continue(());
            }
            self.interrupted.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        };
        let mut executor = executor.map_err(RunnerError::Threads)?;
        let (remote, order) = (remote.collect(), ResultOrder::AsCompleted);
        let executed =
            executor.execute(remote, missing.into_iter(), order, self.interrupted, &jobs, take);
        executed.map_err(RunnerError::Threads)?;
        ended?;
        let complete = self.missing(results).is_empty();
        Ok(if complete { Completion::Complete } else { Completion::Interrupted })
    }

    /// Whether a GPU carries out these runs in batches. Where the backend may take a GPU or the cores, exact
    /// methods take the cores.
    fn batches(&self, runs: &[usize]) -> bool {
        let cells = runs.iter().map(|number| &self.plan.cells[self.plan.run(*number).0]);
        let is_exact = |cell: &Cell| matches!(cell.method, Method::Exact(_));
        (self.backend.is_gpu() || !cells.clone().any(is_exact))
            && self.backend.batches(cells.map(|cell| &cell.config), runs.len())
    }

    /// For each cell the number of its kind. Runs of one kind can share a batch.
    fn kinds(&self) -> Vec<usize> {
        // The first cell of each kind.
        let mut firsts: Vec<&Cell> = Vec::new();
        let mut kinds = Vec::new();
        for cell in &self.plan.cells {
            let known = firsts.iter().position(|first| {
                first.puzzle.geometry == cell.puzzle.geometry
                    && self.backend.can_batch(&first.config, &cell.config)
            });
            kinds.push(known.unwrap_or(firsts.len()));
            firsts.extend(known.is_none().then_some(cell));
        }
        kinds
    }

    /// The runs to carry out: the first seed of every cell, then the second, so that the finished runs are
    /// at any time a smaller experiment of their own.
    pub fn missing(&self, results: &Results<'_>) -> Vec<usize> {
        let mut missing = results.missing();
        if let Some(shard) = self.part.shard {
            let owners = Shard::owners(self.plan, shard.of);
            missing.retain(|number| owners[*number] == shard.index);
        }
        let RunSubset { seeds, only, .. } = &self.part;
        missing.retain(|number| {
            let (cell, run) = self.plan.run(*number);
            seeds.is_none_or(|seeds| run < seeds) && all_hold(only, &self.plan.cells[cell])
        });
        missing.sort_by_key(|number| (self.plan.run(*number).1, *number));
        missing
    }

    fn failed(&self, number: usize, error: AnyError) -> RunnerError {
        RunnerError::Run(self.plan.run_text(number), error)
    }

    /// Has another rank carry out a run. Its record is checked as if it were read from a file.
    fn run_remote(
        &self,
        index: &RunIndex<'_>,
        worker: &mut RemoteWorker<'_>,
        number: usize,
    ) -> RunEnd {
        let error = match (worker.run)(number.to_string()) {
            Ok(Some(line)) => match validate(index, &line, |_| true) {
                Ok((found, result)) if found == number => return Ok(Some(result)),
                Ok(_) => "it belongs to another run".to_owned(),
                Err(error) => error.to_string(),
            },
            Ok(None) => {
                self.interrupted.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Err(error) => error,
        };
        Err(self.failed(number, format!("{error} on {}", worker.node).into()))
    }

    /// Carries out the runs that rank 0 names by their numbers, and calls `reply` with each reply.
    ///
    /// # Errors
    /// [`RunnerError::Threads`] when the system gives no threads.
    pub(crate) fn serve(
        &self,
        numbers: impl Iterator<Item = String> + Send,
        mut reply: impl FnMut(u64, RemoteReply),
    ) -> Result<(), RunnerError> {
        let mut executor = Executor::new(self.backend, self.seats(), self.threads)
            .map_err(RunnerError::Threads)?;
        let numbers = numbers.map(|number| number.parse().unwrap_or(usize::MAX));
        let (order, jobs) = (ResultOrder::AsCompleted, PlannedRuns { runner: self, shared: None });
        let take = |job, (_, end): (usize, RunEnd)| {
            let text = |result: Option<RunResult>| result.map(|result| result.line);
            let error = |error| match error {
                // Rank 0 knows which run it is.
                RunnerError::Run(_, error) => error.to_string(),
                error => error.to_string(),
            };
            reply(job, end.map(text).map_err(error));
            ControlFlow::Continue(())
        };
        let executed = executor.execute(Vec::new(), numbers, order, self.interrupted, &jobs, take);
        executed.map(drop).map_err(RunnerError::Threads)
    }
}

/// The runs of a plan as jobs, by their numbers.
struct PlannedRuns<'r> {
    runner: &'r Runner<'r>,
    /// Where runs happen that a GPU and the cores share.
    shared: Option<BackendInfo>,
}

impl<'r> Jobs for PlannedRuns<'r> {
    type Item = usize;
    type Observer = ExperimentObserver<'r>;
    type Result = (usize, RunEnd);

    /// The job of a run that starts, or resumes from its checkpoint; the result of a run without evolution.
    fn prepare(&self, number: usize) -> Result<RunJob<Self::Observer>, (usize, RunEnd)> {
        let Runner { plan, interrupted, checkpoints, .. } = *self.runner;
        if number >= plan.runs() {
            return Err((number, Err(RunnerError::Callback("there is no such run".into()))));
        }
        if interrupted.load(Ordering::Relaxed) {
            return Err((number, Ok(None)));
        }
        let (cell_number, cell, seed) = plan.cell_of(number);
        if let Method::Exact(method) = cell.method {
            let outcome = method.solve(&cell.puzzle, cell.config.time_limit(), interrupted);
            return Err((number, Ok(RunResult::exact(cell_number, cell, method, outcome))));
        }
        let failed = |error| (number, Err(self.runner.failed(number, error)));
        let space = presolve(&cell.puzzle, cell.config.presolve);
        let space = space.map_err(|error| failed(error.into()))?;
        let observer =
            ExperimentObserver { number, history: FitnessHistory::new(false), checkpointer: None };
        let mut job = RunJob::new(Arc::new(space), Arc::new(cell.config.clone()), seed, observer);
        if let Some(checkpoints) = checkpoints {
            let name = fingerprint(cell, seed);
            let found = checkpoints.of(&name, &job.run(interrupted));
            if let Some((from, history)) = found.map_err(|error| failed(error.into()))? {
                job.resume_from = Some(from);
                job.observer.history = history.unwrap_or(job.observer.history);
            }
            job.observer.checkpointer = checkpoints.checkpointer(name, &job.run(interrupted));
        }
        Ok(job)
    }

    fn finish(
        &self,
        job: RunJob<Self::Observer>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> (usize, RunEnd) {
        let RunJob { space, observer: ExperimentObserver { number, history, .. }, .. } = job;
        let failed = |error| Err(self.runner.failed(number, error));
        let end = match outcome {
            Err(error) => failed(error.into()),
            Ok(Outcome { stop_reason: StopReason::Lost, fault: Some(fault), .. }) => {
                failed(fault.into())
            }
            Ok(Outcome { stop_reason: StopReason::Interrupted, .. }) => Ok(None),
            Ok(outcome) => {
                let (cell_number, cell, seed) = self.runner.plan.cell_of(number);
                let info = || self.runner.backend.info_for(&cell.config, threads);
                let backend = self.shared.clone().unwrap_or_else(info);
                let record = RunRecord::new(&space, &cell.config, seed, &backend, &outcome);
                Ok(Some(RunResult::new(cell_number, record, Series::of(&history.finish()))))
            }
        };
        (number, end)
    }
}

/// Collects the fitness of a run, and saves its checkpoints.
struct ExperimentObserver<'a> {
    /// The number of the run.
    number: usize,
    history: FitnessHistory,
    checkpointer: Option<RunCheckpointer<'a, Checkpoints<'a>>>,
}

impl Observer for ExperimentObserver<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.history.on_generation(report)
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        self.checkpointer.as_mut().is_some_and(|run| run.wants(generation, ending))
    }

    fn on_checkpoint(&mut self, view: &mut RunHandle<'_>) {
        if let Some(run) = &mut self.checkpointer {
            // The checkpoints report what fails.
            run.save(view, Some(&self.history));
        }
    }
}
