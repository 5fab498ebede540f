//! Replacement: which individuals and which children are the next population.

mod elitist;
mod generational;
mod keep_if_not_worse;
mod worst_share;

pub use elitist::Elitist;
pub use generational::Generational;
pub use keep_if_not_worse::KeepIfNotWorse;
pub use worst_share::WorstShare;

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
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse" => KeepIfNotWorse,
    }
}

/// Decides who survives a generation.
pub trait ReplacementOperator: Send + Sync {
    /// Children that a generation of `population` individuals has.
    fn offspring(&self, population: usize) -> usize {
        population
    }

    /// Makes `population` the next one; `children`, of which the first
    /// [`offspring`](Self::offspring) were bred, may keep anything.
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals);
}
