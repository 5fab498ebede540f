//! Improvement: the local search that a child goes through before it is scored.

mod exchange_descent;
mod none;

use std::iter::Sum;
use std::ops::AddAssign;

pub use exchange_descent::ExchangeDescent;
pub(crate) use exchange_descent::sharing_pairs;
pub use none::NoImprovement;

use super::operator::family;
use crate::random::Draws;

family! {
    /// The local search that a child goes through.
    pub enum Improvement: ImprovementOperator {
        /// Random exchanges of two blanks of a unit, kept where fitness does not rise.
        ExchangeDescent = "exchange-descent" => ExchangeDescent,
        /// Children are scored as they are.
        None = "none" => NoImprovement,
    }
}

/// Improves children.
pub trait ImprovementOperator: Send + Sync {
    /// Bytes of working memory that [`improve`](Self::improve) wants.
    fn scratch_len(&self) -> usize {
        0
    }

    /// Improves `child` in place. `scratch` has at least `scratch_len` bytes, of no
    /// particular value.
    fn improve(&self, child: &mut [u8], scratch: &mut [u8], draws: &mut Draws) -> Effort;
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
