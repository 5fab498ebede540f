//! Methods: what an experiment compares, presets and exact solvers alike.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::evolve::Preset;
use crate::named::{UnknownName, named};

named! {
    /// A method that searches completely, and needs no seed.
    pub enum Exact {
        /// Depth first over candidates, the cell with the fewest first.
        Backtracking = "backtracking",
        /// The puzzle as an integer program.
        IntegerProgram = "integer-program",
    }
}

impl Exact {
    /// Whether this program was built with it; a cell of one that was not says so in its row.
    /// Here, and in the runner, is where exact solvers are connected.
    pub fn built(self) -> bool {
        false
    }
}

/// How a puzzle is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By evolution.
    Preset(Preset),
    /// By complete search.
    Exact(Exact),
}

impl Method {
    /// Every method.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let presets = Preset::ALL.iter().map(|preset| Self::Preset(*preset));
        presets.chain(Exact::ALL.iter().map(|exact| Self::Exact(*exact)))
    }

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preset(preset) => preset.name(),
            Self::Exact(exact) => exact.name(),
        }
    }
}

impl FromStr for Method {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::all()
            .find(|method| method.name() == text)
            .ok_or_else(|| UnknownName::new(text, Self::all().map(Self::name)))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
