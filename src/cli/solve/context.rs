//! Solves one puzzle after the other on a worker of the pool.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Error, Result};

use super::checkpoint::CheckpointWriter;
use super::display::Display;
use super::exporter::{HistoryObserver, RunExporter};
use super::generation_log::GenerationLog;
use super::mpi_islands::RootIslands;
use super::observers::RunObservers;
use super::progress::ListBar;
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::cli::config_args::ConfigArgs;
use crate::cli::exports::tell;
use crate::cli::input::say_shape;
use crate::cli::output::Logger;
use crate::cli::summary;
use crate::cli::tui::Throttle;
use crate::exact::proves_unsolvable;
use crate::format::ParsedPuzzle;
use crate::ga::{Config, Outcome, Run, StopReason};
use crate::report::{BoardView, CurvePoint, OutputError, RunRecord};
use crate::run::{BackendInfo, SolveError, Solver, Worker};
use crate::store::RunCheckpointer;

/// What the runs of one command share.
pub struct SolveContext<'a> {
    pub solver: Solver,
    /// Whether the CPU breeds and scores the puzzles of a list, so that several go side by side.
    pub on_cpu: bool,
    /// The seed of the first run of each puzzle, and how many runs there are of each.
    pub seed: u64,
    pub runs: u32,
    /// What is exported.
    pub ledger: RunExporter,
    /// Written by one worker alone.
    pub logs: Mutex<GenerationLog>,
    /// What checkpoints are kept by, if any are.
    pub keeper: Option<CheckpointWriter>,
    pub messages: Messages,
    /// Ranks that share the islands of each run.
    pub islands: Option<RootIslands<'a>>,
    pub interrupted: &'a AtomicBool,
}

/// What is said and shown while puzzles are solved.
pub struct Messages {
    pub notes: Logger,
    /// The bar of the list.
    pub bar: ListBar,
    /// How each run is shown.
    pub face: Display,
    /// How fast generations may follow each other, if that is asked for.
    pub pace: Option<Arc<Throttle>>,
    /// Where the settings are from.
    pub configure: ConfigArgs,
    /// Whether it was said what the first puzzle made of them.
    pub choices_said: AtomicBool,
    /// Shapes that were remarked on.
    pub shapes_said: Mutex<HashSet<Geometry>>,
}

/// What came of a puzzle.
pub enum PuzzleOutcome {
    /// Its runs ended; `impossible` if none had a solution and exact search shows that there is
    /// none.
    Ended { puzzle: Puzzle, runs: Vec<FinishedRun>, impossible: bool },
    /// There is no puzzle, it has no solution, or a run failed after those that ended.
    Failed { puzzle: Option<Puzzle>, runs: Vec<FinishedRun>, error: Error },
    /// It was interrupted before it began.
    Untouched,
}

/// A run that ended.
pub struct FinishedRun {
    pub outcome: Outcome,
    /// What to say of it on stderr.
    pub remark: String,
    /// What is still to be exported of it, once it was printed.
    pub record: Option<RunRecord>,
}

/// A puzzle that is ready to be run.
pub struct PreparedPuzzle {
    pub space: Arc<SearchSpace>,
    pub config: Arc<Config>,
}

/// An error, and which run it is of.
pub fn of_run(error: Error, run: &Run<'_>) -> Error {
    error.context(format!("{}, seed {}", run.space.puzzle.name, run.seed))
}

impl SolveContext<'_> {
    /// Runs the puzzle in a place of the input, from 0, with each of its seeds.
    pub fn solve(
        &self,
        worker: &mut Worker<'_>,
        (place, reading): (u64, Result<ParsedPuzzle>),
    ) -> PuzzleOutcome {
        let prepared = match self.prepare(reading) {
            Ok(prepared) => prepared,
            Err(answer) => return answer,
        };
        let (mut runs, mut failure) = (Vec::new(), None);
        let backend = self.solver.backend().info_for(&prepared.config, worker.threads());
        for number in 0..self.runs {
            let PreparedPuzzle { space, config } = &prepared;
            let run = self.solver.run(space, config, self.seed_of(number), self.interrupted);
            let mut watched = self.ledger.watched(number == 0);
            match self.done_or_evolved(worker, (place, number), &run, &backend, &mut watched) {
                Ok(outcome) => {
                    let curve = self.ledger.went(&run, watched);
                    runs.push(self.ended(&run, &backend, outcome, curve));
                }
                Err(error) => failure = Some(of_run(error, &run)),
            }
            let interrupted =
                |run: &FinishedRun| run.outcome.stop_reason == StopReason::Interrupted;
            if failure.is_some() || runs.last().is_some_and(interrupted) {
                break;
            }
        }
        self.answer(&prepared.space, runs, failure)
    }

    /// Makes a puzzle ready to be run, or says why it cannot be.
    pub fn prepare(&self, reading: Result<ParsedPuzzle>) -> Result<PreparedPuzzle, PuzzleOutcome> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(PuzzleOutcome::Untouched);
        }
        let failed = |puzzle, error| self.failed(puzzle, Vec::new(), error);
        let reading = reading.map_err(|error| failed(None, error))?;
        self.messages.remark_on(&reading);
        let name = &reading.puzzle.name;
        let (space, config) = self.solver.prepare(&reading.puzzle).map_err(|error| {
            let error = match error {
                SolveError::Contradictory(_) => {
                    Error::new(error).context(format!("{name} has no solution"))
                }
                other => Error::new(other).context(name.clone()),
            };
            failed(Some(reading.puzzle.clone()), error)
        })?;
        let run = self.solver.run(&space, &config, self.seed, self.interrupted);
        // Of a run whose islands are shared each rank checks its own.
        if self.islands.is_none()
            && let Err(error) = run.check_memory()
        {
            return Err(failed(Some(reading.puzzle), of_run(error.into(), &run)));
        }
        self.messages.log_parameters(&self.solver, &config, &space);
        Ok(PreparedPuzzle { space: Arc::new(space), config: Arc::new(config) })
    }

    /// The seed of a puzzle's run, counted from 0.
    pub fn seed_of(&self, number: u32) -> u64 {
        self.seed.wrapping_add(number.into())
    }

    /// What is kept of a run, which is exported at once.
    pub fn ended(
        &self,
        run: &Run<'_>,
        backend: &BackendInfo,
        outcome: Outcome,
        curve: Vec<CurvePoint>,
    ) -> FinishedRun {
        let record = || RunRecord::new(run.space, run.config, run.seed, backend, &outcome);
        let mut record = self.ledger.is_wanted().then(record);
        if let Some(record) = &record {
            let (geometry, givens) = (run.space.geometry(), run.space.puzzle.givens.clone());
            let board = BoardView { geometry, cells: outcome.board.clone(), givens };
            self.messages.tell(self.ledger.ended(record, board, curve));
        }
        record = record.filter(|_| self.ledger.is_streamed());
        let brief = self.runs > 1 && !self.messages.notes.verbose;
        let remark = match brief {
            true => summary::of_run_among_others(run, &outcome),
            false => summary::of_run(run, backend, &outcome),
        };
        FinishedRun { remark, record, outcome }
    }

    /// What came of a puzzle.
    pub fn answer(
        &self,
        space: &SearchSpace,
        runs: Vec<FinishedRun>,
        failure: Option<Error>,
    ) -> PuzzleOutcome {
        let puzzle = space.puzzle.clone();
        if let Some(error) = failure {
            return self.failed(Some(puzzle), runs, error);
        }
        let gave_up = runs.iter().all(|run| run.outcome.stop_reason.is_budget());
        let impossible = gave_up && proves_unsolvable(&puzzle, Some(self.interrupted));
        PuzzleOutcome::Ended { puzzle, runs, impossible }
    }

    /// What came of a puzzle that could not be run to the end.
    fn failed(
        &self,
        puzzle: Option<Puzzle>,
        runs: Vec<FinishedRun>,
        error: Error,
    ) -> PuzzleOutcome {
        if let Some(puzzle) = &puzzle {
            self.messages.tell(self.ledger.not_run(puzzle));
        }
        PuzzleOutcome::Failed { puzzle, runs, error }
    }

    /// Runs, and writes what is to be written of each generation.
    pub fn evolve(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        backend: &BackendInfo,
        watched: &mut Option<HistoryObserver>,
        checkpointer: Option<RunCheckpointer<'_, CheckpointWriter>>,
    ) -> Result<Outcome> {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        if logs.is_empty() {
            // Nothing is written: the others need not wait.
            drop(logs);
            return self.watch(worker, run, backend, None, watched, checkpointer);
        }
        logs.begin(run);
        let outcome = self.watch(worker, run, backend, Some(&mut *logs), watched, checkpointer)?;
        logs.ended(&outcome);
        Ok(outcome)
    }

    fn watch(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        backend: &BackendInfo,
        logs: Option<&mut GenerationLog>,
        watched: &mut Option<HistoryObserver>,
        checkpointer: Option<RunCheckpointer<'_, CheckpointWriter>>,
    ) -> Result<Outcome> {
        let messages = &self.messages;
        let shown = messages.face.watcher(run, backend, messages.notes);
        let mut watchers =
            RunObservers { shown, logs, watched: watched.as_mut(), checkpointer, messages };
        Ok(match &self.islands {
            Some(islands) => islands.evolve(worker, run, &mut watchers, messages.notes)?,
            None => worker.run(run, &mut watchers)?,
        })
    }
}

impl Messages {
    /// Once for a list of boards of one shape.
    fn remark_on(&self, reading: &ParsedPuzzle) {
        let mut said = self.shapes_said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(reading.puzzle.geometry) {
            self.bar.suspend(|| say_shape(reading, self.notes));
        }
    }

    /// Tells which exports failed.
    pub fn tell(&self, failed: Vec<OutputError>) {
        self.bar.suspend(|| tell(failed));
    }

    /// What the first puzzle made of the settings; of a list, each puzzle's own is not said.
    fn log_parameters(&self, solver: &Solver, config: &Config, space: &SearchSpace) {
        if self.choices_said.swap(true, Ordering::Relaxed) {
            return;
        }
        let say = |text: &str| self.bar.suspend(|| self.notes.say(text));
        let detail = |text: &str| self.bar.suspend(|| self.notes.detail(text));
        let backend = solver.backend();
        backend.reason_for(config).into_iter().for_each(say);
        for parameter in self.configure.idle(config) {
            let name = parameter.name;
            say(&format!("{name} was set, but means nothing with the other parameters"));
        }
        let settings = solver.settings();
        summary::of_choices(settings, config, space).iter().for_each(|chosen| detail(chosen));
        summary::of_islands(config, space).iter().for_each(|split| say(split));
        summary::of_few_children(settings, config).iter().for_each(|few| say(few));
    }
}

impl Messages {
    /// Says what should be known of a run that is not shown by itself.
    pub fn warn(&self, message: &str) {
        self.bar.suspend(|| self.notes.warn(message));
    }
}
