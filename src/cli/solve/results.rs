//! What came of each puzzle, printed and written in the order of the input.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use anyhow::{Result, anyhow};

use super::bar::ListBar;
use super::tally::Tally;
use super::worker::{Answer, Ended, Session};
use crate::board::Puzzle;
use crate::cli::exports::tell;
use crate::cli::output::{Notes, print};
use crate::cli::summary::{self, Layout};
use crate::cli::{Exit, print_error};
use crate::evolve::{Outcome, StopReason};
use crate::report::{Entry, Exports, NotRun, SolvedRuns};

/// Takes answers in order.
pub struct Answers {
    layout: Layout,
    /// Runs asked for of each puzzle.
    runs: u32,
    /// Whether there are several puzzles: each then has a line on stderr only if it is unsolved,
    /// and all of them a summary.
    list: bool,
    notes: Notes,
    bar: ListBar,
    exports: Exports,
    /// What is exported.
    document: SolvedRuns,
    /// Whether a board stands on stdout already.
    printed: bool,
    tally: Tally,
    exit: Exit,
}

impl Answers {
    /// Nothing yet.
    pub fn new(
        layout: Layout,
        runs: u32,
        list: bool,
        notes: Notes,
        bar: ListBar,
        exports: Exports,
    ) -> Self {
        let (tally, exit) = (Tally::begin(), Exit::Done);
        let document = SolvedRuns::default();
        Self { layout, runs, list, notes, bar, exports, document, printed: false, tally, exit }
    }

    /// Prints and then writes what came of the next puzzle. An export that fails is told, and keeps
    /// nothing else from being written.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn take(&mut self, answer: Answer) -> Result<()> {
        let mut printed = Ok(());
        let exit = match answer {
            Answer::Untouched => Exit::Interrupted,
            Answer::Ended { puzzle, runs, impossible } => {
                let exit = runs.iter().map(|run| exit_of(&run.outcome)).max();
                printed = self.print(&puzzle, &runs);
                self.write(&runs);
                if impossible {
                    let shown = "exact search has tried everything";
                    let error = anyhow!("{} has no solution: {shown}", puzzle.name);
                    self.bar.suspend(|| print_error(&error));
                }
                exit.unwrap_or(Exit::Done).max(if impossible { Exit::Failure } else { Exit::Done })
            }
            Answer::Failed { puzzle, runs, error } => {
                self.write(&runs);
                if let Some(puzzle) = &puzzle {
                    self.export(&NotRun(puzzle));
                }
                self.bar.suspend(|| print_error(&error));
                self.tally.failed();
                Exit::Failure
            }
        };
        self.exit = self.exit.max(exit);
        self.bar.done(self.tally.solved());
        printed
    }

    fn write(&mut self, runs: &[Ended]) {
        for run in runs {
            self.tally.ended(&run.outcome);
            if let Some(record) = &run.record {
                if self.exports.remember() {
                    self.document.note(record);
                }
                self.export(record);
            }
        }
    }

    fn export(&mut self, entry: &dyn Entry) {
        let failed = self.exports.push(&self.document, entry);
        self.bar.suspend(|| tell(failed));
    }

    fn print(&mut self, puzzle: &Puzzle, runs: &[Ended]) -> Result<()> {
        let mut remarks = Vec::new();
        let mut outcomes = Vec::new();
        for run in runs {
            match (self.list, run.outcome.solved()) {
                (false, _) => remarks.push(run.remark.as_str()),
                (true, true) => {}
                (true, false) => remarks.extend(run.remark.lines().next()),
            }
            outcomes.push(run.outcome.clone());
        }
        let gap = if self.printed && self.layout == Layout::Grid { "\n" } else { "" };
        self.printed = true;
        let text = summary::of_result(puzzle.geometry, &outcomes, self.layout, self.runs);
        self.bar.suspend(|| {
            remarks.iter().for_each(|remark| self.notes.say(remark));
            print(&format!("{gap}{text}"))
        })?;
        Ok(())
    }

    /// Writes what is still missing, and sums up; `jobs` puzzles were under way at a time.
    pub fn finish(mut self, session: &Session<'_>, jobs: usize) -> Exit {
        self.bar.finish();
        tell(self.exports.finish(&self.document));
        let mut trace = session.trace.lock().unwrap_or_else(PoisonError::into_inner);
        let traced = trace.as_mut().is_none_or(|trace| {
            trace.flush();
            tell(trace.failure().into_iter().collect());
            trace.is_whole()
        });
        if self.list {
            self.notes.say(&self.tally.text(session, jobs));
        }
        // What was not read yet has no answer that would tell.
        let interrupted = session.interrupted.load(Ordering::Relaxed);
        let written = traced && !self.exports.failed(None);
        match (interrupted, written) {
            (true, _) => Exit::Interrupted,
            (false, true) => self.exit,
            (false, false) => self.exit.max(Exit::Failure),
        }
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
