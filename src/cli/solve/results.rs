//! What came of each puzzle, printed and written in the order of the input.

use std::sync::atomic::Ordering;

use crate::board::Puzzle;
use crate::evolve::{Outcome, StopReason};
use crate::report::{Export, PuzzleRows};
use anyhow::{Result, anyhow};

use super::bar::ListBar;
use super::tally::Tally;
use super::worker::{Answer, Ended, Session};
use crate::cli::output::{Notes, print};
use crate::cli::summary::{self, Layout};
use crate::cli::{Exit, print_error};

/// Takes answers in order.
pub struct Results {
    layout: Layout,
    /// Runs asked for of each puzzle.
    runs: u32,
    /// Whether there are several puzzles: each then has a line on stderr only if it is unsolved,
    /// and all of them a summary.
    list: bool,
    notes: Notes,
    bar: ListBar,
    rows: Option<PuzzleRows>,
    export: Option<Export>,
    /// Whether a board stands on stdout already.
    printed: bool,
    tally: Tally,
    exit: Exit,
}

impl Results {
    /// Nothing yet.
    pub fn new(
        layout: Layout,
        runs: u32,
        list: bool,
        notes: Notes,
        bar: ListBar,
        rows: Option<PuzzleRows>,
        export: Option<Export>,
    ) -> Self {
        let (tally, exit) = (Tally::begin(), Exit::Done);
        Self { layout, runs, list, notes, bar, rows, export, printed: false, tally, exit }
    }

    /// Prints and writes what came of the next puzzle.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn take(&mut self, answer: Answer) -> Result<()> {
        let exit = match answer {
            Answer::Untouched => Exit::Interrupted,
            Answer::Ended { puzzle, runs, impossible } => {
                self.write(&puzzle, &runs)?;
                let exit = self.print(&puzzle, runs)?;
                if impossible {
                    let shown = "exact search has tried everything";
                    let error = anyhow!("{} has no solution: {shown}", puzzle.name);
                    self.bar.suspend(|| print_error(&error));
                }
                exit.max(if impossible { Exit::Failure } else { Exit::Done })
            }
            Answer::Failed { puzzle, runs, error } => {
                if let Some(puzzle) = &puzzle {
                    self.write(puzzle, &runs)?;
                    if let Some(rows) = &mut self.rows {
                        rows.push_failed(puzzle)?;
                    }
                }
                self.bar.suspend(|| print_error(&error));
                self.tally.failed();
                Exit::Failure
            }
        };
        self.exit = self.exit.max(exit);
        self.bar.done(self.tally.solved());
        Ok(())
    }

    /// Rows and records.
    fn write(&mut self, puzzle: &Puzzle, runs: &[Ended]) -> Result<()> {
        for run in runs {
            self.tally.ended(&run.outcome);
            if let Some(rows) = &mut self.rows {
                rows.push(puzzle, &run.outcome)?;
            }
            if let (Some(export), Some(record)) = (&mut self.export, &run.record) {
                export.push(record)?;
            }
        }
        Ok(())
    }

    fn print(&mut self, puzzle: &Puzzle, runs: Vec<Ended>) -> Result<Exit> {
        let mut remarks = Vec::new();
        let mut outcomes = Vec::new();
        for run in runs {
            match (self.list, run.outcome.solved()) {
                (false, _) => remarks.push(run.remark),
                (true, true) => {}
                (true, false) => remarks.extend(run.remark.lines().next().map(str::to_owned)),
            }
            outcomes.push(run.outcome);
        }
        let gap = if self.printed && self.layout == Layout::Grid { "\n" } else { "" };
        self.printed = true;
        let text = summary::of_result(puzzle.geometry, &outcomes, self.layout, self.runs);
        self.bar.suspend(|| {
            remarks.iter().for_each(|remark| self.notes.say(remark));
            print(&format!("{gap}{text}"))
        })?;
        Ok(outcomes.iter().map(exit_of).max().unwrap_or(Exit::Done))
    }

    /// Writes what is still missing, and sums up; `jobs` puzzles were under way at a time.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self, session: &Session<'_>, jobs: usize) -> Result<Exit> {
        self.bar.finish();
        if let Some(rows) = self.rows {
            rows.finish()?;
        }
        if let Some(export) = self.export {
            export.finish()?;
        }
        if self.list {
            self.notes.say(&self.tally.text(session, jobs));
        }
        // What was not read yet has no answer that would tell.
        let interrupted = session.interrupted.load(Ordering::Relaxed);
        Ok(if interrupted { Exit::Interrupted } else { self.exit })
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
