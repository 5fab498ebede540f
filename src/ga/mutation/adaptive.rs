//! Mutation at two rates: one for children of parents that differ in fitness, one for those of equally fit ones.
//!
//! Parents that are equally fit are mostly alike, and become common as a population loses its variety. So the
//! rate adapts to each couple, from the fitness of its parents alone, and no state is kept. Where
//! `alike_rate` is 0 all children have `mutation_rate`.
//!
//! A population of copies: every child is mutated with `alike_rate`.
//!
//! Sources: rates that adapt to fitness, Srinivas & Patnaik, IEEE Trans. SMC 24, 1994; telling parents that
//! are too alike, Eshelman 1991 (CHC), who does not let them breed.

use super::{BestOfMutants, Mutation, MutationOperator};
use crate::ga::local_search::Effort;
use crate::ga::offspring_batch::OffspringBatch;
use crate::ga::operator::BuildContext;
use crate::ga::{Config, ConfigError};
use crate::random::StreamStage;

/// What mutates a child, by its parents.
pub struct AlikeRateMutation {
    usual: BestOfMutants,
    /// What mutates children of equally fit parents, if it is another.
    alike: Option<BestOfMutants>,
}

impl AlikeRateMutation {
    /// The user's own mutation or the setting's, once for each rate.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot work in this setting.
    pub fn new(
        own: &Option<Box<dyn MutationOperator>>,
        context: &BuildContext,
    ) -> Result<Self, ConfigError> {
        let config = context.config;
        let alike = Config { mutation_rate: config.alike_rate, ..config.clone() };
        let best_of = |config: &Config| -> Result<BestOfMutants, ConfigError> {
            let mutation =
                config.mutation.build_or_custom(own, &BuildContext { config, ..*context })?;
            Ok(BestOfMutants::new(mutation, config.mutants, context.space.geometry()))
        };
        let adapts = config.mutation != Mutation::None && config.alike_rate > 0.0;
        Ok(Self {
            usual: best_of(config)?,
            alike: if adapts { Some(best_of(&alike)?) } else { None },
        })
    }

    /// Changes the children of a batch in place, packed boards a slot, by the `fitness` of all individuals.
    /// `scratch` has at least `scratch_len` bytes, of no particular value.
    pub fn mutate_batch(
        &self,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
        fitness: &[u16],
        scratch: &mut [u8],
    ) -> Effort {
        let Some(alike) = &self.alike else {
            return self.usual.mutate_batch(batch, children, scratch);
        };
        let each = batch.slots(children).zip(batch.parents).map(|((slot, child), parents)| {
            let [first, second] = parents.map(|parent| fitness[parent as usize]);
            let mutation = if first == second { alike } else { &self.usual };
            mutation.mutate(child, scratch, &mut batch.seed.draws(StreamStage::Mutate, slot))
        });
        each.sum()
    }

    /// Words that nearly every child draws, or none.
    pub fn words(&self) -> u32 {
        self.usual.words()
    }

    /// Bytes of working memory that a child wants.
    pub fn scratch_len(&self) -> usize {
        self.usual.scratch_len()
    }
}
