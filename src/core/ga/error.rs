//! Errors: why a configuration, a state or a run cannot be used, and why a run failed.

use std::error::Error;
use std::sync::Arc;

use crate::board::{PopulationError, VerifyError};
use crate::fitness::EvaluatorError;
use crate::util::memory::NotEnoughMemory;
use crate::util::named_enum::{UnknownName, suggestion};

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// No parameter has this name.
    #[error("there is no parameter '{given}'{}", suggestion(.nearest))]
    UnknownParameter {
        /// The text that was given.
        given: String,
        /// The nearest name of a parameter.
        nearest: Option<String>,
    },
    /// The value is not one of the names that the parameter takes.
    #[error("{name}: {unknown}")]
    UnknownValue {
        /// The parameter.
        name: &'static str,
        /// The text that was given, and the names that are valid.
        unknown: UnknownName,
    },
    /// A name without a value.
    #[error("it takes name=value, not '{given}'")]
    NoValue {
        /// The text that was given.
        given: String,
    },
    /// The value is not a number, or is out of range.
    #[error("{name} is '{given}', but it takes {range}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The text that was given.
        given: String,
        /// The values that it takes.
        range: String,
    },
    /// Parameters that are valid one by one do not fit together.
    #[error("{0}")]
    Unfit(String),
}

/// Why a state does not belong to a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The run has other numbers or sizes of islands.
    #[error(
        "the state's islands have {found:?} individuals, but the run's islands have {expected:?}"
    )]
    Islands {
        /// Individuals of each island of the state.
        found: Vec<usize>,
        /// Individuals of each island of the run.
        expected: Vec<usize>,
    },
    /// A board has blanks, contradicts the givens, or has no fitness.
    #[error("the state's individual {slot} of island {island} is not valid for this puzzle")]
    Individual {
        /// The island, from 0.
        island: usize,
        /// The slot, from 0.
        slot: usize,
    },
    /// The best board or the counts are impossible.
    #[error("the best board or the counts of the checkpoint do not belong to this run")]
    Progress,
    /// The population of the run's last generation is gone.
    #[error(
        "the last population is lost: the run ended while the engine ran several generations at once; to keep it, run one at a time"
    )]
    Overrun,
    /// The islands of other ranks or adapters are in another generation.
    #[error("the islands are in different generations, because one generation was abandoned")]
    Abandoned,
}

/// Why a run could not start or continue.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// Its configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// A checkpoint or a state belongs to another run.
    #[error(transparent)]
    State(#[from] StateError),
    /// The population could not be allocated.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The engine does not carry out such a run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The device failed, and the CPU does not replay the run.
    #[error("{0}, and the run was not replayed")]
    Lost(EvaluatorError),
    /// The run was interrupted while its engine was created.
    #[error("the run was interrupted before it started")]
    Interrupted,
    /// Scoring failed on the CPU too.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// A custom operator failed, or made a board that does not belong to the run.
    #[error("{0}")]
    Operator(String),
    /// A board that was scored 0 does not solve the puzzle.
    #[error("a board that scored 0 is not a solution ({0}): an evaluator or an operator is wrong")]
    Unverified(VerifyError),
}

/// The reason why an engine does not carry out a run: an error of the engine's own type, which this module does not know.
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct EngineError(Arc<dyn Error + Send + Sync>);

impl EngineError {
    /// Wraps the error of an engine.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }

    /// Returns the error of the engine, if it is of this type.
    pub fn get<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("no number of threads")]
    struct Threads(#[source] std::num::ParseIntError);

    #[test]
    fn an_engines_own_error_speaks_for_itself() {
        let number = "x".parse::<u32>().unwrap_err();
        let error = EngineError::new(Threads(number.clone()));
        assert_eq!(error.to_string(), "no number of threads");
        assert_eq!(error.get::<Threads>().map(|threads| &threads.0), Some(&number));
        assert!(error.get::<RunError>().is_none());
        // What is behind it, not itself once more.
        assert_eq!(error.source().map(ToString::to_string), Some(number.to_string()));
    }
}
