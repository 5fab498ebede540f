//! Linear rank selection: weights from 1 for the worst to P for the best.
//!
//! Ranks are those of `RankOrder`, so that individuals of equal fitness have
//! different weights, the lower slot the larger. No wheel is needed: a point `(x, y)` is drawn in
//! a rectangle of P by P + 1. Half of it is the triangle `y <= x`, which has `x + 1` points at each
//! `x`; the other half is mapped onto it by `x -> P - 1 - x`.
//!
//! P = 3: the weights of best, second and worst are 3, 2, 1 of 6.
//!
//! Source: document 003 of the project; Baker, *Adaptive selection methods for genetic
//! algorithms*, 1985.

use fearless_simd::{Level, dispatch};

use super::{BuildContext, ConfigError, FromContext, RankOrder, SelectionOperator};
use crate::random::{BatchWords, GenerationRng, StreamStage, below};

/// Parents by rank.
#[derive(Clone, Debug)]
pub struct LinearRank {
    population: u32,
    ranking: RankOrder,
}

impl FromContext for LinearRank {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self { population: context.config.population, ranking: context.rank_order() })
    }
}

impl LinearRank {
    /// The rank of a parent, from 0 for the best, by two words.
    #[inline(always)]
    fn rank(&self, [x, y]: [u32; 2]) -> u32 {
        let (x, y) = (below(x, self.population), below(y, self.population + 1));
        let weight = if y <= x { x } else { self.population - 1 - x };
        self.population - 1 - weight
    }
}

impl SelectionOperator for LinearRank {
    fn begin_generation(&mut self, fitness: &[u16], _: &GenerationRng) {
        self.ranking.rank(fitness);
    }

    #[inline]
    fn select(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [(); 2].map(|()| self.rank([draws.word(), draws.word()]))
    }

    fn select_row(&self, words: BatchWords, _: &[u16], parents: &mut [[u32; 2]]) -> bool {
        dispatch!(Level::new(), _simd => {
            for (parents, [a, b, c, d]) in parents.iter_mut().zip(words.blocks_of(0)) {
                *parents = [self.rank([*a, *b]), self.rank([*c, *d])];
            }
        });
        true
    }

    fn words(&self) -> u32 {
        4
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        self.ranking.to_slots(parents);
    }
}
