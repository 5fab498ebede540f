//! Puzzles whose runs are carried out in batches, by several adapters, or by a GPU beside the cores: each
//! run is a job of its own, and what came of a puzzle is put together again from its runs, which arrive in order.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use anyhow::{Error, Result};

use super::context::{FinishedRun, Messages, PreparedPuzzle, PuzzleOutcome, SolveContext, of_run};
use super::exporter::HistoryObserver;
use crate::board::SearchSpace;
use crate::format::ParsedPuzzle;
use crate::ga::{GenerationReport, Observer, Outcome, RunJob, StopReason};
use crate::run::{BackendInfo, Jobs, Pool, PoolItem, SolveError};
use crate::util::ordered_parallel::{ResultOrder, parallel_map_iter};

/// Which of a puzzle's runs it is, its curve, and who is told of faults.
struct Watcher<'a> {
    number: u32,
    watched: Option<HistoryObserver>,
    messages: &'a Messages,
}

impl Observer for Watcher<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        match &mut self.watched {
            Some(watched) => watched.on_generation(report),
            None => ControlFlow::Continue(()),
        }
    }

    fn wants_distinct(&self) -> bool {
        self.watched.as_ref().is_some_and(|watched| watched.wants_distinct())
    }

    fn on_warning(&mut self, message: &str) {
        self.messages.warn(message);
    }
}

/// What came of a job.
enum JobOutput {
    /// There was nothing to run.
    Whole(PuzzleOutcome),
    /// A run of a puzzle, of which it is the one with this number; nothing came of it if it was
    /// interrupted before it began.
    Run { space: Arc<SearchSpace>, number: u32, ended: Option<Box<Result<FinishedRun, Error>>> },
}

impl<'a> SolveContext<'a> {
    /// Runs all puzzles, `most` runs as far as is known, in batches, and hands the answers to `take` in
    /// order; returns how many were under way at a time at most. With `auto`, so many `cores` have one run
    /// after the other beside a GPU.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn solve_batched(
        &self,
        readings: impl Iterator<Item = Result<ParsedPuzzle>> + Send,
        most: usize,
        cores: usize,
        threads: usize,
        mut take: impl FnMut(PuzzleOutcome) -> ControlFlow<()>,
    ) -> Result<usize> {
        let backend = self.solver.backend();
        let mut pool = Pool::batched(backend, cores, most, threads)?;
        let jobs = ListJobs { session: self, backend: backend.info(threads) };
        let mut gathered = Gathered::default();
        let take = |part| match gathered.take(self, part) {
            Some(answer) => take(answer),
            None => ControlFlow::Continue(()),
        };
        let interrupted = self.interrupted;
        Ok(thread::scope(|scope| {
            let prepared =
                parallel_map_iter(scope, readings, threads, |reading| self.prepare(reading));
            let items = prepared.flat_map(|prepared| self.pool_items(prepared));
            pool.execute(Vec::new(), items, ResultOrder::InOrder, interrupted, &jobs, take)
        }))
    }

    /// The jobs of a puzzle: its runs, or what there is to say instead.
    fn pool_items<'s>(
        &'s self,
        prepared: Result<PreparedPuzzle, PuzzleOutcome>,
    ) -> impl Iterator<Item = PoolItem<Watcher<'s>, JobOutput>> + Send + use<'s, 'a> {
        let (prepared, answer) = match prepared {
            Ok(prepared) => (Some(prepared), None),
            Err(answer) => (None, Some(answer)),
        };
        let runs = prepared.into_iter().flat_map(move |prepared| {
            (0..self.runs).map(move |number| {
                PoolItem::Run(RunJob {
                    space: prepared.space.clone(),
                    config: prepared.config.clone(),
                    seed: self.seed_of(number),
                    resume_from: None,
                    watcher: Watcher {
                        number,
                        watched: self.ledger.watched(number == 0),
                        messages: &self.messages,
                    },
                })
            })
        });
        runs.chain(answer.map(|answer| PoolItem::Ready(JobOutput::Whole(answer))))
    }
}

/// The runs of a list, which were prepared beforehand.
struct ListJobs<'s, 'a> {
    session: &'s SolveContext<'a>,
    backend: BackendInfo,
}

impl<'s> Jobs<PoolItem<Watcher<'s>, JobOutput>> for ListJobs<'s, '_> {
    type Observer = Watcher<'s>;
    type Result = JobOutput;

    fn prepare(&self, item: PoolItem<Watcher<'s>, JobOutput>) -> PoolItem<Watcher<'s>, JobOutput> {
        item
    }

    fn finish(
        &self,
        mut job: RunJob<Watcher<'s>>,
        outcome: Result<Outcome, SolveError>,
        _: usize,
    ) -> JobOutput {
        let session = self.session;
        let watched = job.watcher.watched.take();
        let run = job.run(session.interrupted);
        let ended = match outcome {
            Ok(Outcome { stop_reason: StopReason::Interrupted, evaluations: 0, .. }) => None,
            Ok(outcome) => {
                let curve = session.ledger.went(&run, watched);
                Some(Ok(session.ended(&run, &self.backend, outcome, curve)))
            }
            Err(error) => Some(Err(of_run(error.into(), &run))),
        };
        JobOutput::Run { number: job.watcher.number, space: job.space, ended: ended.map(Box::new) }
    }
}

/// Runs of a puzzle that are still to be followed by others.
#[derive(Default)]
struct Gathered {
    runs: Vec<FinishedRun>,
    failure: Option<Error>,
}

impl Gathered {
    /// Takes the next part, and gives the answer to its puzzle if that is complete.
    fn take(&mut self, session: &SolveContext<'_>, part: JobOutput) -> Option<PuzzleOutcome> {
        let (space, number, ended) = match part {
            JobOutput::Whole(answer) => return Some(answer),
            JobOutput::Run { space, number, ended } => (space, number, ended),
        };
        let interrupted = |run: &FinishedRun| run.outcome.stop_reason == StopReason::Interrupted;
        // What comes after the end is not told of.
        if self.failure.is_none() && !self.runs.last().is_some_and(interrupted) {
            match ended.map(|ended| *ended) {
                Some(Ok(run)) => self.runs.push(run),
                Some(Err(error)) => self.failure = Some(error),
                None => {}
            }
        }
        if number + 1 < session.runs {
            return None;
        }
        let Self { runs, failure } = std::mem::take(self);
        if failure.is_none() && runs.is_empty() {
            return Some(PuzzleOutcome::Untouched);
        }
        Some(session.answer(&space, runs, failure))
    }
}
