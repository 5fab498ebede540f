//! A run of an experiment: what it begins with, and what comes of it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::error::AnyError;
use super::observer::ExperimentObserver;
use super::{Done, RunEnd, Runner, RunnerError};
use crate::board::{SearchSpace, presolve};
use crate::experiment::fitness_samples::Collector;
use crate::experiment::run_index::fingerprint;
use crate::experiment::{Cell, Method, RunResult};
use crate::ga::{Outcome, RunJob, StopReason};
use crate::report::RunRecord;
use crate::run::{BackendInfo, Jobs, PoolItem, SolveError, Worker};

/// The runs of a plan, by their numbers.
pub(super) struct PlannedRuns<'r> {
    pub(super) runner: &'r Runner<'r>,
    /// Where runs happen that a GPU and the cores share.
    pub(super) shared: Option<BackendInfo>,
}

impl<'r> Jobs<usize> for PlannedRuns<'r> {
    type Observer = ExperimentObserver<'r>;
    type Result = Done;

    fn prepare(&self, number: usize) -> PoolItem<ExperimentObserver<'r>, Done> {
        match self.runner.job(number) {
            Ok(job) => PoolItem::Run(job),
            Err(answer) => PoolItem::Ready((number, *answer)),
        }
    }

    fn finish(
        &self,
        job: RunJob<ExperimentObserver<'r>>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> Done {
        let runner = self.runner;
        let backend = self.shared.clone();
        let backend = backend.unwrap_or_else(|| runner.backend.info_for(&job.config, threads));
        (job.watcher.number, runner.result(job, outcome, &backend))
    }
}

impl Runner<'_> {
    /// A run's cell, and which of its runs it is.
    fn cell(&self, number: usize) -> (&Cell, u32) {
        let (cell, place) = self.plan.run(number);
        (&self.plan.cells[cell], place)
    }

    /// The result of a run, or nothing if it was interrupted.
    pub(in crate::experiment) fn do_run(&self, worker: &mut Worker<'_>, number: usize) -> RunEnd {
        let mut job = match self.job(number) {
            Ok(job) => job,
            Err(answer) => return *answer,
        };
        let (run, watcher) = job.watched(self.interrupted);
        let outcome = worker.run(&run, watcher);
        let info = self.backend.info_for(&job.config, worker.threads());
        self.result(job, outcome, &info)
    }

    /// A run that begins, or goes on from its checkpoint, or what there is to say of it if it does
    /// neither.
    pub(super) fn job(&self, number: usize) -> Result<RunJob<ExperimentObserver<'_>>, Box<RunEnd>> {
        let space = Arc::new(self.space(number)?);
        let (cell, place) = self.cell(number);
        let (config, seed) = (Arc::new(cell.config.clone()), cell.seed(place));
        let watcher =
            ExperimentObserver { number, collector: Collector::default(), checkpointer: None };
        let mut job = RunJob { space, config, seed, resume_from: None, watcher };
        if let Some(checkpoints) = self.checkpoints {
            let run = fingerprint(cell, seed);
            let found = checkpoints.of(&run, &job.run(self.interrupted));
            let found = found.map_err(|error| Box::new(Err(self.failed(number, error.into()))))?;
            if let Some((from, course)) = found {
                job.resume_from = Some(from);
                job.watcher.collector = Collector::after(course);
            }
            job.watcher.checkpointer = checkpoints.checkpointer(run, &job, self.interrupted);
        }
        Ok(job)
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

    pub(in crate::experiment) fn failed(&self, number: usize, error: AnyError) -> RunnerError {
        let (cell, place) = self.cell(number);
        let (puzzle, method) = (cell.puzzle.name.clone(), cell.method.name());
        RunnerError::Run { puzzle, method, seed: cell.seed(place), error }
    }

    /// What came of a run.
    pub(super) fn result(
        &self,
        job: RunJob<ExperimentObserver<'_>>,
        outcome: Result<Outcome, SolveError>,
        backend: &BackendInfo,
    ) -> RunEnd {
        let RunJob { space, watcher: ExperimentObserver { number, collector, .. }, .. } = job;
        let outcome = outcome.map_err(|error| self.failed(number, error.into()))?;
        if let (StopReason::Lost, Some(fault)) = (outcome.stop_reason, &outcome.fault) {
            return Err(self.failed(number, fault.clone().into()));
        }
        if outcome.stop_reason == StopReason::Interrupted {
            return Ok(None);
        }
        let ((cell_number, _), (cell, place)) = (self.plan.run(number), self.cell(number));
        let record = RunRecord::new(&space, &cell.config, cell.seed(place), backend, &outcome);
        Ok(Some(RunResult::new(cell_number, &record, collector.finish())))
    }
}
