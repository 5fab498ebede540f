//! Errors of the solver: why a backend cannot be had, and why a puzzle could not be worked on.

use thiserror::Error;

use crate::board::UnsolvableError;
use crate::fitness::{EvaluatorError, UnsupportedSimd};
use crate::ga::{ConfigError, RunError};
#[cfg(feature = "gpu")]
use crate::gpu::{AdapterError, DeviceError};
use crate::util::threads::ThreadError;

/// Why a puzzle could not be worked on.
#[derive(Debug, Error)]
pub enum SolveError {
    /// Its givens contradict each other.
    #[error(transparent)]
    Contradictory(#[from] UnsolvableError),
    /// The settings are not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The backend is not available.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The run cannot start or continue.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The system gave no threads.
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// Why a backend cannot be had.
#[derive(Debug, Error)]
pub enum BackendError {
    /// The crate was built without the feature `gpu`.
    #[error("this build does not support graphics adapters: it was built without the feature gpu")]
    NoGpuFeature,
    /// No adapter has this name.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    /// Several adapters are named where one is tried.
    #[error("'auto' takes a single adapter: name one adapter, or use 'gpu' for several")]
    SeveralForAuto,
    /// There is no GPU, or none but software drivers.
    #[error("{0}")]
    NoGpu(String),
    /// The adapter did not open.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Open(#[from] DeviceError),
    /// The adapter opened, but does not score.
    #[error("{adapter} cannot score: {error}")]
    Scoring {
        /// The adapter's name.
        adapter: String,
        /// The error of its driver.
        error: EvaluatorError,
    },
    /// The CPU lacks these vector instructions.
    #[error(transparent)]
    Simd(#[from] UnsupportedSimd),
}
