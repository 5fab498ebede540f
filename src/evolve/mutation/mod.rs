//! Mutation: how a child is changed at random.

mod best_of;
mod exchange;
mod none;
mod pair_exchange;
mod partial_shuffle;
mod redraw_two;
mod reset;
mod reshuffle;

pub use best_of::BestOf;
pub use exchange::Exchange;
pub use none::NoMutation;
pub use pair_exchange::PairExchange;
pub use partial_shuffle::PartialShuffle;
pub use redraw_two::RedrawTwo;
pub use reset::Reset;
#[cfg(feature = "gpu")]
pub(crate) use reset::binomial;
pub use reshuffle::Reshuffle;

use super::operator::family;
use crate::random::Draws;

family! {
    /// How a child is changed at random.
    pub enum Mutation: MutationOperator {
        /// Two blanks of a random unit exchange their values.
        Exchange = "exchange" => Exchange,
        /// A random pair among all pairs of blanks that share a unit exchanges its values.
        PairExchange = "pair-exchange" => PairExchange,
        /// Two values of a random unit are put back in random order.
        Reshuffle = "reshuffle" => Reshuffle,
        /// A share of the blanks is kept; the values of the others are shuffled among them.
        PartialShuffle = "partial-shuffle" => PartialShuffle,
        /// Each cell is given a random value with a small probability.
        Reset = "reset" => Reset,
        /// Two random cells are given random values.
        RedrawTwo = "redraw-two" => RedrawTwo,
        /// Children stay as they are.
        None = "none" => NoMutation,
    }
}

/// Changes children at random.
pub trait MutationOperator: Send + Sync {
    /// Changes `child` in place, or leaves it.
    fn mutate(&self, child: &mut [u8], draws: &mut Draws);
}
