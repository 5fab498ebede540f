//! Crossover of some couples: with probability `crossover_rate` a couple's children are crossed, else each is
//! a copy of its first parent.
//!
//! The children of a couple share the draw. Where the rate is 1 nothing is drawn, so that a run is the one
//! that it was before there was a rate.
//!
//! Source: the crossover probability of Holland 1975; Sato & Inoue 2010 cross with 0.3.

use super::super::offspring_batch::{OffspringBatch, copy_board, first_sibling};
use super::CrossoverOperator;
use crate::random::{Probability, StreamStage};

/// A crossover that some couples go through.
pub struct CrossoverWithRate {
    crossover: Box<dyn CrossoverOperator>,
    rate: Probability,
}

impl CrossoverWithRate {
    /// Of couples by `crossover` with probability `rate`.
    pub fn new(crossover: Box<dyn CrossoverOperator>, rate: f64) -> Self {
        Self { crossover, rate: Probability::new(rate) }
    }

    /// Children that one couple has, at least 1.
    pub fn children_per_couple(&self) -> u32 {
        self.crossover.children_per_couple()
    }

    /// Overwrites the children of a batch, packed boards a slot.
    pub fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        if self.rate == Probability::ALWAYS {
            return self.crossover.cross_batch(batch, children);
        }
        let (children_per_couple, seed) = (self.children_per_couple(), batch.seed);
        let draws = seed.of(StreamStage::Cross);
        for (at, (slot, child)) in batch.slots(children).enumerate() {
            let parents = batch.couple(at);
            let family = first_sibling(slot, children_per_couple);
            if seed.draws(StreamStage::Couple, family).bernoulli(self.rate) {
                self.crossover.cross(parents, child, &mut draws.family_draws(family));
            } else {
                copy_board(parents[0], child);
            }
        }
    }
}
