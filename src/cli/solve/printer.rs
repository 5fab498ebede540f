//! The results of each puzzle, printed in the order of the input, and the summary of a list.

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::{Error, Result, anyhow};

use super::runs::{FinishedRun, ListedPuzzle, RunOutput, SolveRuns};
use crate::board::Puzzle;
use crate::cli::Exit;
use crate::cli::exports::tell;
use crate::cli::output::{print, print_error};
use crate::cli::summary::{self, BoardText, Layout};
use crate::cli::tui::PuzzleStatus;
use crate::ga::{Outcome, StopReason};
use crate::report::{ReportRow, Uniqueness};
use crate::statistics::{CensoredQuantiles, FEWEST, wilson};
use crate::util::{lock, quantity};

/// Prints results in order.
pub struct ResultPrinter {
    /// How boards are printed, if they are.
    text: Option<BoardText>,
    /// Whether there are several puzzles: each then has a line on stderr only if it is unsolved or is known to
    /// have other solutions, and all of them a summary.
    list: bool,
    /// Whether anything is written to files.
    written: bool,
    /// Whether a board was printed before.
    printed: bool,
    /// Whether the reader of stdout is gone.
    unread: bool,
    /// The runs of the next puzzle that have ended, and why it has no more.
    ended: Vec<FinishedRun>,
    failure: Option<Error>,
    summary: ListSummary,
    exit: Exit,
}

impl ResultPrinter {
    /// Nothing yet.
    pub fn new(text: Option<BoardText>, list: bool, written: bool, earlier: Option<usize>) -> Self {
        Self {
            text,
            list,
            written,
            printed: false,
            unread: false,
            ended: Vec::new(),
            failure: None,
            summary: ListSummary::begin(earlier),
            exit: Exit::Done,
        }
    }

    /// Takes the result of the next run. With the last run of a puzzle it prints all of them, and then writes
    /// them to exports that are no file. An export that fails is reported, and keeps nothing else from being
    /// written. `Break` where the reader of stdout is gone and nothing is written: no more results are wanted.
    ///
    /// # Errors
    /// When a result cannot be printed.
    pub fn take(
        &mut self,
        all: &SolveRuns<'_>,
        RunOutput { puzzle, number, end }: RunOutput,
    ) -> Result<ControlFlow<()>> {
        let is_interrupted = |run: &FinishedRun| run.outcome.stop_reason == StopReason::Interrupted;
        // Runs of a batch may end after one that failed or was interrupted: they are not printed.
        if self.failure.is_none() && !self.ended.last().is_some_and(is_interrupted) {
            match end {
                Ok(run) => self.ended.extend(run.map(|run| *run)),
                Err(error) => self.failure = Some(error),
            }
        }
        if number + 1 < all.runs {
            return Ok(ControlFlow::Continue(()));
        }
        let (runs, failure) = (std::mem::take(&mut self.ended), self.failure.take());
        let printed = self.take_puzzle(all, &puzzle, &runs, failure);
        all.messages.done(self.summary.solved());
        self.unread |= !printed?;
        let useless = self.unread && !self.written;
        Ok(if useless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Prints a puzzle whose runs have ended. False where the reader is gone.
    fn take_puzzle(
        &mut self,
        all: &SolveRuns<'_>,
        listed: &ListedPuzzle,
        runs: &[FinishedRun],
        failure: Option<Error>,
    ) -> Result<bool> {
        let puzzle = listed.puzzle();
        let solved = runs.iter().any(|run| run.outcome.solved());
        let (status, mut exit) = match &failure {
            Some(_) => (PuzzleStatus::Failed, Exit::Failure),
            // It was interrupted before it began.
            None if runs.is_empty() => {
                self.exit = self.exit.max(Exit::Interrupted);
                return Ok(true);
            }
            None if solved => (PuzzleStatus::Solved, Exit::Done),
            None => (PuzzleStatus::Unsolved, Exit::Done),
        };
        let name = puzzle.as_ref().map_or("(unreadable)", |puzzle| puzzle.name.as_str());
        all.messages.display.done(name, status);
        let printed = match (&failure, &puzzle) {
            (None, Some(puzzle)) => self.print(all, puzzle, runs),
            _ => Ok(true),
        };
        for run in runs {
            self.summary.ended(&run.outcome);
            if let Some(record) = &run.record {
                all.messages.tell(all.exporter.printed(ReportRow::Run(record)));
            }
        }
        if let Some(error) = &failure {
            if let Some(puzzle) = &puzzle {
                all.messages.tell(all.exporter.printed(ReportRow::NotRun(puzzle)));
            }
            all.messages.bar.suspend(|| print_error(error));
            self.summary.failed += 1;
        } else {
            exit = runs.iter().map(|run| exit_of(&run.outcome)).fold(exit, Exit::max);
            if listed.is_impossible(all.interrupted) {
                let error = anyhow!("{name} has no solution, as a check after the run proved");
                all.messages.bar.suspend(|| print_error(&error));
                exit = exit.max(Exit::Failure);
            }
        }
        self.exit = self.exit.max(exit);
        printed
    }

    /// Prints the runs of a puzzle. False where the reader of stdout is gone.
    fn print(
        &mut self,
        all: &SolveRuns<'_>,
        puzzle: &Puzzle,
        runs: &[FinishedRun],
    ) -> Result<bool> {
        let brief = self.list && !all.messages.notes.verbose;
        let is_told = |run: &&FinishedRun| {
            !brief || !run.outcome.solved() || run.uniqueness == Some(Uniqueness::Several)
        };
        let say = || {
            for run in runs.iter().filter(is_told) {
                let first = run.remark.lines().next().filter(|_| brief);
                all.messages.notes.say(first.unwrap_or(&run.remark));
            }
        };
        let Some(text) = &self.text else {
            all.messages.bar.suspend(say);
            return Ok(true);
        };
        let gap = if self.printed && text.layout == Layout::Grid { "\n" } else { "" };
        self.printed = true;
        let outcomes: Vec<Outcome> = runs.iter().map(|run| run.outcome.clone()).collect();
        let text = summary::of_result(puzzle.geometry, &outcomes, text, all.runs);
        Ok(all.messages.bar.suspend(|| {
            say();
            print(&format!("{gap}{text}"))
        })?)
    }

    /// Completes all files, and prints the summary of a list, of which `jobs` runs were under way at a time.
    pub fn finish(self, all: &SolveRuns<'_>, jobs: usize) -> Exit {
        all.messages.bar.finish_and_clear();
        tell(all.exporter.finish());
        let (failed, logged) = lock(&all.logs).finish();
        tell(failed);
        if self.list {
            all.messages.notes.say(&self.summary.text(all, jobs));
        }
        // Puzzles that were not read yet have no result with this exit code.
        let interrupted = all.is_interrupted() && !self.unread;
        let written = logged && !all.exporter.failed();
        let exit = match (interrupted, written) {
            (true, _) => Exit::Interrupted,
            (false, true) => self.exit,
            (false, false) => self.exit.max(Exit::Failure),
        };
        if let Some(checkpoints) = &all.checkpoints {
            // A run that has spent its budget may be resumed with more.
            let is_over = exit < Exit::Failure && (checkpoints.many || exit == Exit::Done);
            checkpoints.finish(is_over).iter().for_each(|warning| all.messages.warn(warning));
            if let Some(path) = checkpoints.path().filter(|_| !is_over) {
                let shown = path.display();
                let how = match exit {
                    Exit::Not => ", with a larger --max-generations, --max-work or --time-limit",
                    _ => "",
                };
                all.messages.notes.say(&format!(
                    "checkpoint in {shown}: continue with evodoku solve --resume {shown}{how}"
                ));
            }
        }
        exit
    }
}

fn exit_of(outcome: &Outcome) -> Exit {
    match outcome.stop_reason {
        StopReason::Interrupted => Exit::Interrupted,
        StopReason::Lost => Exit::Failure,
        _ if outcome.solved() => Exit::Done,
        _ => Exit::Not,
    }
}

/// Counts runs, and collects the cost of the successful ones.
struct ListSummary {
    start: Instant,
    /// Runs that had ended before the command was resumed, if it was.
    earlier: Option<usize>,
    /// Puzzles that were not run or whose run failed.
    failed: usize,
    presolved: usize,
    /// Runs of evolution.
    evolved: usize,
    /// Seconds and work of those with a solution.
    seconds: Vec<f64>,
    work: Vec<f64>,
}

impl ListSummary {
    /// A summary that starts now, after runs that ended earlier.
    fn begin(earlier: Option<usize>) -> Self {
        let (start, seconds, work) = (Instant::now(), Vec::new(), Vec::new());
        Self { start, earlier, failed: 0, presolved: 0, evolved: 0, seconds, work }
    }

    fn ended(&mut self, outcome: &Outcome) {
        match outcome.stop_reason {
            StopReason::Presolved => self.presolved += 1,
            // Whether it would have found a solution is unknown.
            StopReason::Interrupted | StopReason::Observer | StopReason::Lost => {}
            _ => {
                self.evolved += 1;
                if outcome.solved() {
                    self.seconds.push(outcome.elapsed.as_secs_f64());
                    self.work.push(outcome.work() as f64);
                }
            }
        }
    }

    /// Runs with a solution, presolved ones included.
    fn solved(&self) -> usize {
        self.presolved + self.seconds.len()
    }

    /// The summary as text. Solutions by presolve alone are no success of evolution, and a run
    /// without a solution counts as longer than any with one.
    fn text(&self, all: &SolveRuns<'_>, jobs: usize) -> String {
        let runs = self.presolved + self.evolved;
        let wall = self.start.elapsed().as_secs_f64();
        let ended = all.is_interrupted();
        let unit = if all.runs > 1 { " runs" } else { "" };
        let solved = format!("solved {} of {}{unit}", count(self.solved()), count(runs));
        let mut text = match (ended, runs) {
            (true, 0) => "interrupted before a run ended".to_owned(),
            (true, _) => format!("interrupted, {solved}"),
            (false, _) => solved,
        };
        if self.failed > 0 {
            text += &format!(", and {} could not be run", count(self.failed));
        }
        if runs > 0 {
            let hint = if self.evolved == 0 { " (use --presolve none to evolve them)" } else { "" };
            text += &format!(": presolve alone {}{hint}, evolution ", count(self.presolved));
            text += &format!("{} of {}", count(self.seconds.len()), count(self.evolved));
        }
        let found = wilson(self.seconds.len(), self.evolved).filter(|_| self.evolved >= FEWEST);
        if let Some(found) = found {
            let (low, high) = (100.0 * found.low, 100.0 * found.high);
            text += &format!(" (95 % interval {low:.1} to {high:.1} %)");
        }
        let unsolved = self.evolved - self.seconds.len();
        if self.evolved > 0 {
            let seconds = CensoredQuantiles::of(self.seconds.iter().copied(), unsolved);
            let work = CensoredQuantiles::of(self.work.iter().copied(), unsolved);
            text += &line("time", &seconds, quantity::time);
            text += &line("work", &work, |work| count(work.round() as usize));
        }
        // Runs that ended earlier say nothing about the rate.
        let now = runs.saturating_sub(self.earlier.unwrap_or(0)) as f64;
        let since = if self.earlier.is_some() { " since it was resumed" } else { "" };
        let backend = &all.solver.backend;
        let adapter = if all.parallelism.on_cpu { None } else { backend.info(0).adapter };
        let place = match adapter {
            Some(adapter) if backend.is_auto() => format!("the CPU and {adapter}"),
            Some(adapter) => adapter,
            None => "the CPU".to_owned(),
        };
        text += &format!(
            "\n  {}{since}, {:.1} puzzles/s, {jobs} at a time on {place}\n  {}, presolve {}, seed {}",
            quantity::time(wall),
            now / f64::from(all.runs) / wall.max(1e-9),
            all.solver.settings.preset,
            all.solver.settings.presolve(),
            all.seed,
        );
        text
    }
}

fn line(name: &str, spread: &CensoredQuantiles, show: impl Fn(f64) -> String) -> String {
    let show = |figure: Option<f64>| figure.map_or_else(|| "unsolved".to_owned(), &show);
    let [median, most, worst] = [spread.median, spread.ninth_decile, spread.worst].map(show);
    if median == worst {
        let quantile = if spread.median.is_none() { "median " } else { "" };
        return format!("\n  {name}: {quantile}{median}");
    }
    format!("\n  {name}: median {median}, 90th percentile {most}, worst {worst}")
}

fn count(number: usize) -> String {
    quantity::count(number as u64)
}
