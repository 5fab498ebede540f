//! `evodoku verify`: whether a grid solves a puzzle.

use anyhow::Result;
use clap::Args;
use evodoku::board::Geometry;
use evodoku::format::load;
use evodoku::verify::verify;

use super::Exit;
use super::output::print;

/// Tell whether a grid solves a puzzle
///
/// Prints 'solved' and exits with 0, or prints what is wrong first and exits with 1.
#[derive(Debug, Args)]
pub struct Verify {
    /// A file, - for stdin, a shipped puzzle's name, or the grid itself
    puzzle: String,
    /// The filled grid, given likewise
    solution: String,
    /// Rows and columns of a box, as in 2x3 (default: the squarest that fits)
    #[arg(long = "box", value_name = "RxC")]
    shape: Option<Geometry>,
}

impl Verify {
    pub fn run(self) -> Result<Exit> {
        let puzzle = load(&self.puzzle, self.shape)?.puzzle;
        let solution = load(&self.solution, Some(puzzle.geometry))?.puzzle;
        match verify(&puzzle, &solution.givens) {
            Ok(()) => {
                print("solved\n")?;
                Ok(Exit::Done)
            }
            Err(flaw) => {
                print(&format!("not solved: {flaw}\n"))?;
                Ok(Exit::Not)
            }
        }
    }
}
