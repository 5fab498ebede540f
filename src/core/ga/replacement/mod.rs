//! Replacement: which individuals and which children form the next population.

use super::operator::{BuildContext, FromContext, common_methods, family};
use super::selection::RankOrder;
use super::state::Individuals;
use super::{Config, ConfigError};

pub use super::operator_names::Replacement;

super::operator_names::replacements!();

impl Replacement {
    /// Whether the parameters `offspring` and `worst_share` have a meaning for it.
    pub fn is_steady(self) -> bool {
        matches!(self, Self::WorstShare | Self::KeepDistance)
    }

    /// Returns the number of children of a generation: `offspring`, or by `worst_share`, for steady state, which is
    /// at least one and at most the population; else the population.
    pub fn offspring(self, config: &Config) -> u32 {
        let Config { population, worst_share, offspring, .. } = *config;
        let by_share = (worst_share * f64::from(population) - 1e-6).ceil() as u32;
        match offspring {
            _ if !self.is_steady() => population,
            0 => by_share.clamp(1, population),
            count => count.min(population),
        }
    }
}

/// Decides who survives a generation.
///
/// The next population depends on the population and its children alone. Nothing is drawn, and what
/// the operator stores between calls is working memory.
pub trait ReplacementOperator: copies::Duplicate + Send + Sync {
    /// Turns `population` into the next one. The first [`offspring`](Self::offspring) of `children`
    /// were bred and scored; `children` has room for as many as individuals, and its content does not
    /// matter afterwards.
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals);

    /// Returns the number of children that a generation of `population` individuals has: from 1 to `population`.
    fn offspring(&self, population: u32) -> u32 {
        population
    }

    common_methods!();
}
