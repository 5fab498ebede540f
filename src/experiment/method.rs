//! Methods: what an experiment compares, presets and exact solvers alike.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::exact::ExactMethod;
use crate::ga::Preset;
use crate::util::named_enum::UnknownName;

/// How a puzzle is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By evolution.
    Preset(Preset),
    /// By complete search.
    Exact(ExactMethod),
}

impl Method {
    /// Every method.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let presets = Preset::ALL.iter().map(|preset| Self::Preset(*preset));
        presets.chain(ExactMethod::ALL.iter().map(|exact| Self::Exact(*exact)))
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
