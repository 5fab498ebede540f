//! `evodoku verify`: whether grids solve puzzles.

use std::collections::VecDeque;
use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Args;

use super::Exit;
use super::input::{InputArgs, is_piped, or_stdin, read_each, say_shape, symbol};
use super::output::{Logger, print};
use crate::board::{BLANK, verify};
use crate::format::{Options, ParsedPuzzle};
use crate::util::quantity::counted;

/// Check that a grid solves a puzzle, or that grids solve a list of puzzles
///
/// Prints 'solved', or 'not solved' and the first mistake. In a list, the first grid belongs to the first
/// puzzle, the second grid to the second puzzle, and so on. If SOLUTION is a file with puzzles and solutions,
/// such as an export, its solutions are read; if its puzzles are those of PUZZLE, they may be in another order.
/// Exit codes: 0, all are solved; 1, some are not; 2, bad usage, or the lists do not have the same length.
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
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let read = |solutions, arguments: &[OsString], notes| -> Result<Vec<ParsedPuzzle>> {
            read_each(Options { solutions, ..self.input.options() }, arguments, notes).collect()
        };
        let puzzles = read(false, std::slice::from_ref(&self.puzzle), notes)?;
        let solution = or_stdin(self.solution.clone().into_iter().collect(), "solution")?;
        let grids = read(true, &solution, notes)?;
        if puzzles.len() != grids.len() {
            let given = counted(puzzles.len() as u64, "puzzle");
            bail!("{given}, but {}: each needs one", counted(grids.len() as u64, "filled grid"));
        }
        // The rows of an export are in the order in which runs ended, and each row states its puzzle, which is also
        // its grid if the run was not solved. A filled grid alone states none.
        let files = if is_piped(&solution[0]) { &[] } else { &solution[..] };
        let stated = read(false, files, Logger::NONE).unwrap_or_default();
        let rows = stated.iter().map(|row| &row.puzzle.givens).zip(&grids);
        let states = |of: &[u8], grid: &[u8]| of != grid || grid.contains(&BLANK);
        let mut rows: VecDeque<_> =
            rows.filter(|(of, grid)| states(of, &grid.puzzle.givens)).collect();
        let grid_of = |puzzle: &ParsedPuzzle| {
            let at = rows.iter().position(|(of, _)| **of == puzzle.puzzle.givens)?;
            rows.remove(at).map(|(_, grid)| grid)
        };
        let found: Option<Vec<_>> = puzzles.iter().map(grid_of).collect();
        let found = found.filter(|_| stated.len() == grids.len());
        let mut exit = Exit::Done;
        for (reading, grid) in puzzles.iter().zip(found.unwrap_or_else(|| grids.iter().collect())) {
            say_shape(reading, notes);
            let puzzle = &reading.puzzle;
            let name = if puzzles.len() > 1 { format!(" {}", puzzle.name) } else { String::new() };
            let text = match verify(puzzle, &grid.puzzle.givens) {
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
