//! Replacement: which individuals and which children are the next population.

mod elitist;
mod generational;
mod keep_distance;
mod keep_if_not_worse;
mod worst_share;

pub use elitist::Elitist;
pub use generational::Generational;
#[cfg(feature = "gpu")]
pub(crate) use keep_distance::COMPARED;
pub use keep_distance::KeepDistance;
pub use keep_if_not_worse::KeepIfNotWorse;
pub use worst_share::WorstShare;

use super::Config;
use super::operator::family;
use super::state::Individuals;

family! {
    /// Who survives.
    pub enum Replacement: ReplacementOperator {
        /// The children replace the whole population.
        Generational = "generational" => Generational,
        /// The children replace the population, but its best take the place of the worst of them.
        Elitist = "elitist" => Elitist,
        /// A few children replace the worst of the population; all others survive.
        WorstShare = "worst-share" => WorstShare,
        /// A few children replace the worst, unless they are too near to one that is not worse.
        KeepDistance = "keep-distance" => KeepDistance,
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse" => KeepIfNotWorse,
    }
}

impl Replacement {
    /// Whether only a few children are bred a generation, and most individuals survive.
    pub fn is_steady(self) -> bool {
        matches!(self, Self::WorstShare | Self::KeepDistance)
    }

    /// Children that a generation has: by `offspring` or `worst_share` where it is steady, at
    /// least one and at most as many as individuals, else as many.
    pub fn offspring(self, config: &Config) -> u32 {
        let Config { population, worst_share, offspring, .. } = *config;
        let by_share = (worst_share * f64::from(population) - 1e-6).ceil() as u32;
        match (self.is_steady(), offspring) {
            (false, _) => population,
            (true, 0) => by_share.clamp(1, population),
            (true, count) => count.min(population),
        }
    }
}

/// Decides who survives a generation.
pub trait ReplacementOperator: Send + Sync {
    /// Makes `population` the next one; `children`, of which the first
    /// [`offspring`](Replacement::offspring) were bred, may keep anything.
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals);
}
