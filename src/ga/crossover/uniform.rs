//! Uniform crossover: each cell comes from either parent with one half.
//!
//! A bit of a random word decides for each cell, so that a word serves 32 cells.
//!
//! Source: document 002 of the project; Syswerda, *Uniform crossover in genetic algorithms*, 1989.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Select, Simd, dispatch, u8x16};

use super::super::ConfigError;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CrossoverOperator, cross_each};
use crate::random::{BatchWords, Draws, StreamStage};

/// A coin for each cell.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// That a child draws.
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
        let (words, rest) = child.as_chunks_mut::<WORD>();
        let (first, first_rest) = first.as_chunks::<WORD>();
        let (second, second_rest) = second.as_chunks::<WORD>();
        for (child, (first, second)) in words.iter_mut().zip(first.iter().zip(second)) {
            mix(first, second, draws.word(), child);
        }
        if !rest.is_empty() {
            mix(first_rest, second_rest, draws.word(), rest);
        }
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let words =
            batch.seed.of(StreamStage::Cross).ahead(batch.first, batch.parents.len(), self.words);
        let Some(words) = words else {
            return cross_each(self, batch, children);
        };
        dispatch!(Level::new(), simd => mix_batch(simd, words, batch, children));
    }

    fn words(&self) -> u32 {
        self.words
    }
}

/// Overwrites the children of a batch, whose words were computed ahead.
#[inline(always)]
fn mix_batch<S: Simd>(
    simd: S,
    words: BatchWords<'_>,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    for (at, (_, child)) in batch.slots(children).enumerate() {
        match child.len() < S::u8s::LEN {
            true => mix_cells::<S, u8x16<S>>(simd, words, at, batch.couple(at), child),
            false => mix_cells::<S, S::u8s>(simd, words, at, batch.couple(at), child),
        }
    }
}

/// Overwrites `child` as the crossover does, a vector of cells at a time, by the words of the slot at a place of a row.
#[inline(always)]
fn mix_cells<S: Simd, V: SimdInt<S, Element = u8>>(
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
        // The last vector begins before its place rather than end behind the board.
        let start = start.min(stride - V::LEN);
        let mut coins = 0;
        for (place, word) in (start / WORD..stride.div_ceil(WORD)).take(WORDS).enumerate() {
            coins |= u128::from(words.word(at, word)) << (place * WORD);
        }
        let is_second = V::Mask::from_bitmask(simd, (coins >> (start % WORD)) as u64);
        let cells = start..start + V::LEN;
        let [first, second] =
            [first, second].map(|parent| V::from_slice(simd, &parent[cells.clone()]));
        is_second.select(second, first).store_slice(&mut child[cells]);
    }
}

/// Words that the coins of a vector are in at most: the widest has 64 cells, and may begin within a word.
const WORDS: usize = 3;
/// Cells that a word has coins for.
const WORD: usize = u32::BITS as usize;
/// Cells that are mixed at a time, and those of which a board may have a fraction of that.
const MANY: usize = 8;
const FEW: usize = 4;

/// Overwrites `child` with the cells of the first parent, or of the second where `coins` has a one; the lowest
/// bit is for the first cell. All have a multiple of four cells.
#[inline(always)]
fn mix(first: &[u8], second: &[u8], mut coins: u32, child: &mut [u8]) {
    let (children, child) = child.as_chunks_mut::<MANY>();
    let (firsts, first) = first.as_chunks::<MANY>();
    let (seconds, second) = second.as_chunks::<MANY>();
    for (child, (first, second)) in children.iter_mut().zip(firsts.iter().zip(seconds)) {
        let [first, second] = [first, second].map(|cells| u64::from_le_bytes(*cells));
        *child = (first ^ ((first ^ second) & mask(coins))).to_le_bytes();
        coins >>= MANY;
    }
    if let ([child], [first], [second]) =
        (child.as_chunks_mut::<FEW>().0, first.as_chunks::<FEW>().0, second.as_chunks::<FEW>().0)
    {
        let [first, second] = [first, second].map(|cells| u32::from_le_bytes(*cells));
        *child = (first ^ ((first ^ second) & mask(coins) as u32)).to_le_bytes();
    }
}

/// A byte of ones for each of the lowest bits that is 1, from the lowest on, and of zeros for the others.
#[inline(always)]
fn mask(coins: u32) -> u64 {
    MASKS[coins as usize % MASKS.len()]
}

const MASKS: [u64; 1 << MANY] = {
    let mut masks = [0; 1 << MANY];
    let mut bits = 0;
    while bits < masks.len() {
        let mut cell = 0;
        while cell < MANY {
            masks[bits] |= (0xFF * (bits >> cell & 1) as u64) << (8 * cell);
            cell += 1;
        }
        bits += 1;
    }
    masks
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_one_takes_the_cell_of_the_second_parent() {
        for coins in [0, 1, 0x8000_0000, 0x1234_5678, u32::MAX] {
            for len in [4, 8, 20, WORD] {
                let mut child = [7; WORD];
                mix(&[1; WORD][..len], &[2; WORD][..len], coins, &mut child[..len]);
                let expected = |cell| if coins >> cell & 1 == 1 { 2 } else { 1 };
                assert!((0..len).all(|cell| child[cell] == expected(cell)), "{coins:x}");
                assert!(child[len..].iter().all(|value| *value == 7));
            }
        }
    }
}
