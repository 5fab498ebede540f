//! The factor that is compared: methods, or the values of a parameter.
//!
//! `mutation-rate` and `mutation_rate` are the same parameter, and `preset` means `method`.

use std::fmt;
use std::str::FromStr;

use super::super::{Cell, Method};
use crate::ga::Config;

/// The factor in which compared cells differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedFactor {
    /// Their methods.
    Method,
    /// The value of the parameter of this name.
    Parameter(&'static str),
}

impl ComparedFactor {
    /// The value of a cell, which an exact method has none of.
    pub fn of(self, cell: &Cell) -> Option<String> {
        match (self, cell.method) {
            (_, Method::Exact(_)) => None,
            (Self::Method, method) => Some(method.to_string()),
            (Self::Parameter(name), _) => cell.value(name),
        }
    }

    /// The names of all factors.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let parameters = Config::PARAMETERS.iter().map(|parameter| parameter.name);
        std::iter::once(Self::Method.name()).chain(parameters)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Parameter(name) => name,
        }
    }

    /// The name of several of its values.
    pub fn plural(self) -> String {
        match self {
            Self::Method => "methods".to_owned(),
            Self::Parameter(name) => format!("values of {name}"),
        }
    }
}

impl FromStr for ComparedFactor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "method" | "preset" => Ok(Self::Method),
            name => match Config::parameter(name) {
                Ok(parameter) => Ok(Self::Parameter(parameter.name)),
                Err(error) => Err(format!("{error}; besides parameters there is method")),
            },
        }
    }
}

impl fmt::Display for ComparedFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
