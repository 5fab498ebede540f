//! Filters of the cells of a plan: those of some blocks and puzzles, with some methods and values of
//! parameters.
//!
//! ```text
//! --only method=boxes --only puzzle=ai-escargot --only population=300
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Cell, Method};
use crate::ga::{ConfigError, Overrides};
use crate::util::named_enum::UnknownName;

/// A property of cells.
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

impl CellFilter {
    /// Whether a cell has this property.
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

    /// The name of the property.
    fn property(&self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::Puzzle(_) => "puzzle",
            Self::Method(_) => "method",
            Self::Parameter(set) => set.parameters().next().map_or("", |parameter| parameter.name),
        }
    }
}

/// Whether a cell passes: of several filters of the same property it passes one, and so for each property.
pub(super) fn all_hold(only: &[CellFilter], cell: &Cell) -> bool {
    let same = |one: &CellFilter| {
        only.iter()
            .filter(|other| other.property() == one.property())
            .any(|other| other.holds(cell))
    };
    only.iter().all(same)
}

impl FromStr for CellFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some(("block", name)) => Ok(Self::Block(name.trim().to_owned())),
            Some(("puzzle", name)) => Ok(Self::Puzzle(name.trim().to_owned())),
            Some(("method" | "preset", name)) => {
                let method =
                    name.trim().parse().map_err(|error: UnknownName| format!("method: {error}"))?;
                Ok(Self::Method(method))
            }
            _ => {
                let others = "besides parameters there are block=NAME, puzzle=NAME and method=NAME";
                let set =
                    text.parse().map_err(|error: ConfigError| format!("{error}; {others}"))?;
                Ok(Self::Parameter(Box::new(set)))
            }
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
    fn each_property_is_read_and_written_again() {
        for text in ["block=easy", "puzzle=ai-escargot", "method=boxes", "population=300"] {
            let only: CellFilter = text.parse().unwrap();
            assert_eq!(only.to_string(), text);
            assert_eq!(only.property(), text.split('=').next().unwrap());
        }
        let method: CellFilter = "preset=boxes".parse().unwrap();
        assert_eq!(method, CellFilter::Method("boxes".parse().unwrap()));
    }
}
