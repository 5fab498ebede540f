//! Crossover: how a child is put together from two parents.

mod agreement;
mod band_or_stack;
mod none;
mod one_point;
mod one_unit;
mod pmx;
mod subset;
mod uniform;

pub use agreement::{Agreement, Inherit};
pub use band_or_stack::BandOrStack;
pub use none::NoCrossover;
pub use one_point::OnePoint;
pub use one_unit::OneUnit;
pub use pmx::Pmx;
pub use subset::Subset;
pub use uniform::Uniform;

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
        /// One random unit comes from the second parent, all else from the first.
        OneUnit = "one-unit" => OneUnit,
        /// Two children: the parents after they exchanged one random row.
        RowExchange = "row-exchange" => OneUnit,
        /// Two children by partially matched crossover in each unit.
        Pmx = "pmx" => Pmx,
        /// Each cell comes from either parent with one half.
        Uniform = "uniform" => Uniform,
        /// What both parents hold is kept; other cells come from either, or are redrawn.
        Agreement = "agreement" => Agreement,
        /// The child is a copy of the first parent.
        None = "none" => NoCrossover,
    }
}

impl Crossover {
    /// Children that one couple has by one set of draws. Of two, the second is that of the
    /// parents in the other order.
    pub fn siblings(self) -> u32 {
        match self {
            Self::RowExchange | Self::Pmx => 2,
            _ => 1,
        }
    }
}

/// Puts children together.
pub trait CrossoverOperator: Send + Sync {
    /// Overwrites `child` with parts of the parents; all are packed boards of `stride` bytes.
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws);
}
