//! Why a measurement could not be made.

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use crate::board::{PopulationError, UnsolvableError};
use crate::fitness::{EvaluatorError, UnsupportedSimd};
use crate::ga::ConfigError;
use crate::gpu::DeviceError;
use crate::run::SolveError;
use crate::util::memory::NotEnoughMemory;

/// Why a measurement could not be made.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A generation could not be bred.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A preset cannot breed boards of this shape, or in this number.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Boards could not be scored.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// This machine has not the vector instructions.
    #[error(transparent)]
    Simd(#[from] UnsupportedSimd),
    /// The boards could not be allocated.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The boards' givens contradict each other.
    #[error(transparent)]
    Contradictory(#[from] UnsolvableError),
    /// The system gives no more threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}
