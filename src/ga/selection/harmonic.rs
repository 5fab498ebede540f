//! Weights 1/2, 1/3, 1/4 and so on, from the best on.
//!
//! The individual of rank k, counted from 1, has the weight `floor(2^32 / (k + 1))`; a position on
//! the wheel of all weights is found by binary search. The weights depend on ranks alone, so the
//! wheel is laid once a run.
//!
//! P = 3: the weights are as 6, 4 and 3.
//!
//! Source: document 004 of the project, which gave it up because its runs were stuck near fitness 15. Here
//! they are not (docs/RESULTS.md).

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::{RankOrder, SelectionOperator};
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
        let population = context.config.population;
        let worst = context.space.geometry().worst_fitness();
        Ok(Self { ranking: RankOrder::new(population, worst), sums: sums(population) })
    }
}

fn sums(population: u32) -> Vec<u64> {
    let weights = (1..=u64::from(population)).map(|rank| (1 << 32) / (rank + 1));
    let running = weights.scan(0u64, |sum, weight| {
        *sum += weight;
        Some(*sum)
    });
    running.collect()
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
    fn plan(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.ranking.rank(fitness);
    }

    #[inline(always)]
    fn draw(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [self.rank(&mut draws), self.rank(&mut draws)]
    }

    fn resolve(&self, parents: &mut [[u32; 2]]) {
        self.ranking.resolve(parents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_inverse_to_rank() {
        let mut selection = Harmonic { ranking: RankOrder::new(3, 48), sums: sums(3) };
        selection.plan(&[7, 5, 9], &GenerationRng::new(1, 0));
        let mut seen = [0; 3];
        for slot in 0..6_500 {
            seen[selection.parents(slot, &[], &GenerationRng::new(1, 0))[0] as usize] += 1;
        }
        for (seen, expected) in seen.into_iter().zip([2_000i32, 3_000, 1_500]) {
            assert!((seen - expected).abs() < 170, "{seen} for {expected}");
        }
    }
}
