//! Mutation: how a child is changed at random.

mod adaptive;
mod best_of;

use super::ConfigError;
use super::offspring_batch::OffspringBatch;
use super::operator::{BuildContext, family, type_name};
use crate::random::{Draws, StreamStage};

pub(crate) use adaptive::AlikeRateMutation;
pub(crate) use best_of::BestOfMutants;
#[cfg(feature = "gpu")]
pub(crate) use reset::binomial;

family! {
    /// How a child is changed at random.
    pub enum Mutation: MutationOperator {
        /// Two blanks of a random unit exchange their values.
        Exchange = "exchange" => exchange::Exchange,
        /// A random pair among all pairs of blanks that share a unit exchanges its values.
        PairExchange = "pair-exchange" => pair_exchange::PairExchange,
        /// Two values of a random unit are put back in random order.
        Reshuffle = "reshuffle" => reshuffle::Reshuffle,
        /// A share of the blanks is kept; the values of the others are shuffled among them.
        PartialShuffle = "partial-shuffle" => partial_shuffle::PartialShuffle,
        /// Each cell is given a random value with a small probability.
        Reset = "reset" => reset::Reset,
        /// Two random cells are given random values.
        RedrawTwo = "redraw-two" => redraw_two::RedrawTwo,
        /// Children stay as they are.
        None = "none" => none::NoMutation,
    }
}

/// Changes children at random.
///
/// The result depends on the child and its draws alone, and keeps what the encoding
/// promises: fixed cells stay, and permuted units stay permutations.
pub trait MutationOperator: copies::Duplicate + Send + Sync {
    /// Changes `child`, a full packed board of `stride` bytes, in place, or leaves it.
    fn mutate(&self, child: &mut [u8], draws: &mut Draws);

    /// Changes the children of a batch, each as [`mutate`](Self::mutate) does. Nobody needs to write another: it
    /// is here to be compiled for every operator by itself, or to change several children side by side.
    fn mutate_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        mutate_each(self, batch, children);
    }

    /// Words that nearly every child draws, or none: those are computed side by side.
    fn words(&self) -> u32 {
        1
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

/// Changes the children of a batch one by one.
#[inline(always)]
fn mutate_each<T: MutationOperator + ?Sized>(
    mutation: &T,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    let draws = batch.seed.of(StreamStage::Mutate);
    for (slot, child) in batch.slots(children) {
        mutation.mutate(child, &mut draws.draws(slot));
    }
}
