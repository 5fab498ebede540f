//! How an experiment ends.

use std::error::Error;

use thiserror::Error;

use crate::run::SolveError;

/// Any error.
pub(super) type AnyError = Box<dyn Error + Send + Sync>;

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Nothing is missing.
    Complete,
    /// It was told to.
    Interrupted,
}

/// Why an experiment could not go on. What it has finished is kept.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The system gave no threads.
    #[error(transparent)]
    Threads(SolveError),
    /// A run failed.
    #[error("{puzzle}, {method}, seed {seed}: {error}")]
    Run {
        /// The puzzle's name.
        puzzle: String,
        /// The method's name.
        method: &'static str,
        /// The run's seed.
        seed: u64,
        /// What went wrong.
        error: AnyError,
    },
    /// Whoever was told of a finished run failed.
    #[error("{0}")]
    Told(AnyError),
}
