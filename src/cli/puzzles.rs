//! `evodoku puzzles`: what is shipped, and how hard presolve finds it.

use anyhow::Result;
use clap::Args;

use super::Exit;
use super::output::{print, table};
use crate::board::{Presolve, Puzzle, presolve};
use crate::format::{read, shipped};

/// List the shipped puzzles
#[derive(Debug, Args)]
pub struct ShippedPuzzles {}

impl ShippedPuzzles {
    pub fn run(self) -> Result<Exit> {
        let mut rows =
            table(&["name", "boxes", "givens", "blanks", "after naked", "after full", "origin"]);
        for entry in shipped() {
            let puzzle = read(entry.text, entry.name, None)?.puzzle;
            let blanks = |level| blanks_left(&puzzle, level);
            rows.add_row([
                entry.name.to_owned(),
                puzzle.geometry.to_string(),
                puzzle.given_count().to_string(),
                blanks(Presolve::None),
                blanks(Presolve::Naked),
                blanks(Presolve::Full),
                entry.origin().unwrap_or_default().to_owned(),
            ]);
        }
        print(&format!("{rows}\n"))?;
        Ok(Exit::Done)
    }
}

fn blanks_left(puzzle: &Puzzle, level: Presolve) -> String {
    match presolve(puzzle, level) {
        Ok(space) => space.free.len().to_string(),
        Err(_) => "no solution".to_owned(),
    }
}
