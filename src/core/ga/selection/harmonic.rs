//! Harmonic rank selection: weights 1/2, 1/3, 1/4 and so on, from the best on.
//!
//! The individual of rank k, counted from 1, has the weight `floor(2^32 / (k + 1))`; the rank at a position on
//! the wheel of all weights is found by binary search. The weights depend on ranks alone, so the
//! sums of the wheel are computed once a run.
//!
//! P = 3: the weights are in the ratio 6 : 4 : 3.
//!
//! Source: document 004 of the project, which rejected it because its runs stayed near fitness 15. Here
//! they do not (docs/explanation/results.md).

use super::{BuildContext, ConfigError, FromContext, RankOrder, SelectionOperator};
use crate::random::{Draws, GenerationRng, StreamStage};

/// Parents by the inverse of their rank.
#[derive(Clone, Debug)]
pub struct Harmonic {
    ranking: RankOrder,
    /// The sum of the weights up to each rank.
    sums: Vec<u64>,
}

impl FromContext for Harmonic {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let ranks = 1..=u64::from(context.config.population);
        let sums = ranks.scan(0, |sum, rank| {
            *sum += (1 << 32) / (rank + 1);
            Some(*sum)
        });
        Ok(Self { ranking: context.rank_order(), sums: sums.collect() })
    }
}

impl Harmonic {
    /// The rank of a parent, from 0 for the best.
    #[inline(always)]
    fn rank(&self, draws: &mut Draws) -> u32 {
        let total = self.sums.last().copied().unwrap_or(0);
        let position = draws.range_u64(total);
        self.sums.partition_point(|sum| *sum <= position) as u32
    }
}

impl SelectionOperator for Harmonic {
    fn begin_generation(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.ranking.rank(fitness);
    }

    #[inline(always)]
    fn select(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [self.rank(&mut draws), self.rank(&mut draws)]
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        self.ranking.to_slots(parents);
    }
}
