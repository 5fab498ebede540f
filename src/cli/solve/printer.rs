//! What came of each puzzle, printed in the order of the input.

use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use anyhow::{Result, anyhow};

use super::context::{FinishedRun, PuzzleOutcome, SolveContext};
use super::list_summary::ListSummary;
use super::observers::not_kept;
use super::progress::ListBar;
use crate::board::Puzzle;
use crate::cli::Exit;
use crate::cli::exports::tell;
use crate::cli::output::{Logger, print, print_error};
use crate::cli::summary::{self, BoardText, Layout};
use crate::cli::tui::PuzzleStatus;
use crate::ga::{Outcome, StopReason};
use crate::report::{OutputKind, ReportRow};

/// Takes answers in order.
pub struct AnswerPrinter {
    /// How boards are printed, if they are.
    text: Option<BoardText>,
    /// Runs asked for of each puzzle.
    runs: u32,
    /// Whether there are several puzzles: each then has a line on stderr only if it is unsolved,
    /// and all of them a summary.
    list: bool,
    notes: Logger,
    bar: ListBar,
    /// Whether anything is written to files.
    written: bool,
    /// Whether a board stands on stdout already.
    printed: bool,
    /// Whether nobody reads stdout any more.
    unread: bool,
    tally: ListSummary,
    exit: Exit,
}

impl AnswerPrinter {
    /// Nothing yet.
    pub fn new(
        text: Option<BoardText>,
        runs: u32,
        list: bool,
        notes: Logger,
        bar: ListBar,
        written: bool,
        earlier: Option<usize>,
    ) -> Self {
        let (tally, exit) = (ListSummary::begin(earlier), Exit::Done);
        let (printed, unread) = (false, false);
        Self { text, runs, list, notes, bar, written, printed, unread, tally, exit }
    }

    /// Prints what came of the next puzzle, and then writes it to what is no file. An export that
    /// fails is told, and keeps nothing else from being written. Where nobody reads what is printed,
    /// and nothing is written, no more answers are wanted.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn take(
        &mut self,
        session: &SolveContext<'_>,
        answer: PuzzleOutcome,
    ) -> Result<ControlFlow<()>> {
        let mut printed = Ok(true);
        if let Some((name, verdict)) = verdict(&answer) {
            session.messages.face.done(name, verdict);
        }
        let exit = match answer {
            PuzzleOutcome::Untouched => Exit::Interrupted,
            PuzzleOutcome::Ended { puzzle, runs, impossible } => {
                let exit = runs.iter().map(|run| exit_of(&run.outcome)).max();
                printed = self.print(&puzzle, &runs);
                self.write(session, &runs);
                if impossible {
                    let shown = "exact search has tried everything";
                    let error = anyhow!("{} has no solution: {shown}", puzzle.name);
                    self.bar.suspend(|| print_error(&error));
                }
                exit.unwrap_or(Exit::Done).max(if impossible { Exit::Failure } else { Exit::Done })
            }
            PuzzleOutcome::Failed { puzzle, runs, error } => {
                self.write(session, &runs);
                if let Some(puzzle) = &puzzle {
                    session
                        .messages
                        .tell(session.ledger.write(ReportRow::NotRun(puzzle), OutputKind::Pipe));
                }
                self.bar.suspend(|| print_error(&error));
                self.tally.failed();
                Exit::Failure
            }
        };
        self.exit = self.exit.max(exit);
        self.bar.done(self.tally.solved());
        self.unread |= !printed?;
        let useless = self.unread && !self.written;
        Ok(if useless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn write(&mut self, session: &SolveContext<'_>, runs: &[FinishedRun]) {
        for run in runs {
            self.tally.ended(&run.outcome);
            if let Some(record) = &run.record {
                session
                    .messages
                    .tell(session.ledger.write(ReportRow::Run(record), OutputKind::Pipe));
            }
        }
    }

    /// Whether anybody read it.
    fn print(&mut self, puzzle: &Puzzle, runs: &[FinishedRun]) -> Result<bool> {
        let mut remarks = Vec::new();
        let mut outcomes = Vec::new();
        for run in runs {
            match (self.list && !self.notes.verbose, run.outcome.solved()) {
                (false, _) => remarks.push(run.remark.as_str()),
                (true, true) => {}
                (true, false) => remarks.extend(run.remark.lines().next()),
            }
            outcomes.push(run.outcome.clone());
        }
        let say = || remarks.iter().for_each(|remark| self.notes.say(remark));
        let Some(text) = &self.text else {
            self.bar.suspend(say);
            return Ok(true);
        };
        let gap = if self.printed && text.layout == Layout::Grid { "\n" } else { "" };
        self.printed = true;
        let text = summary::of_result(puzzle.geometry, &outcomes, text, self.runs);
        let read = self.bar.suspend(|| {
            say();
            print(&format!("{gap}{text}"))
        })?;
        Ok(read)
    }

    /// Writes what is still missing, and sums up; `jobs` puzzles were under way at a time.
    pub fn finish(self, session: &SolveContext<'_>, jobs: usize) -> Exit {
        self.bar.finish();
        tell(session.ledger.finish());
        let mut logs = session.logs.lock().unwrap_or_else(PoisonError::into_inner);
        let (failed, logged) = logs.finish();
        tell(failed);
        if self.list {
            self.notes.say(&self.tally.text(session, jobs));
        }
        // What was not read yet has no answer that would tell.
        let interrupted = session.interrupted.load(Ordering::Relaxed) && !self.unread;
        let written = logged && !session.ledger.failed();
        let exit = match (interrupted, written) {
            (true, _) => Exit::Interrupted,
            (false, true) => self.exit,
            (false, false) => self.exit.max(Exit::Failure),
        };
        if let Some(keeper) = &session.keeper {
            keeper.cost().iter().for_each(|cost| self.notes.detail(cost));
            // A run that has spent its budget may get more.
            let is_over = exit < Exit::Failure && (keeper.has_many() || exit == Exit::Done);
            if let Some(failed) = keeper.finish(is_over) {
                self.notes.warn(&not_kept(&failed));
            }
            if let Some(path) = keeper.path().filter(|_| !is_over) {
                let shown = path.display();
                let how = match exit {
                    Exit::Not => " with a larger budget, as with --max-generations or --max-work",
                    _ => "",
                };
                self.notes.say(&format!(
                    "{shown} holds the checkpoint: solve --resume {shown} goes on{how}"
                ));
            }
        }
        exit
    }
}

/// What came of a puzzle, for the list on the screen.
fn verdict(answer: &PuzzleOutcome) -> Option<(&str, PuzzleStatus)> {
    match answer {
        PuzzleOutcome::Ended { puzzle, runs, .. } => {
            let solved = runs.iter().any(|run| run.outcome.solved());
            Some((&puzzle.name, if solved { PuzzleStatus::Solved } else { PuzzleStatus::Unsolved }))
        }
        PuzzleOutcome::Failed { puzzle, .. } => {
            let name = puzzle.as_ref().map_or("(unreadable)", |puzzle| puzzle.name.as_str());
            Some((name, PuzzleStatus::Failed))
        }
        PuzzleOutcome::Untouched => None,
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
