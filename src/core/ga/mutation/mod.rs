//! Mutation: how a child is changed at random.

mod adaptive;

use super::ConfigError;
use super::offspring_batch::OffspringBatch;
use super::operator::{BuildContext, FromContext, common_methods, family};
use crate::random::{Draws, StreamStage};

pub use super::operator_names::Mutation;
pub use adaptive::AdaptiveMutation;

super::operator_names::mutations!();

/// Changes children at random.
///
/// The result depends on the child and its draws alone, and keeps the promises of the
/// encoding: fixed cells stay, and permuted units stay permutations.
pub trait MutationOperator: copies::Duplicate + Send + Sync {
    /// Changes `child`, a full packed board of `stride` bytes, in place, or leaves it.
    fn mutate(&self, child: &mut [u8], draws: &mut Draws);

    /// Changes the children of a batch, each as [`mutate`](Self::mutate) does. The default is enough: it is compiled for
    /// every operator by itself. An operator that changes several children side by side writes its own.
    fn mutate_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.mutate_each(batch, children);
    }

    /// Changes the children of a batch one by one.
    #[inline(always)]
    fn mutate_each(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let draws = batch.seed.stage(StreamStage::Mutate);
        for (slot, child) in batch.slots(children) {
            self.mutate(child, &mut draws.draws(slot));
        }
    }

    /// Returns the number of words that nearly every child draws: these are computed side by side.
    fn words(&self) -> u32 {
        1
    }

    common_methods!();
}
