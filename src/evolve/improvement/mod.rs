//! Improvement: the local search that a child goes through before it is scored.

mod exchange_descent;
mod none;
mod tabu;

use std::iter::Sum;
use std::ops::AddAssign;

pub use exchange_descent::ExchangeDescent;
#[cfg(feature = "gpu")]
pub(crate) use exchange_descent::sharing_pairs;
pub use none::NoImprovement;
pub use tabu::TabuSearch;

use super::operator::family;
use crate::random::Draws;

family! {
    /// The local search that a child goes through.
    pub enum Improvement: ImprovementOperator {
        /// Random exchanges of two blanks of a unit, kept where fitness does not rise.
        ExchangeDescent = "exchange-descent" => ExchangeDescent,
        /// Tabu search: the best change of a conflicting cell that is not forbidden, step by step.
        Tabu = "tabu" => TabuSearch,
        /// Children are scored as they are.
        None = "none" => NoImprovement,
    }
}

/// Improves children.
pub trait ImprovementOperator: Send + Sync {
    /// Words of working memory that [`improve`](Self::improve) wants.
    fn scratch_len(&self) -> usize {
        0
    }

    /// Moves that a child may take, roughly: few children whose improvement is long make a task.
    fn moves_a_child(&self) -> u64 {
        0
    }

    /// Improves `child` in place; nothing when `stop`, which a long search asks now and then, said
    /// so before the end. `scratch` has at least `scratch_len` words, of no particular value.
    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort>;
}

/// What local search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Neighbouring boards whose change was priced, taken or not.
    pub moves: u64,
    /// Changes that were made.
    pub steps: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.steps += other.steps;
    }
}

impl Sum for Effort {
    fn sum<I: Iterator<Item = Self>>(efforts: I) -> Self {
        efforts.fold(Self::default(), |mut total, effort| {
            total += effort;
            total
        })
    }
}
