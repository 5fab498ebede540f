//! The factor that is compared: methods, the values of a parameter, or whole blocks.
//!
//! `mutation-rate` and `mutation_rate` are the same parameter, and `preset` means `method`.

use std::str::FromStr;

use super::super::{Cell, Method};
use crate::ga::Config;

/// The factor in which compared cells differ: a parameter, or `method` or `block`, which no parameter is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedFactor(&'static str);

impl ComparedFactor {
    /// The methods.
    pub const METHOD: Self = Self("method");
    /// The blocks, which may differ in anything but the puzzle.
    pub const BLOCK: Self = Self("block");

    /// The value of a cell; an exact method has none.
    pub fn of(self, cell: &Cell) -> Option<String> {
        match cell.method {
            Method::Exact(_) => None,
            method if self == Self::METHOD => Some(method.to_string()),
            _ if self == Self::BLOCK => Some(cell.block.clone()),
            // Cells that differ in a parameter without effect have the same runs.
            _ => cell.value(self.0).filter(|_| {
                Config::parameter(self.0).is_ok_and(|parameter| (parameter.applies)(&cell.config))
            }),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The name of several of its values.
    pub fn plural(self) -> String {
        match self {
            Self::METHOD | Self::BLOCK => format!("{}s", self.0),
            Self(parameter) => format!("values of {parameter}"),
        }
    }
}

impl FromStr for ComparedFactor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, Config::parameter(text)) {
            ("method" | "methods" | "preset", _) => Ok(Self::METHOD),
            ("block" | "blocks", _) => Ok(Self::BLOCK),
            (_, Ok(parameter)) => Ok(Self(parameter.name)),
            (_, Err(error)) => Err(format!("{error}; name a parameter, 'method' or 'block'")),
        }
    }
}
