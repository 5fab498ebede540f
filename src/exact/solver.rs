//! The common interface of the exact methods that are compared with the presets.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::integer_program::{IntegerProgramError, Program, integer_program};
use super::{Backtracking, GuessBudget, SearchEnd};
use crate::board::{Puzzle, VerifyError, verify};
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

/// Why a method failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MethodFault {
    /// The integer program's solver reported an error.
    #[error(transparent)]
    IntegerProgram(#[from] IntegerProgramError),
    /// The board does not solve the puzzle.
    #[error("its board is no solution: {0}")]
    Unverified(#[from] VerifyError),
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
    /// The error, when the method is not built or failed.
    pub fault: Option<MethodFault>,
}

impl ExactMethod {
    /// Whether this build of the program includes it.
    pub fn built(self) -> bool {
        match self {
            Self::Backtracking => true,
            Self::IntegerProgram => cfg!(feature = "ilp"),
        }
    }

    /// Looks for one solution of a puzzle, from its givens alone, until `limit` or until
    /// `interrupted` is set.
    pub fn solve(
        self,
        puzzle: &Puzzle,
        limit: Option<Duration>,
        interrupted: &AtomicBool,
    ) -> MethodOutcome {
        let start = Instant::now();
        let (mut ended, mut board, nodes, mut fault) = match self {
            Self::Backtracking => backtrack(puzzle, limit, interrupted),
            Self::IntegerProgram => program(puzzle, limit, interrupted),
        };
        if let Some(Err(flaw)) = board.as_deref().map(|board| verify(puzzle, board)) {
            (ended, board, fault) = (MethodEnd::Failed, None, Some(flaw.into()));
        }
        MethodOutcome { ended, board, nodes, elapsed: start.elapsed(), fault }
    }
}

type Parts = (MethodEnd, Option<Vec<u8>>, u64, Option<MethodFault>);

fn backtrack(puzzle: &Puzzle, limit: Option<Duration>, interrupted: &AtomicBool) -> Parts {
    let budget = GuessBudget {
        cap: 1,
        time: limit,
        interrupted: Some(interrupted),
        ..GuessBudget::default()
    };
    let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
    let ended = match found.end {
        _ if found.count > 0 => MethodEnd::Solved,
        SearchEnd::Interrupted => MethodEnd::Interrupted,
        SearchEnd::Time | SearchEnd::Guesses => MethodEnd::Time,
        SearchEnd::Exhausted | SearchEnd::Cap => MethodEnd::NoSolution,
    };
    (ended, found.first, found.guesses, None)
}

fn program(puzzle: &Puzzle, limit: Option<Duration>, interrupted: &AtomicBool) -> Parts {
    match integer_program(puzzle, limit, interrupted) {
        Ok(Program::Solved { board, nodes }) => (MethodEnd::Solved, Some(board), nodes, None),
        Ok(Program::Infeasible) => (MethodEnd::NoSolution, None, 0, None),
        Ok(Program::Time { nodes }) => (MethodEnd::Time, None, nodes, None),
        Ok(Program::Interrupted { nodes }) => (MethodEnd::Interrupted, None, nodes, None),
        Err(IntegerProgramError::NotBuilt) => {
            (MethodEnd::NotBuilt, None, 0, Some(IntegerProgramError::NotBuilt.into()))
        }
        Err(error) => (MethodEnd::Failed, None, 0, Some(error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{find, read};

    fn shipped(name: &str) -> Puzzle {
        read(find(name).unwrap().text, name, None).unwrap().puzzle
    }

    #[test]
    fn backtracking_solves_proves_and_stops() {
        let run = |puzzle: &Puzzle, limit, stop| {
            ExactMethod::Backtracking.solve(puzzle, limit, &AtomicBool::new(stop))
        };
        let escargot = shipped("ai-escargot");
        let solved = run(&escargot, None, false);
        assert_eq!(
            (solved.ended, verify(&escargot, &solved.board.unwrap())),
            (MethodEnd::Solved, Ok(()))
        );

        assert_eq!(run(&escargot, None, true).ended, MethodEnd::Interrupted);
        assert_eq!(run(&escargot, Some(Duration::ZERO), false).ended, MethodEnd::Time);

        let mut wrong = shipped("003-puzzle1");
        wrong.givens[2] = 9;
        let none = run(&wrong, None, false);
        assert!(none.ended == MethodEnd::NoSolution && none.board.is_none(), "{none:?}");
    }

    #[cfg(not(feature = "ilp"))]
    #[test]
    fn what_is_not_built_says_so() {
        let outcome =
            ExactMethod::IntegerProgram.solve(&shipped("003-4x4"), None, &AtomicBool::new(false));
        assert_eq!(outcome.ended.to_string(), "not built");
        assert!(outcome.fault.unwrap().to_string().contains("--features ilp"));
        assert!(!ExactMethod::IntegerProgram.built());
    }

    #[cfg(feature = "ilp")]
    #[test]
    fn both_methods_agree_on_a_unique_puzzle() {
        let easy = shipped("003-puzzle1");
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
        let escargot = shipped("ai-escargot");
        assert_eq!(run(&escargot, None, true).ended, MethodEnd::Interrupted);
        assert_eq!(run(&escargot, Some(Duration::ZERO), false).ended, MethodEnd::Time);
        let mut wrong = shipped("003-4x4");
        // Two equal values in a row.
        let given = wrong.givens.iter().position(|value| *value > 0).unwrap();
        let blank =
            (given / 4 * 4..given / 4 * 4 + 4).find(|cell| wrong.givens[*cell] == 0).unwrap();
        wrong.givens[blank] = wrong.givens[given];
        let none = run(&wrong, None, false);
        assert!(none.ended == MethodEnd::NoSolution && none.board.is_none(), "{none:?}");
    }
}
