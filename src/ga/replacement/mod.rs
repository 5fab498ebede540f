//! Replacement: which individuals and which children are the next population.

use super::operator::{BuildContext, family, type_name};
use super::state::Individuals;
use super::{Config, ConfigError};

pub(crate) use keep_distance::TILE;

family! {
    /// Who survives.
    pub enum Replacement: ReplacementOperator {
        /// The children replace the whole population.
        Generational = "generational" => generational::Generational,
        /// The children replace the population, but its best take the place of the worst of them.
        Elitist = "elitist" => elitist::Elitist,
        /// A few children replace the worst of the population; all others survive.
        WorstShare = "worst-share" => worst_share::WorstShare,
        /// A few children replace the worst, unless they are too near to one that is not worse.
        KeepDistance = "keep-distance" => keep_distance::KeepDistance,
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse" => replace_if_not_worse::KeepIfNotWorse,
    }
}

impl Replacement {
    /// Whether the parameters `offspring` and `worst_share` mean something to it.
    pub fn is_steady(self) -> bool {
        matches!(self, Self::WorstShare | Self::KeepDistance)
    }

    /// Children that a generation of the crate's own operator has.
    pub fn offspring(self, config: &Config) -> u32 {
        if self.is_steady() { few(config) } else { config.population }
    }
}

/// The few children of a generation by `offspring` or `worst_share`: at least one, and at most as
/// many as individuals.
fn few(config: &Config) -> u32 {
    let Config { population, worst_share, offspring, .. } = *config;
    let by_share = (worst_share * f64::from(population) - 1e-6).ceil() as u32;
    match offspring {
        0 => by_share.clamp(1, population),
        count => count.min(population),
    }
}

/// Decides who survives a generation.
///
/// What becomes of a population depends on it and its children alone. Nothing is drawn, and what
/// the operator keeps from one call to the next is working memory.
pub trait ReplacementOperator: copies::Duplicate + Send + Sync {
    /// Makes `population` the next one. The first [`offspring`](Self::offspring) of `children`
    /// were bred and scored; there is room for as many as individuals, and what is left in
    /// `children` does not matter.
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals);

    /// Children that a generation of `population` individuals has: at least 1, at most as many.
    fn offspring(&self, population: u32) -> u32 {
        population
    }

    /// Name in reports.
    fn name(&self) -> &str {
        type_name::<Self>()
    }

    /// Prepares a custom operator for the puzzle and configuration, before the run.
    ///
    /// # Errors
    /// Why it cannot work there.
    fn prepare(&mut self, context: &BuildContext) -> Result<(), ConfigError> {
        let _ = context;
        Ok(())
    }
}
