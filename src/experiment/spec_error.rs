//! Where in a spec something stands, and why it is refused.
//!
//! `sizes.toml, line 3: there is no key 'sedes' (did you mean 'seeds'?)`; what was given as a
//! flag is named by it: `--seeds: seeds is '0', but it takes 1 to 4294967295`.

use std::fmt;

use indicatif::HumanCount;
use thiserror::Error;

use crate::board::PuzzleError;
use crate::format::InputError;
use crate::ga::ConfigError;
use crate::util::memory::NotEnoughMemory;
use crate::util::named_enum::{UnknownName, suggestion};

/// Where something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecPlace {
    /// In a spec.
    Line {
        /// The spec's file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A spec as a whole.
    File(String),
    /// On the command line, by this flag.
    Flag(&'static str),
}

impl fmt::Display for SpecPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line } => write!(f, "{file}, line {line}"),
            Self::File(file) => f.write_str(file),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// Something and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub place: SpecPlace,
}

impl<T> Located<T> {
    /// An error about it.
    pub fn refused(&self, refusal: impl Into<SpecErrorKind>) -> SpecError {
        SpecError { place: self.place.clone(), refusal: refusal.into() }
    }
}

/// A spec that nothing is run from.
#[derive(Debug, Error)]
#[error("{place}: {refusal}")]
pub struct SpecError {
    /// Where it is wrong.
    pub place: SpecPlace,
    /// What is wrong there.
    pub refusal: SpecErrorKind,
}

/// A key that may be meant, or where what is no key stands.
fn elsewhere(nearest: &Option<String>) -> String {
    let parameters = || " (parameters stand under [parameters])".to_owned();
    nearest.as_ref().map_or_else(parameters, |_| suggestion(nearest))
}

/// What is wrong with a spec.
#[derive(Debug, Error)]
pub enum SpecErrorKind {
    /// It is no TOML.
    #[error("{0}")]
    Syntax(String),
    /// No key has this name.
    #[error("there is no key '{given}'{}", elsewhere(.nearest))]
    UnknownKey {
        /// What was written.
        given: String,
        /// The key that is nearest to it.
        nearest: Option<String>,
    },
    /// A block in a block.
    #[error("there is no key 'block' in a block")]
    Nested,
    /// A number out of range.
    #[error("{key} is '{given}', but it takes {least} to {most}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// What was written.
        given: String,
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// A key that must be there is not, or lists nothing.
    #[error("no {0} are listed")]
    Nothing(&'static str),
    /// The same thing is set in two places.
    #[error("{0} is given twice")]
    Twice(String),
    /// A key that means nothing without another.
    #[error("{key} means nothing without {lacks}")]
    Without {
        /// The key.
        key: &'static str,
        /// What is missing.
        lacks: &'static str,
    },
    /// More cells or runs than an experiment may have.
    #[error("more than {} {what}, the most that an experiment may have", HumanCount(*.most))]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        most: u64,
    },
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A parameter, its value, or how parameters go together.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A puzzle that cannot be read.
    #[error(transparent)]
    Puzzle(#[from] InputError),
    /// A puzzle that is none.
    #[error(transparent)]
    Malformed(#[from] PuzzleError),
    /// A method that does not fit its puzzle or parameters.
    #[error("{puzzle} by {method}: {misfit} (--skip-unfit leaves it out and runs the others)")]
    Misfit {
        /// The puzzle's name.
        puzzle: String,
        /// The method's name.
        method: &'static str,
        /// What is wrong.
        misfit: Box<SpecErrorKind>,
    },
    /// A number out of range, of those that need not be whole.
    #[error("{key} is '{given}', but it takes {least} to {most}")]
    OutOfReals {
        /// The key.
        key: &'static str,
        /// What was written.
        given: String,
        /// The smallest value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// A key that must be there is not.
    #[error("there is no key {0}, which a tuning needs")]
    Lacks(&'static str),
    /// What cannot be tuned.
    #[error("{0} cannot be tuned: name a preset, and parameters that bound no run")]
    Untunable(&'static str),
    /// What decides whether a parameter exists is not tuned itself, or depends on it in turn.
    #[error("'{0}' stands under when, but it is not tuned itself, or depends on this in turn")]
    NotTuned(String),
    /// A range that is none.
    #[error("a range has from and to, or values, as in {{ from = 1, to = 9 }}")]
    NoRange,
    /// A range that ends before it begins.
    #[error("it goes from {from} to {to}, which has no value")]
    EmptyRange {
        /// Its first value.
        from: String,
        /// Its last.
        to: String,
    },
    /// A scale that is none.
    #[error("'{0}' is no scale: there are linear and log")]
    Scale(String),
    /// A logarithm of 0.
    #[error("a range with scale log begins above 0")]
    LogOfZero,
    /// A puzzle that is to be trained on and validated with.
    #[error("{0} is among training and validation, which have nothing in common")]
    InBoth(String),
    /// A puzzle that cannot be tuned on.
    #[error("{0} has no solution, or its runs cannot be made: nothing is tuned on it")]
    NoInstance(String),
    /// Puzzles on which all candidates are the same.
    #[error(
        "presolve alone finishes every training puzzle, so that nothing is tuned: name harder ones, or set \
         presolve under [parameters]"
    )]
    Presolved,
    /// Runs of which nothing says what they may take.
    #[error("[parameters] needs max_work with one value above 0: what a run may take")]
    Unbounded,
    /// A population that does not fit into memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
}
