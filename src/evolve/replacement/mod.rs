//! Replacement: which of a slot's individual and its child survives.

mod generational;
mod keep_if_not_worse;

pub use generational::Generational;
pub use keep_if_not_worse::KeepIfNotWorse;

use super::operator::family;
use super::state::Individuals;

family! {
    /// Who survives.
    pub enum Replacement: ReplacementOperator {
        /// The children replace the whole population.
        Generational = "generational" => Generational,
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse" => KeepIfNotWorse,
    }
}

/// Decides who survives a generation.
pub trait ReplacementOperator: Send + Sync {
    /// Makes `population` the next one; `children` may keep anything.
    fn replace(&self, population: &mut Individuals, children: &mut Individuals);
}
