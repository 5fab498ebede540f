//! What is said of a run that the device engine does not carry out.

use thiserror::Error;

use super::twins::supported_presets;
use crate::board::Geometry;
use crate::ga::{EngineError, OperatorName, RunError};

/// What the device engine does not run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsupported {
    /// A configuration of which something has no twin.
    #[error(
        "the device engine has no {what}: it runs the presets {}; --engine host runs all",
        supported_presets().iter().map(|preset| preset.name()).collect::<Vec<_>>().join(", ")
    )]
    Operator {
        /// What has none, as in `crossover pmx`.
        what: String,
    },
    /// An operator of the user's own, which no kernel knows.
    #[error("the device engine has no twin of the own {0}: the host engine runs it")]
    Own(OperatorName),
    /// Loops that a software driver cuts short.
    #[error(
        "{adapter} ends a thread's loops after {most} turns in all, but a child may take {needed}: use fewer tries, smaller tournaments or smaller boards, or --engine host"
    )]
    Loops {
        /// The adapter's name.
        adapter: String,
        /// Turns that a child may take.
        needed: u64,
        /// Turns that there are.
        most: u64,
    },
    /// A puzzle whose tables the adapter does not hold.
    #[error(
        "{adapter} cannot hold what the device engine knows of this {geometry} puzzle: it would take {needed} bytes, but {most} is the most; more givens or a stronger --presolve leave less of it, and --engine host takes any"
    )]
    Tables {
        /// The adapter's name.
        adapter: String,
        /// The puzzle's shape.
        geometry: Geometry,
        /// Bytes of the tables.
        needed: u64,
        /// Bytes that a shader can reach.
        most: u64,
    },
    /// An island that the adapter does not hold.
    #[error(
        "{adapter} cannot hold an island of {population} boards of {geometry} boxes: {what} would take {needed}, but {most} is the most; use a smaller population or more islands"
    )]
    Island {
        /// The adapter's name.
        adapter: String,
        /// Individuals of the island.
        population: u32,
        /// Their shape.
        geometry: Geometry,
        /// What is too large.
        what: &'static str,
        /// What it takes.
        needed: u64,
        /// What it may take.
        most: u64,
    },
}

impl From<Unsupported> for RunError {
    fn from(error: Unsupported) -> Self {
        Self::Engine(EngineError::new(error))
    }
}
