//! Best of several mutants: a child is mutated several times, and the best result is kept.
//!
//! The mutants are made from the same child, by whichever mutation the run uses, one after the
//! other from the same stream of draws; ties go to the first. Each counts as a move, because its
//! fitness is priced.
//!
//! Source: what Sato & Inoue 2010 call their local search.

use super::MutationOperator;
use crate::board::Geometry;
use crate::fitness::fitness;
use crate::ga::local_search::Effort;
use crate::ga::offspring_batch::OffspringBatch;
use crate::random::{Draws, StreamStage};

/// Several mutants, of which one survives.
pub struct BestOfMutants {
    mutation: Box<dyn MutationOperator>,
    mutants: u32,
    geometry: Geometry,
}

impl BestOfMutants {
    /// The best of `mutants` made by `mutation`; a single mutant is not priced.
    pub fn new(mutation: Box<dyn MutationOperator>, mutants: u32, geometry: Geometry) -> Self {
        Self { mutation, mutants, geometry }
    }

    /// Words that nearly every child draws, or none.
    pub fn words(&self) -> u32 {
        self.mutants.saturating_mul(self.mutation.words())
    }

    /// Bytes of working memory that [`mutate`](Self::mutate) wants.
    pub fn scratch_len(&self) -> usize {
        if self.mutants > 1 { 2 * self.geometry.stride() } else { 0 }
    }

    /// Changes the children of a batch in place, packed boards a slot. `scratch` has at least `scratch_len` bytes,
    /// of no particular value.
    pub fn mutate_batch(
        &self,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
        scratch: &mut [u8],
    ) -> Effort {
        if self.mutants == 1 {
            self.mutation.mutate_batch(batch, children);
            return Effort::default();
        }
        let each = batch.slots(children).map(|(slot, child)| {
            self.mutate(child, scratch, &mut batch.seed.draws(StreamStage::Mutate, slot))
        });
        each.sum()
    }

    /// Changes `child` in place. `scratch` has at least `scratch_len` bytes, of no
    /// particular value.
    #[inline]
    pub fn mutate(&self, child: &mut [u8], scratch: &mut [u8], draws: &mut Draws) -> Effort {
        if self.mutants == 1 {
            self.mutation.mutate(child, draws);
            return Effort::default();
        }
        let scratch = &mut scratch[..self.scratch_len()];
        let (parent, mutant) = scratch.split_at_mut(self.geometry.stride());
        parent.copy_from_slice(child);
        let mut best = u16::MAX;
        for _ in 0..self.mutants {
            mutant.copy_from_slice(parent);
            self.mutation.mutate(mutant, draws);
            let fitness = fitness(self.geometry, mutant);
            if fitness < best {
                best = fitness;
                child.copy_from_slice(mutant);
            }
        }
        Effort { moves: self.mutants.into(), steps: 1 }
    }
}
