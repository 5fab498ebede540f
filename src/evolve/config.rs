//! Every parameter of a run, declared once.
//!
//! The table below feeds the command's help, `--set name=value`, `--config FILE.toml` and the
//! configuration in exported JSON.

use std::time::Duration;

use thiserror::Error;

use super::crossover::Crossover;
use super::encoding::Encoding;
use super::improvement::Improvement;
use super::mutation::Mutation;
use super::parameter::{NamedValue, Parameter, Value, parameters};
use super::replacement::Replacement;
use super::selection::{Pairing, Selection};
use super::{Preset, presets};
use crate::named::{UnknownName, nearest, suggestion};
use crate::propagate::Presolve;

parameters! {
    /// The effective configuration of a run.
    pub struct Config {
        /// Individuals. Too few lose what the puzzle needs before it is put together; too many
        /// make each generation slow.
        population: u32 = 100_000, in 1..=u32::MAX - 1, unit "individuals";
        /// What is derived from the givens before anything is evolved.
        presolve: Presolve = Presolve::Full, in (), unit "";
        /// What a board is made of.
        encoding: Encoding = Encoding::Boxes, in (), unit "";
        /// How parents are found.
        selection: Selection = Selection::RingTournament, in (), unit "";
        /// Ring tournament: how far from its slot a child's parents may stand. A small radius
        /// spreads a good board slowly and keeps the population varied; a large one spreads it
        /// fast.
        radius: u32 = 3, in 0..=1_000_000, unit "slots";
        /// Truncation: share of the population whose best members become parents. Too small loses
        /// variety, too large hardly selects.
        best_share: f64 = 0.25, in 0.0..=1.0, unit "of the population";
        /// Truncation: parents drawn from the whole population, repeats allowed, as a share of it.
        /// Keeps variety; too large hardly selects.
        random_share: f64 = 0.25, in 0.0..=1.0, unit "of the population";
        /// Truncation: how parents meet.
        pairing: Pairing = Pairing::Couples, in (), unit "";
        /// Truncation: children of a couple. Half of best_share plus random_share, times this,
        /// must be 1.
        children: u32 = 4, in 1..=1_000_000, unit "a couple";
        /// How a child is put together from two parents.
        crossover: Crossover = Crossover::BandOrStack, in (), unit "";
        /// How a child is changed at random.
        mutation: Mutation = Mutation::Exchange, in (), unit "";
        /// Probability that a child is mutated. Too low and the population runs out of new
        /// boards, too high and it loses what it found.
        mutation_rate: f64 = 0.5, in 0.0..=1.0, unit "a child";
        /// The local search that a child goes through.
        improvement: Improvement = Improvement::ExchangeDescent, in (), unit "";
        /// Exchange descent: exchanges tried a child. More makes better children that cost more,
        /// until most tries are wasted.
        tries: u32 = 60, in 0..=1_000_000_000, unit "a child";
        /// Who survives.
        replacement: Replacement = Replacement::KeepIfNotWorse, in (), unit "";
        /// Generations without a better best after which the whole population is drawn anew; 0
        /// never does. Too few cut off runs that would have got there, too many wait for nothing.
        restart_after: u32 = 50, in 0..=u32::MAX, unit "generations";
        /// The run ends after this many generations; 0 sets no bound.
        max_generations: u32 = 1_000, in 0..=u32::MAX - 1, unit "generations";
        /// The run ends after the generation in which evaluations plus moves reach this; 0 sets
        /// no bound.
        max_work: u64 = 0, in 0..=u64::MAX, unit "evaluations and moves";
        /// The run ends after this time; 0 sets no bound. A run that ends by time is not
        /// reproducible.
        time_limit: f64 = 0.0, in 0.0..=1.0e9, unit "seconds";
        /// Traces estimate the number of distinct boards every so many generations; 0 never does.
        distinct_every: u32 = 10, in 0..=u32::MAX, unit "generations";
    }
}

macro_rules! named_values {
    ($($family:ty),*) => { $(
        impl NamedValue for $family {
            fn names() -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().map(|variant| variant.name())
            }
        }
    )* };
}
named_values!(
    Presolve,
    Encoding,
    Selection,
    Pairing,
    Crossover,
    Mutation,
    Improvement,
    Replacement
);

impl Config {
    /// The configuration of a preset.
    pub fn of(preset: Preset) -> Self {
        presets::config(preset)
    }

    /// Sets the parameter of this name from text.
    ///
    /// # Errors
    /// [`ConfigError`] when there is no such parameter, or the value is none of its.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
        (Self::parameter(name)?.set)(self, text.trim())
    }

    /// The parameter of this name; hyphens may stand for underscores.
    ///
    /// # Errors
    /// [`ConfigError::UnknownParameter`] names the nearest one.
    pub fn parameter(name: &str) -> Result<&'static Parameter, ConfigError> {
        let name = name.trim().replace('-', "_");
        let names = Self::PARAMETERS.iter().map(|parameter| parameter.name);
        Self::PARAMETERS.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            ConfigError::UnknownParameter { nearest: nearest(&name, names), given: name.clone() }
        })
    }

    /// The time limit, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        (self.time_limit > 0.0).then(|| Duration::from_secs_f64(self.time_limit))
    }
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConfigError {
    /// No parameter has this name.
    #[error("there is no parameter '{given}'{}", suggestion(.nearest))]
    UnknownParameter {
        /// What was written.
        given: String,
        /// The parameter that is nearest to it.
        nearest: Option<String>,
    },
    /// A parameter that takes names was given another.
    #[error("{name}: {unknown}")]
    UnknownValue {
        /// The parameter.
        name: &'static str,
        /// What was written, and what could have been.
        unknown: UnknownName,
    },
    /// A number is none, or out of range.
    #[error("{name} is '{given}', but it takes {range}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What was written.
        given: String,
        /// What it takes.
        range: String,
    },
    /// Parameters that are fine one by one do not go together.
    #[error("{0}")]
    Unfit(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_reads_what_it_writes() {
        for preset in Preset::ALL {
            let config = Config::of(*preset);
            let mut copy = Config::of(Preset::Memetic);
            copy.preset = *preset;
            for parameter in Config::PARAMETERS {
                copy.set(parameter.name, &(parameter.get)(&config)).unwrap();
            }
            assert_eq!(copy, config);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_in_a_sentence() {
        let mut config = Config::of(Preset::Memetic);
        let mut refused = |name, text| config.set(name, text).unwrap_err().to_string();
        assert_eq!(
            refused("populaton", "5"),
            "there is no parameter 'populaton' (did you mean 'population'?)"
        );
        assert_eq!(refused("population", "0"), "population is '0', but it takes 1 to 4294967294");
        assert_eq!(refused("mutation-rate", "NaN"), "mutation_rate is 'NaN', but it takes 0 to 1");
        assert_eq!(
            refused("crossover", "subsets"),
            "crossover: 'subsets' is none of band-or-stack, one-point, subset, none (did you mean 'subset'?)"
        );
    }
}
