//! Random puzzles: a random complete board, some cells of which are kept.
//!
//! A puzzle with a given share of the cells has a solution, and often several; for exactly one
//! solution, cells are removed as long as exact search finds no second solution. Both
//! are functions of the seed and of the puzzle's number alone.
//!
//! For exactly one solution the cells of a complete board are tried in a random order, each once: removing
//! more adds solutions and never loses any, so that a cell that had to stay once has to stay for good. The
//! puzzle after all were tried is irreducible. If more givens are requested, the removal ends earlier; if
//! fewer are, another board is tried. Each attempt terminates: a check makes at most
//! `GUESSES_PER_CHECK` guesses, after which the cell stays, and the checks and guesses of all attempts
//! at a puzzle are bounded.
//!
//! ```
//! use evodoku::board::Geometry;
//! use evodoku::exact::{Backtracking, GuessBudget};
//! use evodoku::{Generator, PuzzleSpec};
//!
//! let generator = Generator::new(Geometry::new(2, 3)?, PuzzleSpec::unique(Some(12)), 1)?;
//! let puzzle = generator.puzzle(0, &Default::default())?;
//! assert_eq!(puzzle.given_count(), 12);
//! let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &GuessBudget::default());
//! assert_eq!(found.unique(), Some(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod random_board;

pub use random_board::{complete_board, random_board};

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::board::{BLANK, Geometry, Puzzle};
use crate::exact::{Backtracking, GuessBudget};
use crate::random::{GenerationRng, StreamStage};
use crate::util::quantity::noun;

/// Checks and guesses that a puzzle may cost by default. A 9x9 board takes some hundreds.
pub const GUESSES: u64 = 500_000;
/// Guesses after which a check gives up and the cell stays.
const GUESSES_PER_CHECK: u64 = 2_000;

/// The properties of the puzzles to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleSpec {
    /// A number of givens; there is a solution, and possibly several.
    Solvable {
        /// Number of cells kept.
        givens: usize,
    },
    /// Exactly one solution.
    Unique {
        /// Number of cells kept; `None`: until no cell can be removed.
        givens: Option<usize>,
        /// Guesses and checks of exact search that a puzzle may cost.
        guesses: u64,
    },
}

impl PuzzleSpec {
    /// A share of the cells, from 0 to 1, rounded to a whole number of cells.
    ///
    /// # Errors
    /// [`GenerateError::Share`] when the share is not within 0 and 1.
    pub fn share(geometry: Geometry, share: f64) -> Result<Self, GenerateError> {
        if !(0.0..=1.0).contains(&share) {
            return Err(GenerateError::Share(share));
        }
        Ok(Self::Solvable { givens: (share * geometry.cells() as f64).round() as usize })
    }

    /// Exactly one solution, within the default budget.
    pub fn unique(givens: Option<usize>) -> Self {
        Self::Unique { givens, guesses: GUESSES }
    }
}

/// Why no puzzle is generated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GenerateError {
    /// The share is outside 0 to 1.
    #[error("the share of cells to keep is {0}, but it takes 0 to 1")]
    Share(f64),
    /// More givens than cells.
    #[error("a board with boxes of {geometry} has {} cells, so it cannot have {givens} givens", geometry.cells())]
    TooMany {
        /// The shape.
        geometry: Geometry,
        /// Givens requested.
        givens: usize,
    },
    /// Too few givens for exactly one solution.
    #[error(
        "no puzzle with boxes of {geometry} and {givens} {} has exactly one solution: at least {} givens are needed",
        noun(*givens as u64, "given"), min_clues(*geometry)
    )]
    TooFew {
        /// The shape.
        geometry: Geometry,
        /// Givens requested.
        givens: usize,
    },
    /// The budget of guesses is spent.
    #[error(
        "puzzle {number}: no puzzle with {givens} {} and exactly one solution was found within {guesses} {} (fewest \
         givens reached: {fewest}); use more givens, or a larger --max-guesses",
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

/// Generates puzzles by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    geometry: Geometry,
    spec: PuzzleSpec,
    seed: u64,
}

impl Generator {
    /// A generator of puzzles of one shape and seed.
    ///
    /// # Errors
    /// [`GenerateError::TooMany`] or [`GenerateError::TooFew`] when no puzzle meets the specification.
    pub fn new(geometry: Geometry, spec: PuzzleSpec, seed: u64) -> Result<Self, GenerateError> {
        let (givens, least) = match spec {
            PuzzleSpec::Solvable { givens } => (givens, 0),
            PuzzleSpec::Unique { givens, .. } => {
                (givens.unwrap_or(geometry.cells()), min_clues(geometry))
            }
        };
        if givens > geometry.cells() {
            return Err(GenerateError::TooMany { geometry, givens });
        }
        if givens < least {
            return Err(GenerateError::TooFew { geometry, givens });
        }
        Ok(Self { geometry, spec, seed })
    }

    /// The puzzle with this number, from 0. It is named after its boxes and its number from 1, as in
    /// `generated-3x3-1`.
    ///
    /// # Errors
    /// [`GenerateError::Spent`] when the budget is spent first, [`GenerateError::Interrupted`] when
    /// `interrupted` is set.
    pub fn puzzle(&self, number: u32, interrupted: &AtomicBool) -> Result<Puzzle, GenerateError> {
        self.puzzle_and_proof(number, interrupted).map(|(puzzle, _)| puzzle)
    }

    /// The puzzle, and whether it is proved to be as specified: without a number of givens each given of a puzzle
    /// with one solution has to be needed, but a search for a second solution without it may end undecided.
    ///
    /// # Errors
    /// As [`puzzle`](Self::puzzle).
    #[doc(hidden)]
    pub fn puzzle_and_proof(
        &self,
        number: u32,
        interrupted: &AtomicBool,
    ) -> Result<(Puzzle, bool), GenerateError> {
        if interrupted.load(Ordering::Relaxed) {
            return Err(GenerateError::Interrupted);
        }
        let (givens, is_proved) = match self.spec {
            PuzzleSpec::Solvable { givens } => {
                let (mut board, order) = self.board(number, 0);
                order[..board.len() - givens].iter().for_each(|cell| board[*cell] = BLANK);
                (board, true)
            }
            PuzzleSpec::Unique { givens, guesses } => {
                self.unique(number, givens, guesses, interrupted)?
            }
        };
        let name = format!("generated-{}-{}", self.geometry, number + 1);
        Ok((Puzzle { name, geometry: self.geometry, givens }, is_proved))
    }

    /// A complete board, and the order in which its cells are removed. Each attempt at a puzzle
    /// has another: the attempt takes the place of the generation in the draws.
    fn board(&self, number: u32, attempt: u32) -> (Vec<u8>, Vec<usize>) {
        let seed = GenerationRng::new(self.seed, attempt);
        let board = random_board(self.geometry, &mut seed.draws(StreamStage::Initialise, number));
        let mut order: Vec<usize> = (0..board.len()).collect();
        seed.draws(StreamStage::Plan, number).shuffle(&mut order);
        (board, order)
    }

    /// Givens with exactly one solution: `target` of them, or as few as no cell can be removed from, and whether
    /// that is proved.
    fn unique(
        &self,
        number: u32,
        target: Option<usize>,
        guesses: u64,
        interrupted: &AtomicBool,
    ) -> Result<(Vec<u8>, bool), GenerateError> {
        let budget = GuessBudget { cap: 2, guesses: GUESSES_PER_CHECK, ..GuessBudget::default() };
        let mut search = Backtracking::new(self.geometry);
        let mut fewest = self.geometry.cells();
        let mut spent = 0;
        let mut attempt = 0u32;
        // Each attempt spends part of the budget.
        loop {
            let (mut givens, order) = self.board(number, attempt);
            let mut left = givens.len();
            let mut is_proved = true;
            for cell in order {
                if target.is_some_and(|target| left <= target) {
                    break;
                }
                if spent >= guesses {
                    // Without a number of givens the puzzle so far is one: it has one solution.
                    let Some(givens) = target else { return Ok((givens, false)) };
                    let (number, fewest) = (number + 1, fewest.min(left));
                    return Err(GenerateError::Spent { number, givens, fewest, guesses });
                }
                if interrupted.load(Ordering::Relaxed) {
                    return Err(GenerateError::Interrupted);
                }
                let value = std::mem::replace(&mut givens[cell], BLANK);
                let found = search.search(&givens, &budget);
                spent += 1 + found.guesses;
                let is_unique = found.unique();
                if is_unique == Some(true) {
                    left -= 1;
                } else {
                    givens[cell] = value;
                    is_proved &= is_unique.is_some();
                }
            }
            if target.is_none_or(|target| left == target) {
                return Ok((givens, is_proved || target.is_some()));
            }
            fewest = fewest.min(left);
            attempt = attempt.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::exact::{Backtracking, GuessBudget};

    fn puzzles(shape: &str, spec: PuzzleSpec, seed: u64, count: u32) -> Vec<Puzzle> {
        let generator = Generator::new(shape.parse().unwrap(), spec, seed).unwrap();
        (0..count)
            .map(|number| generator.puzzle(number, &AtomicBool::new(false)).unwrap())
            .collect()
    }

    #[test]
    fn puzzles_with_a_share_of_the_cells_have_no_contradiction() {
        for shape in ["2x2", "2x3", "3x2", "3x3", "2x5", "4x4", "5x5", "6x6"] {
            let geometry: Geometry = shape.parse().unwrap();
            let spec = PuzzleSpec::share(geometry, 0.45).unwrap();
            let made = puzzles(shape, spec, 3, 3);
            for puzzle in &made {
                let expected = (0.45 * geometry.cells() as f64).round() as usize;
                assert_eq!(puzzle.given_count(), expected, "{shape}");
                assert!(presolve(puzzle, Presolve::Singles).is_ok(), "{shape}");
            }
            assert_ne!(made[0].givens, made[1].givens, "{shape}");
        }
    }

    #[test]
    fn unique_puzzles_have_one_solution_and_the_requested_givens() {
        for (shape, givens) in [("2x2", 5), ("2x3", 11), ("3x3", 24), ("3x4", 60), ("4x4", 115)] {
            for puzzle in puzzles(shape, PuzzleSpec::unique(Some(givens)), 1, 3) {
                let mut search = Backtracking::new(puzzle.geometry);
                let found = search.search(&puzzle.givens, &GuessBudget::default());
                assert_eq!((found.unique(), puzzle.given_count()), (Some(true), givens), "{shape}");
            }
        }
    }

    #[test]
    fn without_a_number_nothing_more_can_be_taken() {
        for puzzle in puzzles("3x3", PuzzleSpec::unique(None), 5, 3) {
            let mut search = Backtracking::new(puzzle.geometry);
            assert!((17..40).contains(&puzzle.given_count()));
            for cell in (0..81).filter(|cell| puzzle.givens[*cell] != BLANK) {
                let mut fewer = puzzle.givens.clone();
                fewer[cell] = BLANK;
                let two = GuessBudget { cap: 2, ..GuessBudget::default() };
                assert_eq!(search.search(&fewer, &two).unique(), Some(false));
            }
        }
    }

    #[test]
    fn impossible_requests_are_refused_and_searches_end() {
        let classic: Geometry = "3x3".parse().unwrap();
        let refused = |spec| Generator::new(classic, spec, 1).unwrap_err().to_string();
        assert_eq!(
            PuzzleSpec::share(classic, 1.5).unwrap_err().to_string(),
            "the share of cells to keep is 1.5, but it takes 0 to 1"
        );
        assert!(PuzzleSpec::share(classic, f64::NAN).is_err());
        assert_eq!(
            refused(PuzzleSpec::Solvable { givens: 82 }),
            "a board with boxes of 3x3 has 81 cells, so it cannot have 82 givens"
        );
        assert_eq!(
            refused(PuzzleSpec::unique(Some(16))),
            "no puzzle with boxes of 3x3 and 16 givens has exactly one solution: at least 17 givens are needed"
        );
        let generator =
            Generator::new(classic, PuzzleSpec::Unique { givens: Some(17), guesses: 3_000 }, 1)
                .unwrap();
        let spent = generator.puzzle(0, &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(spent, GenerateError::Spent { fewest: 18..40, .. }), "{spent}");
        let stopped = generator.puzzle(0, &AtomicBool::new(true)).unwrap_err();
        assert_eq!(stopped, GenerateError::Interrupted);
        let solvable = Generator::new(classic, PuzzleSpec::Solvable { givens: 30 }, 1).unwrap();
        let stopped = solvable.puzzle(0, &AtomicBool::new(true)).unwrap_err();
        assert_eq!(stopped, GenerateError::Interrupted);
    }
}
