//! A cache of random words: the first blocks of the draws of consecutive slots, computed in parallel lanes.
//!
//! It changes no result: draws begin with the cached words and compute the rest. Slots that share their draws,
//! as siblings do, share an entry.
//!
//! Example: four words for the crossover of slots 64 to 127 are one block each; [`BatchWords`] returns word 0 of all.

use super::super::philox::{Counters, LANES, philox_rows};
use super::{BLOCK, Draws, GenerationRng, StageDraws, StreamStage, below};

/// The most blocks of a stage in the cache.
const BLOCKS: usize = 5;

/// The first blocks of the draws of consecutive slots: in parallel lanes they cost a fraction of what they
/// cost one by one.
#[derive(Clone, Debug)]
pub struct BlockCache {
    /// The range of slots that have blocks, by stage.
    rows: [BlockRow; STAGES],
    /// The number of blocks of each stage.
    blocks: [usize; STAGES],
    /// The blocks of all slots, by stage and block number.
    words: [[[[u32; BLOCK]; ROW]; BLOCKS]; STAGES],
}

pub(super) const ROW: usize = BlockCache::ROW;
/// At most this many slots share cached words; a larger family is split.
const MOST_SHIFT: u32 = 6;
/// The number of stages up to the last that may be cached.
const STAGES: usize = StreamStage::Mutate as usize + 1;

impl BlockCache {
    /// The largest number of consecutive slots.
    pub const ROW: usize = 64;

    /// An empty cache.
    pub const fn none() -> Self {
        let words = [[[[0; BLOCK]; ROW]; BLOCKS]; STAGES];
        Self { rows: [BlockRow::NONE; STAGES], blocks: [0; STAGES], words }
    }

    /// Computes the words of some stages for `count` slots from `first` on, at most 64. Stages
    /// after [`StreamStage::Mutate`] are ignored.
    pub fn compute(
        &mut self,
        seed: &GenerationRng<'_>,
        stages: &[WordBudget],
        first: u32,
        count: usize,
    ) {
        let Self { rows, blocks, words } = self;
        *blocks = [0; STAGES];
        for drawn in stages {
            let number = drawn.stage as usize;
            let Some(blocks) = blocks.get_mut(number) else { continue };
            *blocks = drawn.blocks();
            let shift = drawn.shift();
            let begun = first & ((1 << shift) - 1);
            let families = (count.min(ROW) + begun as usize).div_ceil(1 << shift).min(ROW);
            let count = if shift == 0 { families as u32 } else { 0 };
            let (first, families) = (first - begun, families as u32);
            rows[number] = BlockRow { first, count, families, shift };
        }
        let none = || Counters { first: [0; 4], step: 0, blocks: &mut [] };
        let mut counters: [Counters<'_>; STAGES * BLOCKS] = std::array::from_fn(|_| none());
        let mut count = 0;
        for (number, (words, (row, blocks))) in
            words.iter_mut().zip(rows.iter().zip(&*blocks)).enumerate()
        {
            let families = row.families.next_multiple_of(LANES as u32) as usize;
            for (block, words) in words[..*blocks].iter_mut().enumerate() {
                let block = (number << 24 | block) as u32;
                let first = [row.first, seed.generation, block, seed.island];
                let words = &mut words[..families];
                counters[count] = Counters { first, step: 1 << row.shift, blocks: words };
                count += 1;
            }
        }
        philox_rows::<0>(seed.key, &mut counters[..count]);
    }

    /// The blocks of a stage, and the slots to which they belong.
    #[inline]
    pub(super) fn of(&self, stage: StreamStage) -> (BlockRow, &[[[u32; BLOCK]; ROW]]) {
        let number = stage as usize;
        match self.words.get(number) {
            Some(words) => (self.rows[number], &words[..self.blocks[number]]),
            None => (BlockRow::NONE, &[]),
        }
    }
}

/// The number of words that nearly every slot draws in a stage.
#[derive(Clone, Copy, Debug)]
pub struct WordBudget {
    /// The stage.
    pub stage: StreamStage,
    /// The number of words: whole blocks of 4 are computed, and at most 20 words.
    pub words: u32,
    /// The number of consecutive slots, from each multiple of it on, that share the draws of the first: these
    /// are obtained by `StageDraws::family_draws`.
    pub sharing: u32,
}

impl WordBudget {
    /// Words that each slot draws for itself.
    pub fn each(stage: StreamStage, words: u32) -> Self {
        Self { stage, words, sharing: 1 }
    }

    /// Returns the number of blocks that are computed.
    pub fn blocks(&self) -> usize {
        BLOCKS.min(self.words.div_ceil(BLOCK as u32) as usize)
    }

    /// The binary logarithm of the slots that share; 0 unless their number is a power of two.
    fn shift(&self) -> u32 {
        if self.sharing.is_power_of_two() { self.sharing.ilog2().min(MOST_SHIFT) } else { 0 }
    }
}

/// Slots whose first words are cached: consecutive ones, or the first of each `2^shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockRow {
    pub(super) first: u32,
    /// The slots, if each has its own words.
    pub(super) count: u32,
    /// The families; a family is one slot where nothing is shared.
    pub(super) families: u32,
    pub(super) shift: u32,
}

impl BlockRow {
    pub(super) const NONE: Self = Self { first: 0, count: 0, families: 0, shift: 0 };
}

/// Words of consecutive slots, for loops over slots that compilers vectorise.
#[derive(Clone, Copy, Debug)]
pub struct BatchWords<'a> {
    pub(super) draws: StageDraws<'a>,
    /// The index of the first slot in the cache, and the number of slots.
    pub(super) at: usize,
    pub(super) count: usize,
}

impl<'a> BatchWords<'a> {
    /// Returns for each slot the block that contains its word number `word`, at index `word % 4`.
    #[inline(always)]
    pub fn blocks_of(&self, word: usize) -> &'a [[u32; BLOCK]] {
        &self.draws.cached[word / BLOCK][self.at..self.at + self.count]
    }

    /// Returns the draws of the slot at index `at`, where each slot has its own.
    #[inline]
    pub fn draws(&self, at: usize) -> Draws<'a> {
        self.draws.draws(self.draws.row.first + (self.at + at) as u32)
    }

    /// Returns word number `word` of the slot at index `at`.
    #[inline(always)]
    pub fn word(&self, at: usize, word: usize) -> u32 {
        self.blocks_of(word)[at][word % BLOCK]
    }

    /// Writes for each slot a whole number below `bound`, from its word number `word`.
    #[inline(always)]
    pub fn below(&self, word: usize, bound: u32, numbers: &mut [u32]) {
        let blocks = self.blocks_of(word);
        // A constant index in a block lets the compiler vectorise the loop.
        match word % BLOCK {
            0 => write_below::<0>(blocks, bound, numbers),
            1 => write_below::<1>(blocks, bound, numbers),
            2 => write_below::<2>(blocks, bound, numbers),
            _ => write_below::<3>(blocks, bound, numbers),
        }
    }
}

#[inline(always)]
fn write_below<const AT: usize>(blocks: &[[u32; BLOCK]], bound: u32, numbers: &mut [u32]) {
    for (number, block) in numbers.iter_mut().zip(blocks) {
        *number = below(block[AT], bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_words_change_no_draw() {
        let seed = GenerationRng::new(0x1122_3344_5566_7788, 5);
        for (first, count) in [(0, 64), (100, 3), (40, 200), (7, 0)] {
            let stages = [
                (StreamStage::Select, 1),
                (StreamStage::Mutate, 6),
                (StreamStage::Couple, 99),
                (StreamStage::Improve, 4),
            ]
            .map(|(stage, words)| WordBudget::each(stage, words));
            let mut cache = BlockCache::none();
            cache.compute(&seed, &[WordBudget::each(StreamStage::Cross, 8)], first, count);
            cache.compute(&seed, &stages, first, count);
            let cached = seed.with_cache(&cache);
            for slot in first.saturating_sub(2)..first + 70 {
                for stage in [
                    StreamStage::Select,
                    StreamStage::Cross,
                    StreamStage::Mutate,
                    StreamStage::Improve,
                ] {
                    let (mut one, mut other) = (seed.draws(stage, slot), cached.draws(stage, slot));
                    for _ in 0..21 {
                        assert_eq!(one.word(), other.word(), "{stage:?} of {slot} from {first}");
                    }
                }
            }
        }
    }

    #[test]
    fn shared_words_are_computed_once_and_change_no_draw() {
        let seed = GenerationRng::new(9, 2);
        for (sharing, first) in [(2, 0), (2, 7), (4, 6), (64, 100), (128, 0), (3, 4)] {
            let mut cache = BlockCache::none();
            cache.compute(
                &seed,
                &[WordBudget { stage: StreamStage::Cross, words: 5, sharing }],
                first,
                64,
            );
            let cached = seed.with_cache(&cache).stage(StreamStage::Cross);
            for slot in first.saturating_sub(130)..first + 200 {
                for mut draws in [cached.draws(slot), cached.family_draws(slot)] {
                    let mut alone = seed.draws(StreamStage::Cross, slot);
                    assert!((0..9).all(|_| draws.word() == alone.word()), "{slot} from {first}");
                }
            }
            let own = if sharing.is_power_of_two() { sharing.min(64) } else { 1 };
            let computed = |slot| !cached.family_draws(slot).cached.is_empty();
            for slot in first..first + 64 {
                assert_eq!(computed(slot), slot % own == 0, "{slot} of {sharing}");
            }
            assert!(computed(first - first % own), "the first may share with those before");
        }
    }
}
