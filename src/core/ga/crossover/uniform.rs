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
use crate::random::{BatchWords, Draws, StreamStage};

/// Cells of which a word has the coins.
const WORD: usize = u32::BITS as usize;
/// The most words with coins of a vector: the widest has 64 cells, and may begin within a word.
const VECTOR_WORDS: usize = 3;

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
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let parents = first.chunks(WORD).zip(second.chunks(WORD));
        for (child, (first, second)) in child.chunks_mut(WORD).zip(parents) {
            let coins = draws.word();
            for (bit, cell) in child.iter_mut().enumerate() {
                let is_second = (coins >> bit & 1) as u8;
                *cell = first[bit] ^ (first[bit] ^ second[bit]) & is_second.wrapping_neg();
            }
        }
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let draws = batch.seed.stage(StreamStage::Cross);
        let Some(words) = draws.cached(batch.first, batch.parents.len(), self.words) else {
            return self.cross_each(batch, children);
        };
        dispatch!(Level::new(), simd => mix_batch(simd, words, batch, children));
    }

    fn words(&self) -> u32 {
        self.words
    }
}

/// Overwrites the children of a batch, whose words are cached.
#[inline(always)]
fn mix_batch<S: Simd>(
    simd: S,
    words: BatchWords<'_>,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    for (at, (_, child)) in batch.slots(children).enumerate() {
        match child.len() < S::u8s::LEN {
            true => mix::<S, u8x16<S>>(simd, words, at, batch.couple(at), child),
            false => mix::<S, S::u8s>(simd, words, at, batch.couple(at), child),
        }
    }
}

/// Overwrites `child` with the cells of the first parent, or of the second where the coin is 1. The lowest bit of word
/// number 0 of the slot at index `at` is for the first cell. A vector is no longer than the board.
#[inline(always)]
fn mix<S: Simd, V: SimdInt<S, Element = u8>>(
    simd: S,
    words: BatchWords<'_>,
    at: usize,
    [first, second]: [&[u8]; 2],
    child: &mut [u8],
) where
    V::Mask: Select<V>,
{
    let stride = child.len();
    for start in (0..stride).step_by(V::LEN) {
        // The last vector ends with the board and overlaps the one before it.
        let start = start.min(stride - V::LEN);
        let numbers = (start / WORD..stride.div_ceil(WORD)).take(VECTOR_WORDS);
        let mut coins = 0;
        for (place, number) in numbers.enumerate() {
            coins |= u128::from(words.word(at, number)) << (place * WORD);
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
    use crate::random::GenerationRng;

    #[test]
    fn a_one_takes_the_cell_of_the_second_parent() {
        let seed = GenerationRng::new(3, 1);
        for stride in [16, 20, 36, 84, 256, 628] {
            let mut child = vec![7; stride];
            let [first, second] = [1, 2].map(|value| vec![value; stride]);
            let crossover = Uniform { words: stride.div_ceil(WORD) as u32 };
            let draws = || seed.draws(StreamStage::Cross, 5);
            crossover.cross([&first, &second], &mut child, &mut draws());
            let mut draws = draws();
            let words: Vec<u32> = (0..crossover.words).map(|_| draws.word()).collect();
            let coin = |cell: usize| words[cell / WORD] >> (cell % WORD) & 1;
            assert!((0..stride).all(|cell| u32::from(child[cell]) == 1 + coin(cell)), "{stride}");
        }
    }
}
