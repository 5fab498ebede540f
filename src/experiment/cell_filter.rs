//! Filters of the cells of a plan: those of some blocks and puzzles, with some methods and values of
//! parameters.
//!
//! ```text
//! --only method=boxes --only puzzle=ai-escargot --only population=300
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Cell, Method};
use crate::ga::{Config, Overrides};

/// A property of cells (`block`, `puzzle`, `method` or a parameter) and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFilter {
    property: String,
    value: String,
}

impl CellFilter {
    /// Whether a cell has this value; an exact method has no parameters.
    pub fn is_value_of(&self, cell: &Cell) -> bool {
        match self.property.as_str() {
            "block" => cell.block == self.value,
            "puzzle" => cell.puzzle.name == self.value,
            "method" => cell.method.name() == self.value,
            parameter => cell.value(parameter).is_some_and(|value| value == self.value),
        }
    }

    /// Whether a cell passes: one of an exact method passes every filter of parameters.
    fn holds(&self, cell: &Cell) -> bool {
        let is_exact = matches!(cell.method, Method::Exact(_));
        self.is_value_of(cell) || is_exact && Config::parameter(&self.property).is_ok()
    }
}

/// Whether a cell passes: of several filters of the same property it passes one, and so for each property.
pub(super) fn all_hold(only: &[CellFilter], cell: &Cell) -> bool {
    let same = |one: &CellFilter| {
        only.iter().filter(|other| other.property == one.property).any(|other| other.holds(cell))
    };
    only.iter().all(same)
}

impl FromStr for CellFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = match text.split_once('=') {
            Some((property @ ("block" | "puzzle"), name)) => format!("{property}={}", name.trim()),
            Some(("method" | "preset", name)) => {
                let method = name.trim().parse::<Method>();
                format!("method={}", method.map_err(|error| format!("method: {error}"))?)
            }
            _ => {
                let others = "other filters are block=NAME, puzzle=NAME and method=NAME";
                // As the parameter writes it.
                let set = text.parse::<Overrides>().map_err(|error| format!("{error}; {others}"));
                set?.to_string()
            }
        };
        let (property, value) = text.split_once('=').unwrap_or_default();
        Ok(Self { property: property.to_owned(), value: value.to_owned() })
    }
}

impl fmt::Display for CellFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.property, self.value)
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
            assert_eq!(only.property, text.split('=').next().unwrap());
        }
        let method: CellFilter = "preset=boxes".parse().unwrap();
        assert_eq!(method.to_string(), "method=boxes");
    }
}
