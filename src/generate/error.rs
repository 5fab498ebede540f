//! Why a puzzle cannot be generated.

use thiserror::Error;

use crate::board::Geometry;
use crate::util::plural::noun;

/// A specification that no puzzle meets.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PuzzleSpecError {
    /// The share is outside 0 to 1.
    #[error("the share of cells to keep is {0}, but it takes 0 to 1")]
    Fill(f64),
    /// More givens than cells.
    #[error("a board with boxes of {geometry} has {} cells, so it cannot keep {givens}", geometry.cells())]
    TooMany {
        /// The shape.
        geometry: Geometry,
        /// Givens requested.
        givens: usize,
    },
    /// Too few givens for exactly one solution.
    #[error(
        "no puzzle with boxes of {geometry} and {givens} {} has exactly one solution: it takes at least {least}",
        noun(*givens as u64, "given")
    )]
    TooFew {
        /// The shape.
        geometry: Geometry,
        /// Givens requested.
        givens: usize,
        /// The least number of givens that may suffice.
        least: usize,
    },
}

/// Why no puzzle was generated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// The budget of guesses is spent.
    #[error(
        "puzzle {number} with {givens} {} and one solution was not found within {guesses} {} (the fewest were {fewest}): ask for more givens, or allow more with --max-guesses",
        noun(*givens as u64, "given"),
        noun(*guesses, "guess")
    )]
    Spent {
        /// The puzzle's number, from 1.
        number: u32,
        /// Givens requested.
        givens: usize,
        /// The fewest givens of a puzzle found.
        fewest: usize,
        /// The budget.
        guesses: u64,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// The least number of givens with which a puzzle of this shape may have exactly one solution.
///
/// Two values without a given could be exchanged in a solution, so that all values but one are
/// needed. Larger bounds are known for 4x4, by trying all its boards, and for 9x9: G. McGuire, B. Tugemann &
/// G. Civario, *There is no 16-clue Sudoku*, Experimental Mathematics 23 (2014), 190-217.
pub fn min_clues(geometry: Geometry) -> usize {
    match (geometry.box_rows(), geometry.box_cols()) {
        (2, 2) => 4,
        (3, 3) => 17,
        _ => geometry.side() - 1,
    }
}

/// Checks that `givens` may suffice for exactly one solution.
pub(super) fn enough(geometry: Geometry, givens: usize) -> Result<(), PuzzleSpecError> {
    let least = min_clues(geometry);
    if givens < least {
        return Err(PuzzleSpecError::TooFew { geometry, givens, least });
    }
    Ok(())
}
