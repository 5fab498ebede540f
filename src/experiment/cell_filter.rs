//! Which cells of a plan are meant: those of some blocks and puzzles, with some methods and values of
//! parameters.
//!
//! ```
//! use evodoku::experiment::CellFilter;
//!
//! let only: CellFilter = "method=boxes".parse()?;
//! assert_eq!(only.to_string(), "method=boxes");
//! assert!("method=boxen".parse::<CellFilter>().is_err());
//! # Ok::<(), evodoku::experiment::CellFilterError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, Method};
use crate::ga::{ConfigError, Overrides};
use crate::util::named_enum::UnknownName;

/// What cells have in common.
#[derive(Clone, Debug, PartialEq)]
pub enum CellFilter {
    /// A block of this name.
    Block(String),
    /// A puzzle of this name.
    Puzzle(String),
    /// A method.
    Method(Method),
    /// A value of a parameter, which exact methods have whatever it is.
    Parameter(Box<Overrides>),
}

/// A text that names nothing that cells have in common.
#[derive(Clone, Debug, Error)]
pub enum CellFilterError {
    /// There is no such method.
    #[error("method: {0}")]
    Method(#[from] UnknownName),
    /// There is no such parameter, or it has no such value.
    #[error("{0}; besides parameters there are block=NAME, puzzle=NAME and method=NAME")]
    Parameter(#[from] ConfigError),
}

impl CellFilter {
    /// Whether a cell is meant by this alone.
    pub fn holds(&self, cell: &Cell) -> bool {
        match self {
            Self::Block(name) => cell.block == *name,
            Self::Puzzle(name) => cell.puzzle.name == *name,
            Self::Method(method) => cell.method == *method,
            Self::Parameter(set) => {
                matches!(cell.method, Method::Exact(_)) || set.hold_in(&cell.config)
            }
        }
    }

    /// What it is a value of.
    fn aspect(&self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::Puzzle(_) => "puzzle",
            Self::Method(_) => "method",
            Self::Parameter(set) => set.parameters().next().map_or("", |parameter| parameter.name),
        }
    }
}

/// Of what is asked for of the same aspect, a cell has one; of other aspects, it has all.
pub(super) fn all_hold(only: &[CellFilter], cell: &Cell) -> bool {
    let alike = |one: &CellFilter| {
        only.iter().filter(|other| other.aspect() == one.aspect()).any(|other| other.holds(cell))
    };
    only.iter().all(alike)
}

impl FromStr for CellFilter {
    type Err = CellFilterError;

    fn from_str(text: &str) -> Result<Self, CellFilterError> {
        match text.split_once('=') {
            Some(("block", name)) => Ok(Self::Block(name.trim().to_owned())),
            Some(("puzzle", name)) => Ok(Self::Puzzle(name.trim().to_owned())),
            Some(("method" | "preset", name)) => Ok(Self::Method(name.trim().parse()?)),
            _ => Ok(Self::Parameter(Box::new(text.parse()?))),
        }
    }
}

impl fmt::Display for CellFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(name) => write!(f, "block={name}"),
            Self::Puzzle(name) => write!(f, "puzzle={name}"),
            Self::Method(method) => write!(f, "method={method}"),
            Self::Parameter(set) => write!(f, "{set}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_aspect_is_read_and_told_again() {
        for text in ["block=easy", "puzzle=ai-escargot", "method=boxes", "population=300"] {
            let only: CellFilter = text.parse().unwrap();
            assert_eq!(only.to_string(), text);
            assert_eq!(only.aspect(), text.split('=').next().unwrap());
        }
        let method: CellFilter = "preset=boxes".parse().unwrap();
        assert_eq!(method, CellFilter::Method("boxes".parse().unwrap()));
    }
}
