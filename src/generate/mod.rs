//! Random puzzles: a random complete board, some cells of which are kept.
//!
//! A puzzle with a given share of the cells has a solution, and often several; for exactly one
//! solution, cells are removed as long as exact search finds no second solution. Both
//! are functions of the seed and of the puzzle's number alone.
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

mod error;
mod markov_chain;
mod random_solution;
mod shuffled_pattern;
mod unique;

pub use error::{GenerateError, PuzzleSpecError, min_clues};
pub use random_solution::random_board;
pub use shuffled_pattern::complete_board;
pub use unique::GUESSES;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{BLANK, Geometry, Puzzle};
use crate::random::{GenerationRng, StreamStage};

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
    /// [`PuzzleSpecError`] when the share is not within 0 and 1.
    pub fn share(geometry: Geometry, fill: f64) -> Result<Self, PuzzleSpecError> {
        if !(0.0..=1.0).contains(&fill) {
            return Err(PuzzleSpecError::Fill(fill));
        }
        Ok(Self::Solvable { givens: (fill * geometry.cells() as f64).round() as usize })
    }

    /// Exactly one solution, within the default budget.
    pub fn unique(givens: Option<usize>) -> Self {
        Self::Unique { givens, guesses: GUESSES }
    }

    fn givens(self) -> Option<usize> {
        match self {
            Self::Solvable { givens } => Some(givens),
            Self::Unique { givens, .. } => givens,
        }
    }
}

/// Generates puzzles by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    geometry: Geometry,
    wanted: PuzzleSpec,
    seed: u64,
}

impl Generator {
    /// A generator of puzzles of one shape and seed.
    ///
    /// # Errors
    /// [`PuzzleSpecError`] when no puzzle meets the specification.
    pub fn new(geometry: Geometry, wanted: PuzzleSpec, seed: u64) -> Result<Self, PuzzleSpecError> {
        let cells = geometry.cells();
        match wanted.givens() {
            Some(givens) if givens > cells => {
                return Err(PuzzleSpecError::TooMany { geometry, givens });
            }
            Some(givens) if matches!(wanted, PuzzleSpec::Unique { .. }) => {
                error::enough(geometry, givens)?;
            }
            _ => {}
        }
        Ok(Self { geometry, wanted, seed })
    }

    /// The puzzle with this number, from 0.
    ///
    /// # Errors
    /// [`GenerateError`] when the budget is spent first, or `interrupted` is set.
    pub fn puzzle(&self, number: u32, interrupted: &AtomicBool) -> Result<Puzzle, GenerateError> {
        if interrupted.load(Ordering::Relaxed) {
            return Err(GenerateError::Interrupted);
        }
        let givens = match self.wanted {
            PuzzleSpec::Solvable { givens } => self.kept(number, givens),
            PuzzleSpec::Unique { givens, guesses } => {
                unique::dig(self, number, givens, guesses, interrupted)?
            }
        };
        let name = format!("generated-{}-{}", self.geometry, number + 1);
        Ok(Puzzle { name, geometry: self.geometry, givens })
    }

    fn kept(&self, number: u32, givens: usize) -> Vec<u8> {
        let (mut board, order) = self.board(number, 0);
        for cell in &order[..board.len() - givens] {
            board[*cell] = BLANK;
        }
        board
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::exact::{Backtracking, GuessBudget};

    fn puzzles(shape: &str, wanted: PuzzleSpec, seed: u64, count: u32) -> Vec<Puzzle> {
        let generator = Generator::new(shape.parse().unwrap(), wanted, seed).unwrap();
        (0..count)
            .map(|number| generator.puzzle(number, &AtomicBool::new(false)).unwrap())
            .collect()
    }

    #[test]
    fn a_share_of_the_cells_is_kept_and_nothing_contradicts() {
        for shape in ["2x2", "2x3", "3x2", "3x3", "2x5", "4x4", "5x5", "6x6"] {
            let geometry: Geometry = shape.parse().unwrap();
            let wanted = PuzzleSpec::share(geometry, 0.45).unwrap();
            let made = puzzles(shape, wanted, 3, 3);
            for puzzle in &made {
                let expected = (0.45 * geometry.cells() as f64).round() as usize;
                assert_eq!(puzzle.given_count(), expected, "{shape}");
                assert!(presolve(puzzle, Presolve::Singles).is_ok(), "{shape}");
            }
            assert_ne!(made[0].givens, made[1].givens, "{shape}");
        }
    }

    #[test]
    fn unique_puzzles_have_one_solution_and_as_many_givens_as_asked_for() {
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
    fn what_cannot_be_is_refused_and_what_is_not_found_ends() {
        let classic: Geometry = "3x3".parse().unwrap();
        let refused = |wanted| Generator::new(classic, wanted, 1).unwrap_err().to_string();
        assert_eq!(
            PuzzleSpec::share(classic, 1.5).unwrap_err().to_string(),
            "the share of cells to keep is 1.5, but it takes 0 to 1"
        );
        assert!(PuzzleSpec::share(classic, f64::NAN).is_err());
        assert_eq!(
            refused(PuzzleSpec::Solvable { givens: 82 }),
            "a board with boxes of 3x3 has 81 cells, so it cannot keep 82"
        );
        assert_eq!(
            refused(PuzzleSpec::unique(Some(16))),
            "no puzzle with boxes of 3x3 and 16 givens has exactly one solution: it takes at least 17"
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
