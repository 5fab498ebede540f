//! Uniform crossover: each cell comes from either parent with probability one half.
//!
//! A bit of a random word is the coin of a cell, so that a word serves 32 cells.
//!
//! The word 0b0110, lowest bit first, takes cells 1 and 2 of the second parent and cells 0 and 3 of the first.
//!
//! Source: document 002 of the project; Syswerda, *Uniform crossover in genetic algorithms*, 1989.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Select, Simd, dispatch, u8x16};

use super::{BuildContext, ConfigError, CrossoverOperator, FromContext, OffspringBatch};
use crate::board::MAX_SIDE;
use crate::random::{Draws, StreamStage};

/// Cells of which a word has the coins.
const WORD: usize = u32::BITS as usize;
/// The most words with coins of a vector: the widest has 64 cells, and may begin within a word.
const VECTOR_WORDS: usize = 3;
/// The most words of a child.
const MOST_WORDS: usize = MAX_SIDE * MAX_SIDE / WORD;

/// A coin for each cell.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// Words that a child draws.
    words: u32,
}

impl FromContext for Uniform {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("crossover uniform")?;
        Ok(Self { words: context.space.geometry().stride().div_ceil(WORD) as u32 })
    }
}

impl CrossoverOperator for Uniform {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let mut words = [0; MOST_WORDS];
        words[..self.words as usize].fill_with(|| draws.word());
        dispatch!(Level::new(), simd => mix(simd, |number| words[number], parents, child));
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let draws = batch.seed.stage(StreamStage::Cross);
        let Some(words) = draws.cached(batch.first, batch.parents.len(), self.words) else {
            return self.cross_each(batch, children);
        };
        dispatch!(Level::new(), simd => {
            for (at, (_, child)) in batch.slots(children).enumerate() {
                mix(simd, |number| words.word(at, number), batch.couple(at), child);
            }
        });
    }

    fn words(&self) -> u32 {
        self.words
    }
}

/// Overwrites `child` with the cells of the first parent, or of the second where the coin is 1. The lowest bit of word
/// number 0 is for the first cell.
#[inline(always)]
fn mix<S: Simd>(simd: S, word: impl Fn(usize) -> u32, parents: [&[u8]; 2], child: &mut [u8]) {
    match child.len() < S::u8s::LEN {
        true => mix_by::<S, u8x16<S>>(simd, word, parents, child),
        false => mix_by::<S, S::u8s>(simd, word, parents, child),
    }
}

/// Does the same by vectors that are no longer than the board.
#[inline(always)]
fn mix_by<S: Simd, V: SimdInt<S, Element = u8>>(
    simd: S,
    word: impl Fn(usize) -> u32,
    [first, second]: [&[u8]; 2],
    child: &mut [u8],
) where
    V::Mask: Select<V>,
{
    let stride = child.len();
    for start in (0..stride).step_by(V::LEN) {
        // The last vector ends with the board and overlaps the one before it.
        let start = start.min(stride - V::LEN);
        let words = (start / WORD..stride.div_ceil(WORD)).take(VECTOR_WORDS);
        let mut coins = 0;
        for (place, number) in words.enumerate() {
            coins |= u128::from(word(number)) << (place * WORD);
        }
        let is_second = V::Mask::from_bitmask(simd, (coins >> (start % WORD)) as u64);
        let cells = start..start + V::LEN;
        let [first, second] =
            [first, second].map(|parent| V::from_slice(simd, &parent[cells.clone()]));
        is_second.select(second, first).store_slice(&mut child[cells]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_one_takes_the_cell_of_the_second_parent() {
        let words: Vec<u32> = (0..30u32).map(|word| word.wrapping_mul(0x9E37_79B9)).collect();
        for stride in [16, 20, 36, 84, 256, 628] {
            let mut child = vec![7; stride];
            let parents = [1, 2].map(|value| vec![value; stride]);
            dispatch!(Level::new(), simd => {
                mix(simd, |number| words[number], [&parents[0], &parents[1]], &mut child);
            });
            let coin = |cell: usize| words[cell / 32] >> (cell % 32) & 1;
            assert!((0..stride).all(|cell| u32::from(child[cell]) == 1 + coin(cell)), "{stride}");
        }
    }
}
