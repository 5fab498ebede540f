//! The runner: does the runs that are missing, several at a time.
//!
//! Each of `jobs` workers has threads and evaluators of its own and takes the next run of the
//! plan. Which worker does a run, and when, changes nothing about it.

use std::collections::HashMap;
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

use super::series::Collector;
use super::{Cell, Method, Plan, Results, RunResult};
use crate::board::Geometry;
use crate::board::presolve;
use crate::device::{DeviceEngine, Kernels, Recovering, Replay};
use crate::evolve::{Outcome, Run, RunError, StopReason};
use crate::report::{Device, Record};
use crate::score::{CpuEvaluator, Evaluator, Pipeline};

/// Any error.
type AnyError = Box<dyn Error + Send + Sync>;
/// Makes evaluators of boards of a shape.
pub type Evaluators<'a> = Box<dyn Fn(Geometry) -> Result<Box<dyn Evaluator>, AnyError> + Sync + 'a>;

/// Does the runs of a plan.
pub struct Runner<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Runs at a time.
    pub jobs: usize,
    /// Threads of all of them together.
    pub threads: usize,
    /// Where boards are scored; `threads` is set by the runner.
    pub device: Device,
    /// What scores them.
    pub evaluators: Evaluators<'a>,
    /// The device that breeds too, if one does.
    pub kernels: Option<&'a Kernels>,
    /// Set by whoever wants the experiment to end; the runner sets it when a run fails.
    pub interrupted: &'a AtomicBool,
    /// Which of the missing runs are done.
    pub part: Portion,
}

/// A part of an experiment, the rest of which is left for another time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Portion {
    /// So many seeds of each cell, if not all.
    pub seeds: Option<u32>,
    /// Cells in which each of these parameters has the value beside it.
    pub only: Vec<(&'static str, String)>,
}

impl Portion {
    /// Whether a cell's run, counted from 0, is in it.
    fn holds(&self, cell: &Cell, run: u32) -> bool {
        self.seeds.is_none_or(|seeds| run < seeds)
            && self.only.iter().all(|(name, value)| cell.value(name).is_none_or(|v| v == *value))
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
    #[error("cannot start the threads")]
    Threads(#[from] ThreadPoolBuildError),
    /// No evaluator could be made.
    #[error("{0}")]
    Evaluator(AnyError),
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
pub type Finished<'f> = dyn for<'r> FnMut(&mut Results<'r>, usize) -> Result<(), AnyError> + 'f;

impl<'a> Runner<'a> {
    /// A runner that scores on the CPU.
    pub fn on_cpu(
        plan: &'a Plan,
        jobs: usize,
        threads: usize,
        interrupted: &'a AtomicBool,
    ) -> Self {
        let device = Device { backend: "cpu", adapter: None, driver: None, threads };
        let evaluators: Evaluators<'a> =
            Box::new(|geometry| Ok(Box::new(CpuEvaluator::new(geometry, None))));
        let kernels = None;
        Self {
            plan,
            jobs,
            threads,
            device,
            evaluators,
            kernels,
            interrupted,
            part: Portion::default(),
        }
    }

    /// Does what is missing in `results`.
    ///
    /// # Errors
    /// [`RunnerError`] when a run or the machine fails; running out of budget is no error.
    pub fn run(
        &self,
        results: &mut Results<'_>,
        finished: &mut Finished<'_>,
    ) -> Result<Ending, RunnerError> {
        let missing = self.missing(results);
        let jobs = self.jobs.clamp(1, missing.len().max(1));
        let pools = (0..jobs).map(|job| self.pool(job, jobs)).collect::<Result<Vec<_>, _>>()?;
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let ended = thread::scope(|scope| {
            for pool in &pools {
                let (sender, missing) = (sender.clone(), missing.as_slice());
                let worker = Worker {
                    runner: self,
                    missing,
                    next: &next,
                    threads: pool.current_num_threads(),
                };
                scope.spawn(move || pool.install(|| worker.work(&sender)));
            }
            drop(sender);
            let ended = collect(&receiver, results, finished);
            if ended.is_err() {
                self.interrupted.store(true, Ordering::Relaxed);
            }
            ended
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

    /// The threads of one worker: an equal share, the first ones one more.
    fn pool(&self, job: usize, jobs: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
        let share = self.threads / jobs + usize::from(job < self.threads % jobs);
        ThreadPoolBuilder::new().num_threads(share.max(1)).build()
    }
}

type Message = Result<(usize, RunResult), RunnerError>;

/// Takes in what workers finish, until all are gone or one fails.
fn collect(
    receiver: &Receiver<Message>,
    results: &mut Results<'_>,
    finished: &mut Finished<'_>,
) -> Result<(), RunnerError> {
    for message in receiver {
        let (run, result) = message?;
        results.insert(run, result);
        finished(results, run).map_err(RunnerError::Told)?;
    }
    Ok(())
}

/// Does one run after the other.
struct Worker<'a> {
    runner: &'a Runner<'a>,
    missing: &'a [usize],
    next: &'a AtomicUsize,
    threads: usize,
}

impl Worker<'_> {
    /// Evolves where the runner says.
    fn evolve(
        &self,
        run: &Run<'_>,
        pipeline: &mut Pipeline,
        collector: &mut Collector,
    ) -> Result<Outcome, RunError> {
        let Some(kernels) = self.runner.kernels else { return run.evolve(pipeline, collector) };
        run.evolve_on(
            || {
                let engine = DeviceEngine::new(run, kernels, None);
                Recovering::new(run, engine, pipeline, Replay::Short)
            },
            collector,
        )
    }

    fn work(&self, sender: &Sender<Message>) {
        // One for each shape: a device that failed once is not tried again.
        let mut pipelines = HashMap::new();
        while !self.runner.interrupted.load(Ordering::Relaxed) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = self.missing.get(next).copied() else { return };
            let message = match self.do_run(run, &mut pipelines) {
                Ok(Some(result)) => Ok((run, result)),
                Ok(None) => return,
                Err(error) => {
                    self.runner.interrupted.store(true, Ordering::Relaxed);
                    Err(error)
                }
            };
            // Nobody listens any more only when something went wrong elsewhere.
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    /// The result of a run, or nothing if it was interrupted.
    fn do_run(
        &self,
        number: usize,
        pipelines: &mut HashMap<Geometry, Pipeline>,
    ) -> Result<Option<RunResult>, RunnerError> {
        let plan = self.runner.plan;
        let (cell_number, place) = plan.run(number);
        let cell = &plan.cells[cell_number];
        let seed = cell.seed(place);
        if let Method::Exact(method) = cell.method {
            let limit = cell.config.time_limit();
            let outcome = method.solve(&cell.puzzle, limit, self.runner.interrupted);
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
        let geometry = space.geometry();
        let pipeline = match pipelines.entry(geometry) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let evaluator =
                    (self.runner.evaluators)(geometry).map_err(RunnerError::Evaluator)?;
                new.insert(Pipeline::new(evaluator))
            }
        };
        let run =
            Run { space: &space, config: &cell.config, seed, interrupted: self.runner.interrupted };
        let mut collector = Collector::default();
        let outcome =
            self.evolve(&run, pipeline, &mut collector).map_err(|error| failed(error.into()))?;
        if let (StopReason::Lost, Some(fault)) = (outcome.stop_reason, &outcome.fault) {
            return Err(failed(fault.clone().into()));
        }
        if outcome.stop_reason == StopReason::Interrupted {
            return Ok(None);
        }
        let device = Device { threads: self.threads, ..self.runner.device.clone() };
        let record = Record::new(&space, &cell.config, seed, &device, &outcome);
        Ok(Some(RunResult::new(cell_number, &record, collector.finish())))
    }
}
