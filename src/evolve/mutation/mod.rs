//! Mutation: how a child is changed at random.

mod exchange;
mod none;

pub use exchange::Exchange;
pub use none::NoMutation;

use super::operator::family;
use crate::random::Draws;

family! {
    /// How a child is changed at random.
    pub enum Mutation: MutationOperator {
        /// Two blanks of a random unit exchange their values.
        Exchange = "exchange" => Exchange,
        /// Children stay as they are.
        None = "none" => NoMutation,
    }
}

/// Changes children at random.
pub trait MutationOperator: Send + Sync {
    /// Changes `child` in place, or leaves it.
    fn mutate(&self, child: &mut [u8], draws: &mut Draws);
}
