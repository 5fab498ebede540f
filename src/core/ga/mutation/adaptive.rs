//! The mutation of a run: its rate adapts to the parents of a child, and the best of several mutants is kept.
//!
//! Parents that are equally fit are mostly alike, and become common as a population loses its variety. So there are
//! two rates: `alike_rate` for children of equally fit parents, `mutation_rate` for the others. The fitness of the
//! parents alone decides, so that no state is kept. Where `alike_rate` is 0 all children have `mutation_rate`.
//!
//! With `mutants` above 1 a child is mutated several times, and the mutant of the best fitness replaces it. The mutants are
//! made from the same child, one after the other from the same stream of draws; of equals the first is kept. Each
//! counts as a move, because its fitness is computed.
//!
//! A population of copies: every child is mutated with `alike_rate`.
//!
//! Sources: rates that adapt to fitness, Srinivas & Patnaik, IEEE Trans. SMC 24, 1994; parents that are too
//! alike, Eshelman 1991 (CHC), who does not let them breed; the best of several mutants, the local search of
//! Sato & Inoue 2010.

use super::{BuildContext, ConfigError, Mutation, MutationOperator};
use crate::board::Geometry;
use crate::fitness::fitness;
use crate::ga::local_search::Effort;
use crate::ga::offspring_batch::OffspringBatch;
use crate::random::{Draws, StreamStage};

/// A mutation at two rates.
#[doc(hidden)]
pub struct AdaptiveMutation {
    usual: Box<dyn MutationOperator>,
    /// The mutation of children of equally fit parents, if it has a rate of its own.
    alike: Option<Box<dyn MutationOperator>>,
    mutants: u32,
    geometry: Geometry,
}

impl AdaptiveMutation {
    /// The custom mutation or that of the configuration, once for each rate.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot work in this context.
    pub fn new(
        custom: &Option<Box<dyn MutationOperator>>,
        context: &BuildContext,
    ) -> Result<Self, ConfigError> {
        let mut config = context.config.clone();
        let mutation = config.mutation;
        let is_none = custom.is_none() && mutation == Mutation::None;
        let mutants = if is_none { 1 } else { config.mutants };
        let usual = mutation.build_or_custom(custom, context)?;
        let adapts = mutation != Mutation::None && config.alike_rate > 0.0;
        config.mutation_rate = config.alike_rate;
        let context = &BuildContext { config: &config, ..*context };
        let alike = adapts.then(|| mutation.build_or_custom(custom, context)).transpose()?;
        Ok(Self { usual, alike, mutants, geometry: context.space.geometry() })
    }

    /// Changes the children of a batch in place, packed boards one after the other, by the `fitness` of all individuals.
    /// `scratch` has at least [`scratch_len`](Self::scratch_len) bytes, of any content.
    pub fn mutate_batch(
        &self,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
        fitness: &[u16],
        scratch: &mut [u8],
    ) -> Effort {
        if self.alike.is_none() && self.mutants == 1 {
            self.usual.mutate_batch(batch, children);
            return Effort::default();
        }
        let each = batch.slots(children).zip(batch.parents).map(|((slot, child), parents)| {
            let [first, second] = parents.map(|parent| fitness[parent as usize]);
            let mutation = match &self.alike {
                Some(alike) if first == second => alike,
                _ => &self.usual,
            };
            let mut draws = batch.seed.draws(StreamStage::Mutate, slot);
            self.keep_best(&**mutation, child, scratch, &mut draws)
        });
        each.sum()
    }

    /// Replaces `child` by the best of its mutants; a single one is not scored.
    #[inline]
    fn keep_best(
        &self,
        mutation: &dyn MutationOperator,
        child: &mut [u8],
        scratch: &mut [u8],
        draws: &mut Draws,
    ) -> Effort {
        if self.mutants == 1 {
            mutation.mutate(child, draws);
            return Effort::default();
        }
        let scratch = &mut scratch[..self.scratch_len()];
        let (original, mutant) = scratch.split_at_mut(self.geometry.stride());
        original.copy_from_slice(child);
        let mut best = u16::MAX;
        for _ in 0..self.mutants {
            mutant.copy_from_slice(original);
            mutation.mutate(mutant, draws);
            let fitness = fitness(self.geometry, mutant);
            if fitness < best {
                best = fitness;
                child.copy_from_slice(mutant);
            }
        }
        Effort { moves: self.mutants.into(), steps: 1 }
    }

    /// Returns the number of words that nearly every child draws.
    pub fn words(&self) -> u32 {
        self.mutants.saturating_mul(self.usual.words())
    }

    /// Returns the bytes of working memory that a child needs.
    pub fn scratch_len(&self) -> usize {
        if self.mutants > 1 { 2 * self.geometry.stride() } else { 0 }
    }
}
