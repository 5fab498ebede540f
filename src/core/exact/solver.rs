//! The common interface of the exact methods that are compared with the presets.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::backtracking::{Backtracking, GuessBudget, SearchEnd, Solutions};
#[cfg(feature = "ilp")]
use super::microlp::solve as integer_program;
use crate::board::{Puzzle, verify};
use crate::util::clock::Instant;
use crate::util::named_enum::named;

named! {
    /// An exact method.
    pub enum ExactMethod {
        /// Depth-first search with naked and hidden singles, fewest candidates first.
        Backtracking = "backtracking",
        /// Document 004's integer program: a binary variable for each cell and value.
        IntegerProgram = "integer-program",
    }
}

named! {
    /// How a method ended.
    pub enum MethodEnd {
        /// It found a solution, which the checker accepted.
        Solved = "solved",
        /// It proved that there is no solution.
        NoSolution = "no solution",
        /// The time limit was reached.
        Time = "time",
        /// The user interrupted it.
        Interrupted = "interrupted",
        /// This build of the program does not include it.
        NotBuilt = "not built",
        /// It reported an error, or returned a board that is no solution.
        Failed = "failed",
    }
}

/// The result of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodOutcome {
    /// How it ended.
    pub ended: MethodEnd,
    /// The solution, one value a cell; present exactly when `ended` is [`MethodEnd::Solved`].
    pub board: Option<Vec<u8>>,
    /// Guesses of backtracking, or nodes of branch and bound; not comparable with the work of a preset.
    pub nodes: u64,
    /// Wall time, the check included.
    pub elapsed: Duration,
    /// The error in one sentence, when the method is not built or failed.
    pub fault: Option<String>,
}

impl ExactMethod {
    /// Whether this build of the program includes it.
    pub fn built(self) -> bool {
        self == Self::Backtracking || cfg!(feature = "ilp")
    }

    /// Looks for one solution of a puzzle, from its givens alone, until `limit` or until
    /// `interrupted` is set. A puzzle that is malformed has no solution.
    pub fn solve(
        self,
        puzzle: &Puzzle,
        limit: Option<Duration>,
        interrupted: &AtomicBool,
    ) -> MethodOutcome {
        let start = Instant::now();
        let (time, interrupted) = (limit, Some(interrupted));
        let budget = GuessBudget { cap: 1, time, interrupted, ..GuessBudget::default() };
        let found = match self {
            Self::Backtracking => {
                Ok(Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget))
            }
            Self::IntegerProgram => integer_program(puzzle, &budget),
        };
        let (ended, board, nodes, fault) = match found {
            Err(fault) if self.built() => (MethodEnd::Failed, None, 0, Some(fault)),
            Err(fault) => (MethodEnd::NotBuilt, None, 0, Some(fault)),
            Ok(Solutions { first: Some(board), guesses, .. }) => match verify(puzzle, &board) {
                Ok(()) => (MethodEnd::Solved, Some(board), guesses, None),
                Err(error) => {
                    let fault = format!("its board is not a solution: {error}");
                    (MethodEnd::Failed, None, guesses, Some(fault))
                }
            },
            Ok(Solutions { end, guesses, .. }) => {
                let ended = match end {
                    SearchEnd::Interrupted => MethodEnd::Interrupted,
                    SearchEnd::Time | SearchEnd::Guesses => MethodEnd::Time,
                    SearchEnd::Exhausted | SearchEnd::Cap => MethodEnd::NoSolution,
                };
                (ended, None, guesses, None)
            }
        };
        MethodOutcome { ended, board, nodes, elapsed: start.elapsed(), fault }
    }
}

/// Whether a short search covers the whole search space and finds no solution. It is bounded by guesses, so that
/// the answer is the same on every machine.
#[doc(hidden)]
pub fn proves_unsolvable(puzzle: &Puzzle, interrupted: Option<&AtomicBool>) -> bool {
    const GUESSES: u64 = 20_000;
    let budget = GuessBudget { cap: 1, guesses: GUESSES, interrupted, ..GuessBudget::default() };
    let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
    found.count == 0 && found.complete()
}

/// Whether a puzzle has one solution, as far as a short search tells. It is bounded by guesses, fewer on a larger
/// board, so that the answer is the same on every machine.
#[doc(hidden)]
pub fn is_unique(puzzle: &Puzzle, interrupted: Option<&AtomicBool>) -> Option<bool> {
    const CELLS: u64 = 1_000_000;
    let guesses = CELLS / puzzle.geometry.cells() as u64;
    let budget = GuessBudget { cap: 2, guesses, interrupted, ..GuessBudget::default() };
    Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget).unique()
}

/// Says that the integer program is not built in.
#[cfg(not(feature = "ilp"))]
fn integer_program(_: &Puzzle, _: &GuessBudget<'_>) -> Result<Solutions, String> {
    Err("this program was built without the feature ilp: cargo install --path . --features ilp"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::shipped;

    #[test]
    fn backtracking_solves_proves_and_stops() {
        let run = |puzzle: &Puzzle, limit, stop| {
            ExactMethod::Backtracking.solve(puzzle, limit, &AtomicBool::new(stop))
        };
        let escargot = shipped::puzzle("ai-escargot");
        let solved = run(&escargot, None, false);
        assert_eq!(
            (solved.ended, verify(&escargot, &solved.board.unwrap())),
            (MethodEnd::Solved, Ok(()))
        );

        assert_eq!(run(&escargot, None, true).ended, MethodEnd::Interrupted);
        assert_eq!(run(&escargot, Some(Duration::ZERO), false).ended, MethodEnd::Time);

        let mut wrong = shipped::puzzle("003-puzzle1");
        wrong.givens[2] = 9;
        let none = run(&wrong, None, false);
        assert!(none.ended == MethodEnd::NoSolution && none.board.is_none(), "{none:?}");
    }

    #[cfg(not(feature = "ilp"))]
    #[test]
    fn a_method_that_is_not_built_says_so() {
        let outcome = ExactMethod::IntegerProgram.solve(
            &shipped::puzzle("003-4x4"),
            None,
            &AtomicBool::new(false),
        );
        assert_eq!(outcome.ended.to_string(), "not built");
        assert!(outcome.fault.unwrap().contains("--features ilp"));
        assert!(!ExactMethod::IntegerProgram.built());
    }

    #[cfg(feature = "ilp")]
    #[test]
    fn both_methods_agree_on_a_unique_puzzle() {
        let easy = shipped::puzzle("003-puzzle1");
        let board = |method: ExactMethod| method.solve(&easy, None, &AtomicBool::new(false)).board;
        assert!(board(ExactMethod::Backtracking).is_some());
        assert_eq!(board(ExactMethod::Backtracking), board(ExactMethod::IntegerProgram));
    }

    #[cfg(feature = "ilp")]
    #[test]
    fn the_integer_program_proves_and_stops() {
        let run = |puzzle: &Puzzle, limit, stop| {
            ExactMethod::IntegerProgram.solve(puzzle, limit, &AtomicBool::new(stop))
        };
        let escargot = shipped::puzzle("ai-escargot");
        assert_eq!(run(&escargot, None, true).ended, MethodEnd::Interrupted);
        assert_eq!(run(&escargot, Some(Duration::ZERO), false).ended, MethodEnd::Time);
        let mut wrong = shipped::puzzle("003-4x4");
        // Two equal values in a row.
        let given = wrong.givens.iter().position(|value| *value > 0).unwrap();
        let blank =
            (given / 4 * 4..given / 4 * 4 + 4).find(|cell| wrong.givens[*cell] == 0).unwrap();
        wrong.givens[blank] = wrong.givens[given];
        let none = run(&wrong, None, false);
        assert!(none.ended == MethodEnd::NoSolution && none.board.is_none(), "{none:?}");
    }
}
