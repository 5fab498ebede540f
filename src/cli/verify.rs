//! `evodoku verify`: whether a grid solves a puzzle.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use super::Exit;
use super::input::{InputArgs, or_stdin, symbol};
use super::output::print;
use crate::board::verify;
use crate::format::{Options, load_with};

/// Check that a grid solves a puzzle
///
/// Prints 'solved' and exits with 0, or prints the first mistake and exits with 1.
#[derive(Debug, Args)]
pub struct Verify {
    /// File, name of a shipped puzzle, grid, or - for stdin
    puzzle: OsString,
    /// The filled grid: file, grid, or - for stdin (the default in a pipe)
    solution: Option<OsString>,
    #[command(flatten)]
    input: InputArgs,
}

impl Verify {
    pub fn run(self) -> Result<Exit> {
        let puzzle = load_with(&self.puzzle, &self.input.options())?.puzzle;
        let options = Options { shape: Some(puzzle.geometry), ..self.input.options() };
        let solution = or_stdin(self.solution.into_iter().collect(), "solution")?;
        let solution = load_with(&solution[0], &options)?.puzzle;
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
