//! `evodoku check`: whether a puzzle has no solution, one, or several.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use super::input::{InputArgs, say_shape};
use super::output::{Notes, print};
use super::table::TextTable;
use super::{Exit, heed_interrupts, print_error, time};
use crate::board::{Presolve, Puzzle, presolve, verify};
use crate::exact::{Backtracking, Budget, SearchEnd, Solutions};
use crate::format::Reading;
use crate::interrupt::INTERRUPT;

/// Tell whether each puzzle has no solution, one, or several
///
/// Prints a line a puzzle, whose first word is contradictory, unique, several, or unknown where
/// the time limit ended the search. Exit code 0: checked, whatever the answer; 2: bad input;
/// 130: interrupted.
#[derive(Debug, Args)]
pub struct Check {
    /// Files, - for stdin, names of shipped puzzles, or grids; each may hold several puzzles
    #[arg(required = true, value_name = "PUZZLE")]
    puzzles: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    /// Show what each level of presolve leaves, and how long it takes
    #[arg(long)]
    presolve: bool,
    /// Count solutions up to this many
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(2..))]
    cap: u64,
    /// Give a puzzle up after so long, in seconds or as in 500ms; 0 sets no bound
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    time_limit: Duration,
}

impl Check {
    pub fn run(self, notes: Notes) -> Result<Exit> {
        heed_interrupts()?;
        let mut exit = Exit::Done;
        // One bad puzzle does not stop the others.
        for reading in self.input.readings(&self.puzzles) {
            let checked =
                reading.and_then(|reading| self.check(reading, notes)).unwrap_or_else(|error| {
                    print_error(&error);
                    ControlFlow::Continue(Exit::Failure)
                });
            let (ControlFlow::Continue(ended) | ControlFlow::Break(ended)) = checked;
            exit = exit.max(ended);
            if checked.is_break() {
                break;
            }
        }
        Ok(if INTERRUPT.asked() { Exit::Interrupted } else { exit })
    }

    /// Breaks when nobody reads what it prints.
    fn check(&self, reading: Reading, notes: Notes) -> Result<ControlFlow<Exit, Exit>> {
        say_shape(&reading, notes);
        let puzzle = reading.puzzle;
        let (mut facts, contradiction) = facts(&puzzle);
        let mut exit = Exit::Done;
        let answer = match contradiction {
            Some(contradiction) => {
                facts.push(contradiction);
                "contradictory"
            }
            None => {
                let found = self.search(&puzzle)?;
                if found.end == SearchEnd::Interrupted {
                    exit = Exit::Interrupted;
                }
                facts.push(number(&found));
                facts.push(counted(found.guesses, "guess", "guesses"));
                word(&found)
            }
        };
        let mut read = print(&format!("{answer} {}: {}\n", puzzle.name, facts.join(", ")))?;
        if self.presolve {
            read = print(&format!("{}\n", levels(&puzzle)))?;
        }
        Ok(if read { ControlFlow::Continue(exit) } else { ControlFlow::Break(exit) })
    }

    fn search(&self, puzzle: &Puzzle) -> Result<Solutions> {
        let budget = Budget {
            cap: self.cap,
            time: (!self.time_limit.is_zero()).then_some(self.time_limit),
            interrupted: Some(INTERRUPT.flag()),
            ..Budget::default()
        };
        let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
        if let Some(Err(flaw)) = found.first.as_deref().map(|first| verify(puzzle, first)) {
            bail!("{}: the search found no solution ({flaw}): this is a defect", puzzle.name);
        }
        Ok(found)
    }
}

/// What givens and presolve tell, and the contradiction that presolve finds.
fn facts(puzzle: &Puzzle) -> (Vec<String>, Option<String>) {
    let givens = puzzle.given_count();
    let mut facts = vec![
        format!("boxes {}", puzzle.geometry),
        counted(givens as u64, "given", "givens"),
        counted((puzzle.geometry.cells() - givens) as u64, "blank", "blanks"),
    ];
    let mut left = 0;
    // Level by level: the first one that finds a contradiction is named.
    for level in Presolve::ALL.iter().copied() {
        match presolve(puzzle, level) {
            Err(contradictory) => return (facts, Some(contradictory.to_string())),
            Ok(space) => left = space.free.len(),
        }
    }
    facts.push(format!("{left} after presolve"));
    (facts, None)
}

/// What each level leaves, the candidates that it takes from those of the level before, and its
/// time, which includes that of the levels before.
fn levels(puzzle: &Puzzle) -> TextTable {
    let header = ["presolve", "blanks left", "candidates left", "removed", "ms"];
    let mut rows = TextTable::new(&header).spare(&["removed", "ms"]);
    let mut before = None;
    for level in Presolve::ALL.iter().copied() {
        let start = Instant::now();
        let space = presolve(puzzle, level);
        let milliseconds = format!("{:.3}", start.elapsed().as_secs_f64() * 1000.0);
        let Ok(space) = space else {
            rows.row([level.name(), "contradiction", "-", "-", &milliseconds]);
            break;
        };
        let left = space.candidate_count();
        let removed = before.map_or(0, |before: u64| before - left);
        let counts = [space.free.len() as u64, left, removed].map(|count| count.to_string());
        rows.row([level.to_string()].into_iter().chain(counts).chain([milliseconds]));
        before = Some(left);
    }
    rows
}

fn word(found: &Solutions) -> &'static str {
    match (found.unique(), found.count) {
        (Some(true), _) => "unique",
        (Some(false), 0) => "contradictory",
        (Some(false), _) => "several",
        (None, _) => "unknown",
    }
}

/// The number of solutions, as far as it is known.
fn number(found: &Solutions) -> String {
    let count = counted(found.count, "solution", "solutions");
    let so_far = if found.count == 0 {
        "no solution so far".to_owned()
    } else {
        format!("at least {count}")
    };
    match found.end {
        SearchEnd::Exhausted if found.count == 0 => "no solution by exhaustive search".to_owned(),
        SearchEnd::Exhausted => count,
        SearchEnd::Cap => format!("at least {count}"),
        SearchEnd::Time | SearchEnd::Guesses => format!("{so_far}, ended by the time limit"),
        SearchEnd::Interrupted => format!("{so_far}, interrupted"),
    }
}

fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
