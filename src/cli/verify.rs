//! `evodoku verify`: whether grids solve puzzles.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Args;

use super::Exit;
use super::input::{InputArgs, or_stdin, symbol};
use super::output::print;
use crate::board::{Puzzle, verify};
use crate::format::{Options, open};
use crate::util::quantity::counted;

/// Check that a grid solves a puzzle, or that grids solve a list of puzzles
///
/// Prints 'solved', or 'not solved' and the first mistake. In a list, the first grid belongs to the first
/// puzzle, the second grid to the second puzzle, and so on. Exit codes: 0, all are solved; 1, some are not; 2,
/// bad usage, or the lists do not have the same length.
#[derive(Debug, Args)]
pub struct Verify {
    /// File, name of a shipped puzzle, grid, or - for stdin
    puzzle: OsString,
    /// The filled grids: file, grid, or - for stdin (the default in a pipe)
    solution: Option<OsString>,
    #[command(flatten)]
    input: InputArgs,
}

impl Verify {
    pub fn run(self) -> Result<Exit> {
        let read = |argument: &OsString, options: &Options| -> Result<Vec<Puzzle>> {
            open(argument, options)?.map(|reading| Ok(reading?.puzzle)).collect()
        };
        let options = self.input.options();
        let puzzles = read(&self.puzzle, &options)?;
        let solution = or_stdin(self.solution.into_iter().collect(), "solution")?;
        // A grid without frames has the boxes of its puzzle.
        let shape = puzzles.first().map(|puzzle| puzzle.geometry);
        let shape = shape.filter(|shape| puzzles.iter().all(|puzzle| puzzle.geometry == *shape));
        let grids = read(&solution[0], &Options { shape, ..options })?;
        if puzzles.is_empty() || puzzles.len() != grids.len() {
            let given = counted(puzzles.len() as u64, "puzzle");
            bail!("{given}, but {}: each needs one", counted(grids.len() as u64, "filled grid"));
        }
        let mut exit = Exit::Done;
        for (puzzle, grid) in puzzles.iter().zip(&grids) {
            let name = if puzzles.len() > 1 { format!(" {}", puzzle.name) } else { String::new() };
            let text = match verify(puzzle, &grid.givens) {
                Ok(()) => format!("solved{name}\n"),
                Err(flaw) => {
                    exit = Exit::Not;
                    let flaw = flaw.sentence(symbol(self.input.alphabet.as_ref()));
                    format!("not solved{name}: {flaw}\n")
                }
            };
            print(&text)?;
        }
        Ok(exit)
    }
}
