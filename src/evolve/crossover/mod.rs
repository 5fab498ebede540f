//! Crossover: how a child is put together from two parents.

mod band_or_stack;
mod none;
mod one_point;
mod subset;

pub use band_or_stack::BandOrStack;
pub use none::NoCrossover;
pub use one_point::OnePoint;
pub use subset::Subset;

use super::operator::family;
use crate::random::Draws;

family! {
    /// How a child is put together from two parents.
    pub enum Crossover: CrossoverOperator {
        /// Each band, or each stack, comes from the parent in which it is better.
        BandOrStack = "band-or-stack" => BandOrStack,
        /// The units before a random cut come from the first parent, the others from the second.
        OnePoint = "one-point" => OnePoint,
        /// A random set of units comes from the second parent, the others from the first.
        Subset = "subset" => Subset,
        /// The child is a copy of the first parent.
        None = "none" => NoCrossover,
    }
}

/// Puts children together.
pub trait CrossoverOperator: Send + Sync {
    /// Overwrites `child` with parts of the parents; all are packed boards of `stride` bytes.
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws);
}
