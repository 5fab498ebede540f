//! The runs of `solve` as jobs: each puzzle of the input with each of its seeds.
//!
//! A job is one run of one puzzle. The first of a puzzle's runs that a worker takes has the puzzle presolved for
//! all of them. Each run is exported when it ends, in whatever order (`exporter.rs`), and printed in the order
//! of the input (`printer.rs`).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use anyhow::{Error, Result, anyhow};

use super::checkpoint::{CheckpointWriter, RunId, outcome_of};
use super::display::Messages;
use super::exporter::RunExporter;
use super::observers::{GenerationLog, RunObservers};
use super::parallelism::Parallelism;
use super::ranks::{RootIslands, RunReply, job_text, of_run, serve_adapters};
use crate::board::{Presolve, Puzzle, SearchSpace, presolve};
use crate::cli::input::symbol;
use crate::cli::summary;
use crate::exact::{is_unique, proves_unsolvable};
use crate::format::ParsedPuzzle;
use crate::ga::{Config, Outcome, Run, StopReason};
use crate::mpi::{Communicator, JobQueue};
use crate::report::{BoardView, RunRecord, SolveRecord, Uniqueness};
use crate::run::{
    BackendInfo, Executor, IslandExecutor, Jobs, RemoteWork, RemoteWorker, RunJob, SolveError,
    Solver,
};
use crate::store::{RunCheckpointer, Series};
use crate::util::lock;
use crate::util::ordered_parallel::{ResultOrder, parallel_map};

/// Puzzles for each thread that are read or prepared, or wait: the one thread that feeds a GPU would otherwise
/// prepare them all.
const AHEAD: usize = 4;

/// The runs of one command, and what they share.
pub struct SolveRuns<'a> {
    pub solver: Solver,
    pub parallelism: Parallelism,
    /// The backend as reports name it, where it has runs in batches.
    pub batched: Option<BackendInfo>,
    /// The seed of the first run of each puzzle.
    pub seed: u64,
    /// The number of runs of each puzzle.
    pub runs: u32,
    /// Whether other solutions of a solved puzzle are looked for.
    pub searches_others: bool,
    pub exporter: RunExporter,
    /// The trace and the recording, which one run at a time writes.
    pub logs: Mutex<GenerationLog>,
    pub checkpoints: Option<CheckpointWriter>,
    pub messages: Messages,
    /// The ranks or adapters that share the islands of each run.
    pub islands: Option<RootIslands<'a>>,
    pub interrupted: &'a AtomicBool,
}

/// A puzzle of the input, whose runs share it.
pub struct ListedPuzzle {
    /// Its place in the input, from 0.
    place: u64,
    /// Nothing that panics is done under the lock but presolve, which leaves the puzzle as one that is over.
    state: Mutex<PuzzleState>,
    /// Whether it has other solutions, once that was looked for.
    uniqueness: OnceLock<Uniqueness>,
}

#[derive(Default)]
struct PuzzleState {
    /// The parsed puzzle or the error, until the puzzle is prepared.
    reading: Option<Result<ParsedPuzzle>>,
    /// The puzzle, if it could be read.
    puzzle: Option<Puzzle>,
    /// The space and the configuration of its runs, or the error that the first of them reports.
    prepared: Option<Result<PreparedPuzzle, Option<Error>>>,
    /// Whether no more of its runs begin, because one failed or was interrupted.
    is_over: bool,
    /// The number of its runs that have ended, and whether the budget of all of them was spent.
    ended: u32,
    is_spent: bool,
    /// Whether it was shown to have no solution, where that was tried.
    is_impossible: Option<bool>,
}

/// A puzzle that is ready to be run.
#[derive(Clone)]
struct PreparedPuzzle {
    space: Arc<SearchSpace>,
    config: Arc<Config>,
}

/// A run of a puzzle, by its number, from 0.
pub type RunItem = (Arc<ListedPuzzle>, u32);

/// How a run ended; none if it did not begin.
type RunEnd = Result<Option<Box<FinishedRun>>>;

/// A run that ended.
pub struct FinishedRun {
    pub outcome: Outcome,
    pub uniqueness: Option<Uniqueness>,
    /// Its line on stderr.
    pub remark: String,
    /// The record that is exported to pipes once the run was printed.
    pub record: Option<SolveRecord>,
}

/// The result of a job.
pub struct RunOutput {
    pub puzzle: Arc<ListedPuzzle>,
    pub number: u32,
    pub end: RunEnd,
}

impl ListedPuzzle {
    fn new((place, reading): (u64, Result<ParsedPuzzle>)) -> Arc<Self> {
        let state = PuzzleState { reading: Some(reading), is_spent: true, ..Default::default() };
        Arc::new(Self { place, state: Mutex::new(state), uniqueness: OnceLock::new() })
    }

    /// The puzzle, once one of its runs was prepared, if it could be read.
    pub fn puzzle(&self) -> Option<Puzzle> {
        lock(&self.state).puzzle.clone()
    }

    /// Whether presolve or a short exact search shows that the puzzle has no solution; looked for where all runs have
    /// spent their budget.
    pub fn is_impossible(&self, interrupted: &AtomicBool) -> bool {
        let (known, puzzle) = {
            let state = lock(&self.state);
            (state.is_impossible, state.puzzle.clone().filter(|_| state.is_spent))
        };
        let proves = |puzzle: &Puzzle| {
            presolve(puzzle, Presolve::Probing).is_err()
                || proves_unsolvable(puzzle, Some(interrupted))
        };
        let is_impossible = known.unwrap_or_else(|| puzzle.as_ref().is_some_and(proves));
        lock(&self.state).is_impossible = Some(is_impossible);
        is_impossible
    }
}

impl<'a> SolveRuns<'a> {
    /// Runs all puzzles on so many threads, with the `adapters` that share the islands of each run, or on the
    /// ranks of `queue`, and calls `take` with the results in the order of the input. Returns how many runs
    /// were under way at a time at most.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn execute(
        &self,
        readings: impl Iterator<Item = Result<ParsedPuzzle>> + Send,
        threads: usize,
        adapters: &[Communicator],
        queue: Option<JobQueue<'_>>,
        mut take: impl FnMut(RunOutput) -> ControlFlow<()>,
    ) -> Result<usize> {
        let Parallelism { most, jobs, .. } = self.parallelism;
        let (backend, batched) = (&self.solver.backend, self.batched.is_some());
        let threads = threads.div_ceil(adapters.len().max(1));
        let islands = self.islands.as_ref().map(|islands| islands as &dyn IslandExecutor);
        let mut executor = match batched {
            true => Executor::batched(backend, jobs, most, threads)?,
            false => Executor::new(backend, jobs, threads)?.sharing(islands),
        };
        let puzzles = (0..).zip(readings).map(ListedPuzzle::new);
        let runs = |puzzle: Arc<ListedPuzzle>| (0..self.runs).map(move |run| (puzzle.clone(), run));
        let ready = |puzzle: Arc<ListedPuzzle>| {
            self.prepare(&mut lock(&puzzle.state));
            puzzle
        };
        Ok(thread::scope(|scope| {
            let leads = !adapters.is_empty();
            let serve = || serve_adapters(scope, &self.solver, adapters, threads);
            let _end = leads.then(serve).transpose()?;
            let items: Box<dyn Iterator<Item = RunItem> + Send> = match batched {
                true => Box::new(
                    parallel_map(scope, puzzles, threads, AHEAD * threads, ready)?.flat_map(runs),
                ),
                false => Box::new(puzzles.flat_map(runs)),
            };
            let (order, take) = (ResultOrder::InOrder, |_, output| take(output));
            let Some(queue) = queue else {
                let most =
                    executor.execute(Vec::new(), items, order, self.interrupted, &self, take)?;
                return Ok::<usize, SolveError>(if batched { most } else { executor.workers() });
            };
            queue.run(self.interrupted, |workers| {
                let work = |mut worker| -> RemoteWork<'_, RunItem, RunOutput> {
                    Box::new(move |item| self.run_remote(&mut worker, item))
                };
                let remote = workers.into_iter().map(work).collect();
                executor.execute(remote, items, order, self.interrupted, &self, take)
            })??;
            Ok(executor.workers() + queue.workers())
        })?)
    }

    /// Makes a puzzle ready to be run, unless it was before.
    fn prepare(&self, state: &mut PuzzleState) {
        if let Some(reading) = state.reading.take_if(|_| !self.is_interrupted()) {
            let prepared = reading.and_then(|reading| {
                self.messages.remark_on(&reading);
                self.prepare_puzzle(state.puzzle.insert(reading.puzzle))
            });
            state.prepared = Some(prepared.map_err(Some));
        }
    }

    fn prepare_puzzle(&self, puzzle: &Puzzle) -> Result<PreparedPuzzle> {
        let name = &puzzle.name;
        let (space, config) = self.solver.prepare(puzzle).map_err(|error| match error {
            SolveError::Contradictory(error) => {
                let sentence = error.sentence(symbol(self.messages.alphabet.as_ref()));
                anyhow!("{name} has no solution: {sentence}")
            }
            other => Error::new(other).context(name.clone()),
        })?;
        let run = Run::new(&space, &config, self.seed, self.interrupted);
        // Of a run whose islands are shared each rank checks its own.
        if self.islands.is_none() {
            run.check_memory().map_err(|error| of_run(error.into(), &run))?;
        }
        self.messages.log_parameters(&self.solver, &config, &space);
        Ok(PreparedPuzzle { space: Arc::new(space), config: Arc::new(config) })
    }

    /// The space and the configuration of a puzzle's runs, or the end of a run that does not start.
    fn prepared(&self, puzzle: &ListedPuzzle) -> Result<PreparedPuzzle, RunEnd> {
        let state = &mut *lock(&puzzle.state);
        self.prepare(state);
        match &mut state.prepared {
            _ if state.is_over || self.is_interrupted() => Err(Ok(None)),
            Some(Ok(prepared)) => Ok(prepared.clone()),
            Some(Err(error)) => Err(error.take().map_or(Ok(None), Err)),
            None => Err(Ok(None)),
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The seed of a puzzle's run.
    fn seed_of(&self, number: u32) -> u64 {
        self.seed.wrapping_add(number.into())
    }

    /// The backend as reports of a run of this configuration name it, on a worker with so many threads.
    fn backend_info(&self, config: &Config, threads: usize) -> BackendInfo {
        self.batched.clone().unwrap_or_else(|| self.solver.backend.info_for(config, threads))
    }

    /// Exports a run that ended, and returns it for the printer.
    fn ended(
        &self,
        puzzle: &ListedPuzzle,
        run: &Run<'_>,
        backend: &BackendInfo,
        outcome: Outcome,
        curve: Series,
    ) -> Box<FinishedRun> {
        let uniqueness = self.uniqueness(puzzle, run, &outcome);
        let mut record = self.exporter.wanted.then(|| SolveRecord {
            run: RunRecord::new(run.space, run.config, run.seed, backend, &outcome),
            uniqueness,
        });
        if let Some(record) = &record {
            let (geometry, givens) = (run.space.geometry(), run.space.puzzle.givens.clone());
            let board = BoardView { geometry, cells: outcome.board.clone(), givens };
            self.messages.tell(self.exporter.ended(record, board, curve));
        }
        let verbose = self.messages.notes.verbose;
        let shown = uniqueness.filter(|word| verbose || *word != Uniqueness::Undecided);
        let remark = match self.runs > 1 && !verbose {
            true => summary::of_run_among_others(run, &outcome, shown),
            false => summary::of_run(run, backend, &outcome, shown),
        };
        record = record.filter(|_| self.exporter.streamed);
        Box::new(FinishedRun { outcome, uniqueness, remark, record })
    }

    /// Whether a solved puzzle has other solutions, if that is looked for. The first run that solves it searches.
    fn uniqueness(
        &self,
        puzzle: &ListedPuzzle,
        run: &Run<'_>,
        outcome: &Outcome,
    ) -> Option<Uniqueness> {
        match outcome.stop_reason {
            _ if !self.searches_others => None,
            StopReason::Presolved => Some(Uniqueness::Unique),
            StopReason::Solved => Some(*puzzle.uniqueness.get_or_init(|| {
                match is_unique(&run.space.puzzle, Some(self.interrupted)) {
                    Some(true) => Uniqueness::Unique,
                    Some(false) => Uniqueness::Several,
                    None => Uniqueness::Undecided,
                }
            })),
            _ => None,
        }
    }

    /// The result of a run that ended so. The worker that ends the last run of a puzzle shows whether the
    /// puzzle has a solution; of a batch, whose other runs would wait, the printer does.
    fn output(&self, (puzzle, number): RunItem, end: RunEnd) -> RunOutput {
        let mut state = lock(&puzzle.state);
        let reason = end.as_ref().map(|run| run.as_ref().map(|run| run.outcome.stop_reason));
        let is_first_failure = reason.is_err() && !state.is_over;
        state.is_over |= matches!(reason, Err(_) | Ok(Some(StopReason::Interrupted)));
        state.is_spent &= matches!(reason, Ok(Some(reason)) if reason.is_budget());
        state.ended += 1;
        let is_last = state.ended == self.runs;
        let failed = state.puzzle.clone().filter(|_| is_first_failure);
        drop(state);
        if let Some(puzzle) = failed {
            self.messages.tell(self.exporter.not_run(&puzzle));
        }
        if is_last && self.batched.is_none() {
            puzzle.is_impossible(self.interrupted);
        }
        RunOutput { puzzle, number, end }
    }

    /// Has a run carried out on another rank. Solutions are verified here too.
    fn run_remote(&self, worker: &mut RemoteWorker<'_>, (puzzle, number): RunItem) -> RunOutput {
        let end = self.prepared(&puzzle).and_then(|PreparedPuzzle { space, config }| {
            let run = Run::new(&space, &config, self.seed_of(number), self.interrupted);
            let failed = |error: String| anyhow!("{error} on {}", worker.node);
            let reply = match (worker.run)(job_text(&space.puzzle, run.seed)) {
                Ok(Some(text)) => text,
                Ok(None) => return Err(Ok(None)),
                Err(error) => return Err(Err(failed(error))),
            };
            let reply: RunReply =
                serde_json::from_str(&reply).map_err(|error| Err(error.into()))?;
            if let Err(error) = reply.outcome.check(&space.puzzle) {
                let error = failed(format!("impossible result: {error}"));
                return Err(Err(of_run(error, &run)));
            }
            Ok(self.ended(&puzzle, &run, &reply.backend, reply.outcome, reply.series))
        });
        self.output((puzzle, number), end.map_or_else(|end| end, |run| Ok(Some(run))))
    }

    /// A run that starts or resumes, or how it ends without evolution.
    fn job(&self, item: &RunItem) -> Result<RunJob<RunObservers<'_>>, RunEnd> {
        let (puzzle, number) = item;
        let PreparedPuzzle { space, config } = self.prepared(puzzle)?;
        let observer = RunObservers {
            item: item.clone(),
            shown: None,
            logs: None,
            history: self.exporter.history(*number),
            checkpointer: None,
            messages: &self.messages,
        };
        let mut job = RunJob::new(space, config, self.seed_of(*number), observer);
        if let Some(checkpoints) = &self.checkpoints {
            self.resume(checkpoints, puzzle, *number, &mut job)?;
        }
        let (run, observer) = job.parts(self.interrupted);
        if self.batched.is_none() {
            let info = self.backend_info(run.config, rayon::current_num_threads());
            observer.shown = self.messages.display.watcher(&run, &info, self.messages.notes);
        }
        let mut logs = lock(&self.logs);
        if !logs.is_empty() {
            logs.begin(&run);
            observer.logs = Some(&self.logs);
        }
        drop(logs);
        Ok(job)
    }

    /// Resumes a run from the checkpoint of the command: the run's result, or its population.
    fn resume<'s>(
        &self,
        checkpoints: &'s CheckpointWriter,
        puzzle: &ListedPuzzle,
        number: u32,
        job: &mut RunJob<RunObservers<'s>>,
    ) -> Result<(), RunEnd> {
        let id: RunId = (puzzle.place, number);
        let of_run = |error: Error, run: &Run<'_>| Err(of_run(error, run));
        let run = job.run(self.interrupted);
        let completed = checkpoints.completed(id).map_err(|error| of_run(error.into(), &run))?;
        if let Some(mut completed) = completed {
            let history = completed.history.take();
            let outcome = outcome_of(&run, completed).map_err(|error| of_run(error, &run))?;
            let backend = self.backend_info(run.config, rayon::current_num_threads());
            let curve = self.exporter.curve(&run, history);
            return Err(Ok(Some(self.ended(puzzle, &run, &backend, outcome, curve))));
        }
        if let Some(stored) = checkpoints.under_way(id) {
            let from = stored.restore(&run).map_err(|error| of_run(error.into(), &run))?;
            job.resume_from = Some(from);
            job.observer.history = stored.snapshot.history.or(job.observer.history.take());
        }
        let run = job.run(self.interrupted);
        let checkpointer = RunCheckpointer::new(checkpoints, id, &run);
        let checkpointer = checkpointer.map_err(|error| of_run(error.into(), &run))?;
        job.observer.checkpointer = Some(checkpointer);
        Ok(())
    }
}

impl<'s> Jobs for &'s SolveRuns<'_> {
    type Item = RunItem;
    type Observer = RunObservers<'s>;
    type Result = RunOutput;

    fn prepare(&self, item: RunItem) -> Result<RunJob<RunObservers<'s>>, RunOutput> {
        let all = *self;
        all.job(&item).map_err(|end| all.output(item, end))
    }

    fn finish(
        &self,
        mut job: RunJob<RunObservers<'s>>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> RunOutput {
        let (puzzle, number) = job.observer.item.clone();
        let history = job.observer.history.take();
        let run = job.run(self.interrupted);
        let end = match outcome {
            Err(error) => Err(of_run(error.into(), &run)),
            // Of a batch many runs wait that have not begun.
            Ok(Outcome { stop_reason: StopReason::Interrupted, evaluations: 0, .. })
                if self.batched.is_some() =>
            {
                Ok(None)
            }
            Ok(outcome) => {
                if let Some(mut logs) = job.observer.logs.map(lock) {
                    logs.ended(&outcome);
                }
                if let Some(checkpoints) = &self.checkpoints {
                    let id = (puzzle.place, number);
                    let offsets = || lock(&self.logs).offsets();
                    let warning =
                        checkpoints.run_ended(id, &run, &outcome, history.as_ref(), offsets);
                    warning.iter().for_each(|warning| self.messages.warn(warning));
                }
                let backend = self.backend_info(run.config, threads);
                let curve = self.exporter.curve(&run, history);
                Ok(Some(self.ended(&puzzle, &run, &backend, outcome, curve)))
            }
        };
        // The display of the run leaves the terminal before the result is printed.
        drop(job);
        self.output((puzzle, number), end)
    }
}
