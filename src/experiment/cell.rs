//! A cell: one puzzle, one method, and one value for each parameter. Each of its runs has a seed.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::Puzzle;
use crate::exact::ExactMethod;
use crate::ga::{Config, Preset};
use crate::util::named_enum::UnknownName;

/// Parameters that say how long a child is improved, one for each local search that has any.
pub(super) const LENGTHS: [&str; 3] = ["tries", "tabu_steps", "proposals"];

/// One puzzle, one method, one value for each parameter.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The block's name.
    pub block: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The method.
    pub method: Method,
    /// All parameters. Of an exact method only the time limit counts.
    pub config: Config,
    /// The seed of its first run; the others follow it.
    pub first_seed: u64,
    /// Its runs; none if it is skipped.
    pub seeds: u32,
    /// A remark on its puzzle: on a ladder, how many solutions it has.
    pub remark: String,
    /// Why it is not run, if it is not.
    pub skip: Option<Skip>,
    /// Number of its first run in the plan.
    pub first_run: usize,
    /// The most that a run of it costs: evaluations and moves, times the cells of its board; 0 where
    /// nothing but time bounds it.
    pub cost: u64,
    /// Bytes that its populations take.
    pub memory: u64,
}

/// Why a cell is not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// Its puzzle has no solution, because of this contradiction.
    Contradictory(String),
    /// The program was built without its method.
    NotBuilt,
    /// Its work does not pay the `least_generations` of the spec.
    Blank,
    /// Its method does not fit its puzzle or parameters, for this reason.
    Unfit(String),
}

impl Cell {
    /// The seed of one of its runs, counted from 0.
    pub fn seed(&self, run: u32) -> u64 {
        self.first_seed.wrapping_add(run.into())
    }

    /// Takes all that its runs depend on into a fingerprint, and what they are called.
    pub(super) fn note(&self, fingerprint: &mut Fingerprint) {
        fingerprint.field(self.block.as_bytes());
        fingerprint.field(self.puzzle.name.as_bytes());
        fingerprint.field(self.puzzle.geometry.to_string().as_bytes());
        fingerprint.field(&self.puzzle.givens);
        fingerprint.field(self.method.name().as_bytes());
        for parameter in Config::PARAMETERS {
            fingerprint.field(parameter.name.as_bytes());
            fingerprint.field((parameter.get)(&self.config).as_bytes());
        }
        fingerprint.field(&self.first_seed.to_le_bytes());
        fingerprint.field(&self.seeds.to_le_bytes());
    }

    /// How long each child is improved: the parameter and its value, if its method improves.
    pub fn length(&self) -> Option<(&'static str, String)> {
        let Method::Preset(_) = self.method else { return None };
        let mut known = LENGTHS.iter().filter_map(|name| Config::parameter(name).ok());
        let parameter = known.find(|parameter| (parameter.applies)(&self.config))?;
        Some((parameter.name, (parameter.get)(&self.config)))
    }

    /// The value of a parameter, or nothing if the method has none.
    pub fn value(&self, parameter: &str) -> Option<String> {
        match (self.method, Config::parameter(parameter)) {
            (Method::Preset(_), Ok(parameter)) => Some((parameter.get)(&self.config)),
            _ => None,
        }
    }

    /// The names and values of those of these parameters that the method has.
    pub(super) fn values(&self, parameters: &[&'static str]) -> Vec<(&'static str, String)> {
        parameters.iter().filter_map(|name| Some((*name, self.value(name)?))).collect()
    }

    /// These parameters as numbers or names; null if the method has none.
    pub(super) fn json_values(&self, parameters: &[&str]) -> Vec<Value> {
        let config = match self.method {
            Method::Preset(_) => serde_json::to_value(&self.config).unwrap_or_default(),
            Method::Exact(_) => Value::Null,
        };
        parameters.iter().map(|name| config.get(name).cloned().unwrap_or_default()).collect()
    }
}

/// Whether not all of these are equal.
pub(super) fn differ<T: PartialEq>(mut values: impl Iterator<Item = T>) -> bool {
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// The items of each key, in the order of the first of each.
pub(super) fn grouped<K: PartialEq, T>(items: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (key, item) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

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

    /// Its name in specs and on the command line.
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
            .ok_or_else(|| UnknownName::new(text, &Self::all().map(Self::name).collect::<Vec<_>>()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The start value and the multiplier of FNV-1a.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash that tells what a stored result belongs to: FNV-1a in 64 bits (Fowler, Noll & Vo), over the fields that
/// are added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// The hash of no field.
    pub fn new() -> Self {
        Self(OFFSET)
    }

    /// Adds a field and a mark of its end.
    pub fn field(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// The hash as 16 hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(Fingerprint::new().text(), "cbf29ce484222325");
        // FNV-1a of "a" is af63dc4c8601ec8c; one more step takes the end of the field in.
        let mut fingerprint = Fingerprint::new();
        fingerprint.field(b"a");
        let expected = (0xaf63_dc4c_8601_ec8c_u64 ^ 0xff).wrapping_mul(PRIME);
        assert_eq!(fingerprint.text(), format!("{expected:016x}"));
    }
}
