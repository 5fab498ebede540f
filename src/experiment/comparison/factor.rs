//! What is compared: methods, or the values of a parameter.
//!
//! ```
//! use evodoku::experiment::ComparedFactor;
//!
//! let aspect: ComparedFactor = "mutation-rate".parse()?;
//! assert_eq!(aspect.to_string(), "mutation_rate");
//! # Ok::<(), evodoku::experiment::ComparedFactorError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::super::{Cell, Method};
use crate::ga::{Config, ConfigError};

/// What cells differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedFactor {
    /// Their methods.
    Method,
    /// The value of the parameter of this name.
    Parameter(&'static str),
}

/// A text that names nothing that could be compared.
#[derive(Clone, Debug, Error)]
#[error("{0}; besides parameters there is method")]
pub struct ComparedFactorError(#[from] ConfigError);

impl ComparedFactor {
    /// The value of a cell, which an exact method has none of.
    pub fn of(self, cell: &Cell) -> Option<String> {
        match (self, cell.method) {
            (_, Method::Exact(_)) => None,
            (Self::Method, method) => Some(method.to_string()),
            (Self::Parameter(name), _) => cell.value(name),
        }
    }

    /// What all of them are called.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let parameters = Config::PARAMETERS.iter().map(|parameter| parameter.name);
        std::iter::once(Self::Method.name()).chain(parameters)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Parameter(name) => name,
        }
    }

    /// What several values are called.
    pub fn plural(self) -> String {
        match self {
            Self::Method => "methods".to_owned(),
            Self::Parameter(name) => format!("values of {name}"),
        }
    }
}

impl FromStr for ComparedFactor {
    type Err = ComparedFactorError;

    fn from_str(text: &str) -> Result<Self, ComparedFactorError> {
        match text {
            "method" | "preset" => Ok(Self::Method),
            name => Ok(Self::Parameter(Config::parameter(name)?.name)),
        }
    }
}

impl fmt::Display for ComparedFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
