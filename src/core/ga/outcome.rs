//! How a run ended, and with what.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Puzzle, VerifyError, verify};
use crate::fitness::EvaluatorError;
use crate::util::named_enum::named;

named! {
    /// What ended a run.
    pub enum StopReason {
        /// Presolve left nothing to evolve.
        Presolved = "presolved",
        /// A board without duplicates was found, and checked.
        Solved = "solved",
        /// Whoever watched it ended it.
        Observer = "observer",
        /// The user ended it.
        Interrupted = "interrupted",
        /// The time limit was reached.
        Time = "time",
        /// The bound on evaluations plus moves was reached.
        Work = "work",
        /// The bound on generations was reached.
        Generations = "generations",
        /// The device failed.
        Lost = "device-lost",
    }
}

impl StopReason {
    /// Whether a budget was spent without a solution, which proves nothing.
    pub fn is_budget(self) -> bool {
        matches!(self, Self::Time | Self::Work | Self::Generations)
    }

    /// Whether it may end a run in the middle of a generation.
    pub(super) fn is_early(self) -> bool {
        matches!(self, Self::Interrupted | Self::Time)
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What ended it.
    pub stop_reason: StopReason,
    /// The best board found: one value a cell. It holds blanks only when the run ended before its
    /// first generation was scored.
    pub board: Vec<u8>,
    /// Its fitness, as it was scored; 0 has been checked to solve the puzzle.
    pub fitness: u16,
    /// The number of the last complete generation.
    pub generations: u32,
    /// How often the population was drawn anew.
    pub restarts: u32,
    /// Boards scored.
    pub evaluations: u64,
    /// Moves evaluated.
    pub moves: u64,
    /// Changes made by local search.
    pub steps: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// The part of it in which the engine was made.
    pub making: Duration,
    /// Why scoring or the whole run went on on the CPU, if it did, or why it ended.
    pub fault: Option<EvaluatorError>,
}

impl Outcome {
    /// Whether the puzzle is solved.
    pub fn solved(&self) -> bool {
        self.fitness == 0
    }

    /// Evaluations plus moves.
    pub fn work(&self) -> u64 {
        self.evaluations + self.moves
    }

    /// Whether it can be that of a run of a puzzle, if it comes from elsewhere: a solution is verified
    /// again.
    ///
    /// # Errors
    /// [`OutcomeError`] says what cannot be.
    pub fn check(&self, puzzle: &Puzzle) -> Result<(), OutcomeError> {
        let solves = matches!(self.stop_reason, StopReason::Solved | StopReason::Presolved);
        if solves != self.solved() {
            return Err(OutcomeError::End(self.stop_reason, self.fitness));
        }
        if solves {
            verify(puzzle, &self.board).map_err(OutcomeError::Solution)?;
        }
        let geometry = puzzle.geometry;
        let is_value = |value: &u8| usize::from(*value) <= geometry.side();
        let is_board = self.board.len() == geometry.cells() && self.board.iter().all(is_value);
        let counted = self.evaluations.checked_add(self.moves).is_some();
        if is_board && counted && self.fitness <= geometry.worst_fitness() {
            Ok(())
        } else {
            Err(OutcomeError::Board)
        }
    }
}

/// Why an outcome is none of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OutcomeError {
    /// It says that it is solved, and is not.
    #[error("its solution is wrong: {0}")]
    Solution(VerifyError),
    /// It ended in another way than its fitness says.
    #[error("its stop reason '{0}' contradicts its fitness {1}")]
    End(StopReason, u16),
    /// The board is none of the puzzle's shape, or the counts are too large to be so.
    #[error("its board or its counts do not belong to this puzzle")]
    Board,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;

    #[test]
    fn budgets_prove_nothing_and_time_ends_a_generation() {
        let of = |is: fn(StopReason) -> bool| {
            StopReason::ALL.iter().copied().filter(|reason| is(*reason)).collect::<Vec<_>>()
        };
        let budgets = [StopReason::Time, StopReason::Work, StopReason::Generations];
        assert_eq!(of(StopReason::is_budget), budgets);
        assert_eq!(of(StopReason::is_early), [StopReason::Interrupted, StopReason::Time]);
    }

    #[test]
    fn what_cannot_have_come_of_a_puzzle_is_refused() {
        let puzzle = format::read("1... ..1. .... ...1", "small", None).unwrap().puzzle;
        let unsolved = Outcome {
            stop_reason: StopReason::Work,
            board: vec![1; 16],
            fitness: 30,
            generations: 3,
            restarts: 0,
            evaluations: 40,
            moves: 2,
            steps: 1,
            elapsed: Duration::ZERO,
            making: Duration::ZERO,
            fault: None,
        };
        assert_eq!(unsolved.check(&puzzle), Ok(()));
        let solved = Outcome { stop_reason: StopReason::Solved, fitness: 0, ..unsolved.clone() };
        assert!(matches!(solved.check(&puzzle), Err(OutcomeError::Solution(_))));
        let board = vec![1, 2, 3, 4, 4, 3, 1, 2, 2, 1, 4, 3, 3, 4, 2, 1];
        assert_eq!(Outcome { board, ..solved.clone() }.check(&puzzle), Ok(()));
        let ended = Outcome { fitness: 0, ..unsolved.clone() };
        assert_eq!(ended.check(&puzzle), Err(OutcomeError::End(StopReason::Work, 0)));
        for wrong in [
            Outcome { board: vec![1; 15], ..unsolved.clone() },
            Outcome { board: vec![5; 16], ..unsolved.clone() },
            Outcome { fitness: 49, ..unsolved.clone() },
            Outcome { moves: u64::MAX, ..unsolved },
        ] {
            assert_eq!(wrong.check(&puzzle), Err(OutcomeError::Board));
        }
    }
}
