//! Puzzles whose runs are carried out together, by several adapters, or by a GPU beside the cores: each
//! run is an errand of its own, and what came of a puzzle is put together again from its runs, which arrive in order.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use anyhow::{Error, Result};

use super::context::{FinishedRun, Messages, PreparedPuzzle, PuzzleOutcome, SolveContext, of_run};
use super::exporter::HistoryObserver;
use crate::board::SearchSpace;
use crate::format::ParsedPuzzle;
use crate::ga::{GenerationReport, Observer, Outcome, RunJob, StopReason};
use crate::solver::{BackendInfo, Errand, Pool, SolveError};
use crate::spread::{Delivery, ahead};

/// Which of a puzzle's runs it is, its curve, and who is told of faults.
struct BatchObserver<'a> {
    number: u32,
    watched: Option<HistoryObserver>,
    messages: &'a Messages,
}

impl Observer for BatchObserver<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        match &mut self.watched {
            Some(watched) => watched.generation(report),
            None => ControlFlow::Continue(()),
        }
    }

    fn wants_distinct(&self) -> bool {
        self.watched.as_ref().is_some_and(|watched| watched.wants_distinct())
    }

    fn warning(&mut self, message: &str) {
        self.messages.warn(message);
    }
}

/// What came of an errand.
enum JobOutput {
    /// There was nothing to run.
    Whole(PuzzleOutcome),
    /// A run of a puzzle, of which it is the one with this number; nothing came of it if it was
    /// interrupted before it began.
    Run { space: Arc<SearchSpace>, number: u32, ended: Option<Box<Result<FinishedRun, Error>>> },
}

impl<'a> SolveContext<'a> {
    /// Runs all puzzles, up to `most` runs at a time, and hands the answers to `take` in order;
    /// returns how many were under way at a time at most. With `cores`, so many of them have one run
    /// after the other beside a GPU.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn solve_together(
        &self,
        readings: impl Iterator<Item = Result<ParsedPuzzle>> + Send,
        most: usize,
        cores: Option<usize>,
        threads: usize,
        mut take: impl FnMut(PuzzleOutcome) -> ControlFlow<()>,
    ) -> Result<usize> {
        let backend = self.solver.backend();
        let mut pool = match cores {
            Some(cores) => Pool::joint(backend, cores, threads)?,
            None => Pool::new(backend, backend.parts().len().min(most), threads)?,
        };
        let info = backend.info(threads);
        let finish = |job: RunJob<BatchObserver<'_>>, outcome| self.part(&info, job, outcome);
        let mut gathered = PuzzleRuns::default();
        let take = |part| match gathered.take(self, part) {
            Some(answer) => take(answer),
            None => ControlFlow::Continue(()),
        };
        let interrupted = self.interrupted;
        Ok(thread::scope(|scope| {
            let prepared = ahead(scope, readings, threads, |reading| self.prepare(reading));
            let items = prepared.flat_map(|prepared| self.errands(prepared));
            pool.run_together(items, most, Delivery::InOrder, interrupted, finish, take)
        }))
    }

    /// The errands of a puzzle: its runs, or what there is to say instead.
    fn errands<'s>(
        &'s self,
        prepared: Result<PreparedPuzzle, PuzzleOutcome>,
    ) -> impl Iterator<Item = Errand<BatchObserver<'s>, JobOutput>> + Send + use<'s, 'a> {
        let (prepared, answer) = match prepared {
            Ok(prepared) => (Some(prepared), None),
            Err(answer) => (None, Some(answer)),
        };
        let runs = prepared.into_iter().flat_map(move |prepared| {
            (0..self.runs).map(move |number| {
                Errand::Run(RunJob {
                    space: prepared.space.clone(),
                    config: prepared.config.clone(),
                    seed: self.seed_of(number),
                    from: None,
                    watcher: BatchObserver {
                        number,
                        watched: self.ledger.watched(number == 0),
                        messages: &self.messages,
                    },
                })
            })
        });
        runs.chain(answer.map(|answer| Errand::Answered(JobOutput::Whole(answer))))
    }

    /// What is kept of a run that has ended.
    fn part(
        &self,
        backend: &BackendInfo,
        mut job: RunJob<BatchObserver<'_>>,
        outcome: Result<Outcome, SolveError>,
    ) -> JobOutput {
        let watched = job.watcher.watched.take();
        let run = job.run(self.interrupted);
        let ended = match outcome {
            Ok(Outcome { stop_reason: StopReason::Interrupted, evaluations: 0, .. }) => None,
            Ok(outcome) => {
                let curve = self.ledger.went(&run, watched);
                Some(Ok(self.ended(&run, backend, outcome, curve)))
            }
            Err(error) => Some(Err(of_run(error.into(), &run))),
        };
        JobOutput::Run { number: job.watcher.number, space: job.space, ended: ended.map(Box::new) }
    }
}

/// Runs of a puzzle that are still to be followed by others.
#[derive(Default)]
struct PuzzleRuns {
    runs: Vec<FinishedRun>,
    failure: Option<Error>,
}

impl PuzzleRuns {
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
