//! Why a puzzle could not be worked on.

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use super::BackendError;
use crate::board::UnsolvableError;
use crate::ga::{ConfigError, RunError};

/// Why a puzzle could not be worked on.
#[derive(Debug, Error)]
pub enum SolveError {
    /// Its givens contradict each other.
    #[error(transparent)]
    Contradictory(#[from] UnsolvableError),
    /// What was set cannot be.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The backend cannot do what is asked of it.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The run cannot begin or go on.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The system gave no threads.
    #[error("cannot start the threads")]
    Threads(#[from] ThreadPoolBuildError),
}
