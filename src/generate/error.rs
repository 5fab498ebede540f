//! Why there is no puzzle as it was asked for.

use thiserror::Error;

use crate::board::Geometry;
use crate::util::plural::noun;

/// No puzzle is like that.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PuzzleSpecError {
    /// The share is none.
    #[error("the share of cells to keep is {0}, but it takes 0 to 1")]
    Fill(f64),
    /// More givens than cells.
    #[error("a board with boxes of {geometry} has {} cells, so it cannot keep {givens}", geometry.cells())]
    TooMany {
        /// The shape.
        geometry: Geometry,
        /// What was asked for.
        givens: usize,
    },
    /// So few givens leave several solutions.
    #[error(
        "no puzzle with boxes of {geometry} and {givens} {} has exactly one solution: it takes at least {least}",
        noun(*givens as u64, "given")
    )]
    TooFew {
        /// The shape.
        geometry: Geometry,
        /// What was asked for.
        givens: usize,
        /// What is known to be needed.
        least: usize,
    },
}

/// A puzzle was not found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// The budget of guesses is spent.
    #[error(
        "puzzle {number} with {givens} {} and one solution was not found within {guesses} {} (the fewest were {fewest}): ask for more givens, or allow more with --max-guesses",
        noun(*givens as u64, "given"),
        noun(*guesses, "guess")
    )]
    Spent {
        /// Its number, from 1.
        number: u32,
        /// What was asked for.
        givens: usize,
        /// The fewest givens of a puzzle that was found.
        fewest: usize,
        /// The budget.
        guesses: u64,
    },
    /// The user ended it.
    #[error("interrupted")]
    Interrupted,
}

/// Givens that a puzzle of this shape must have at least to have exactly one solution.
///
/// Two values that are no given could be exchanged in a solution, so that all values but one are
/// needed. More is known of 4x4, by trying all its boards, and of 9x9: G. McGuire, B. Tugemann &
/// G. Civario, *There is no 16-clue Sudoku*, Experimental Mathematics 23 (2014), 190-217.
pub fn min_clues(geometry: Geometry) -> usize {
    match (geometry.box_rows(), geometry.box_cols()) {
        (2, 2) => 4,
        (3, 3) => 17,
        _ => geometry.side() - 1,
    }
}

/// Whether `givens` may be enough for exactly one solution.
pub(super) fn enough(geometry: Geometry, givens: usize) -> Result<(), PuzzleSpecError> {
    let least = min_clues(geometry);
    if givens < least {
        return Err(PuzzleSpecError::TooFew { geometry, givens, least });
    }
    Ok(())
}
