//! `evodoku verify`: whether a grid solves a puzzle.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use super::Exit;
use super::input::{InputArgs, symbol};
use super::output::print;
use crate::board::verify;
use crate::format::{Options, load_with};

/// Tell whether a grid solves a puzzle
///
/// Prints 'solved' and exits with 0, or prints what is wrong first and exits with 1.
#[derive(Debug, Args)]
pub struct Verify {
    /// A file, - for stdin, a shipped puzzle's name, or the grid itself
    puzzle: OsString,
    /// The filled grid, given likewise
    solution: OsString,
    #[command(flatten)]
    input: InputArgs,
}

impl Verify {
    pub fn run(self) -> Result<Exit> {
        let puzzle = load_with(&self.puzzle, &self.input.options())?.puzzle;
        let options = Options { shape: Some(puzzle.geometry), ..self.input.options() };
        let solution = load_with(&self.solution, &options)?.puzzle;
        let (text, exit) = match verify(&puzzle, &solution.givens) {
            Ok(()) => ("solved\n".to_owned(), Exit::Done),
            Err(flaw) => (
                format!("not solved: {}\n", flaw.sentence(symbol(self.input.alphabet.as_ref()))),
                Exit::Not,
            ),
        };
        print(&text)?;
        Ok(exit)
    }
}
