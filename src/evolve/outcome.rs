//! How a run ended, and with what.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ConfigError, EngineError, StateError};
use crate::board::{Flaw, PopulationError};
use crate::memory::NotEnoughMemory;
use crate::named::named;
use crate::score::EvaluatorError;

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
    /// Neighbouring boards priced.
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
}

/// Why a run could not go on.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// Its configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// An engine was to go on with the state of another run.
    #[error(transparent)]
    State(#[from] StateError),
    /// The population could not be allocated.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The engine does not carry out such a run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The device failed, and the run is not done again on the host.
    #[error("{0}, and the run was not replayed")]
    Lost(EvaluatorError),
    /// Scoring failed on the CPU too.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// A board that was scored 0 does not solve the puzzle.
    #[error("a board that was scored 0 is no solution ({0}): an evaluator or an operator is wrong")]
    Unverified(Flaw),
}
