//! The draws of one slot in one stage of one generation.
//!
//! Counter words 0 to 3 are slot, generation, block and island; the key is the 64-bit seed, low
//! word first. The top 8 bits of the block name the stage and the others number that stage's
//! blocks of four words, so that one stage's draws never move another's.

mod batched;

use super::Probability;
use super::philox::{LANES, philox, philox_of, philox_row};
pub use batched::{BatchWords, BlockCache, WordBudget};
use batched::{BlockRow, ROW};

/// The slot number of draws made once for the whole population.
pub const WHOLE_POPULATION: u32 = u32::MAX;

/// The purpose of draws: the top 8 bits of the block number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StreamStage {
    /// Initialisation of a board.
    Initialise = 0,
    /// Draws made once a generation, such as a shuffled pool.
    Plan = 1,
    /// Selection of the parents of a slot.
    Select = 2,
    /// Crossover: the parent from which a child takes each part.
    Cross = 3,
    /// Mutation of a child.
    Mutate = 4,
    /// Local search.
    Improve = 5,
    /// Replacement: which individuals survive.
    Replace = 6,
    /// Migration between islands.
    Migrate = 7,
    /// Whether crossover is applied to a couple.
    Couple = 8,
}

/// A 64-bit seed and a generation: everything that the draws of all slots have in common.
#[derive(Clone, Copy, Debug)]
pub struct GenerationRng<'a> {
    key: [u32; 2],
    generation: u32,
    island: u32,
    ahead: Option<&'a BlockCache>,
}

impl<'a> GenerationRng<'a> {
    /// The random numbers of `generation` under `seed`.
    pub fn new(seed: u64, generation: u32) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32], generation, island: 0, ahead: None }
    }

    /// The same random numbers, the first of which come from a cache that was computed for this seed.
    pub fn with_cache<'b>(&self, ahead: &'b BlockCache) -> GenerationRng<'b> {
        GenerationRng { ahead: Some(ahead), ..*self }
    }

    /// The random numbers of another island.
    pub fn island(self, island: u32) -> Self {
        Self { island, ..self }
    }

    /// The draws of `slot` for `stage`, from the first word on.
    #[inline]
    pub fn draws(&self, stage: StreamStage, slot: u32) -> Draws<'a> {
        self.of(stage).draws(slot)
    }

    /// The draws of all slots for `stage`.
    #[inline]
    pub fn of(&self, stage: StreamStage) -> StageDraws<'a> {
        let (row, ahead) = self.ahead.map_or((BlockRow::NONE, &[][..]), |ahead| ahead.of(stage));
        StageDraws { seed: *self, block: (stage as u32) << 24, row, ahead }
    }
}

/// The draws of all slots for a stage.
#[derive(Clone, Copy, Debug)]
pub struct StageDraws<'a> {
    seed: GenerationRng<'a>,
    /// The number of the stage's first block.
    block: u32,
    row: BlockRow,
    ahead: &'a [[[u32; BLOCK]; ROW]],
}

impl<'a> StageDraws<'a> {
    /// The draws of `slot`, from the first word on.
    #[inline(always)]
    pub fn draws(&self, slot: u32) -> Draws<'a> {
        let at = slot.wrapping_sub(self.row.first);
        self.from(slot, at, self.row.count)
    }

    /// The draws of the first slot of the family of `slot`, which all its slots share. Separate from `draws`, where one more
    /// shift would
    /// cost up to 5 % of a child.
    #[inline(always)]
    pub fn family_draws(&self, slot: u32) -> Draws<'a> {
        // A slot that is no multiple of 2^shift has bits that the rotation moves above every count.
        let at = slot.wrapping_sub(self.row.first).rotate_right(self.row.shift);
        self.from(slot, at, self.row.families)
    }

    /// The first word of the draws of `slot`, or of the family that shares its draws.
    #[inline(always)]
    pub fn first_word(&self, slot: u32) -> u32 {
        let at = slot.wrapping_sub(self.row.first).rotate_right(self.row.shift);
        match self.ahead {
            [blocks, ..] if at < self.row.families => blocks[at as usize % ROW][0],
            _ => self.from(slot, at, 0).word(),
        }
    }

    /// The draws of a slot. Its index in the cache is below the number of cached slots if it is cached.
    #[inline(always)]
    fn from(&self, slot: u32, at: u32, count: u32) -> Draws<'a> {
        let GenerationRng { key, generation, island, .. } = self.seed;
        let ahead = if at < count { self.ahead } else { &[] };
        let block = self.block | ahead.len() as u32;
        let counter = [slot, generation, block, island];
        Draws { key, counter, ahead, at: at as usize, words: [0; BLOCK], used: 0 }
    }

    /// Writes block number `number` (four words) of the draws of each slot.
    #[inline]
    pub fn blocks_of(&self, slots: &[u32], number: u32, blocks: &mut [[u32; BLOCK]]) {
        let GenerationRng { key, generation, island, .. } = self.seed;
        philox_of::<0>([0, generation, self.block | number, island], key, slots, blocks);
    }

    /// The words of `count` consecutive slots from `slot` on, if `words` of each were computed ahead.
    #[inline]
    pub fn ahead(&self, slot: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        self.rows(slot.wrapping_sub(self.row.first), self.row.count, count, words)
    }

    /// The same for `count` consecutive families, the first of which begins at `slot`.
    #[inline]
    pub fn batch_families(&self, slot: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        let at = slot.wrapping_sub(self.row.first).rotate_right(self.row.shift);
        self.rows(at, self.row.families, count, words)
    }

    #[inline]
    fn rows(&self, at: u32, of: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        let there = at < of && count <= (of - at) as usize;
        let enough = words as usize <= BLOCK * self.ahead.len();
        (there && enough).then_some(BatchWords { blocks: self.ahead, at: at as usize, count })
    }
}

/// Words of a block.
const BLOCK: usize = 4;
/// A stream of random words. Nothing is computed before the first word is needed.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    key: [u32; 2],
    /// The counter of the next block to compute.
    counter: [u32; 4],
    /// The cached first blocks of many slots.
    ahead: &'a [[[u32; BLOCK]; ROW]],
    /// The index of this slot among those.
    at: usize,
    /// The block from which words are taken.
    words: [u32; BLOCK],
    used: usize,
}

impl Draws<'_> {
    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used.is_multiple_of(BLOCK) {
            self.words = match self.ahead.get(self.used / BLOCK) {
                Some(blocks) => blocks[self.at % ROW],
                None => {
                    let counter = self.counter;
                    self.counter[2] = self.counter[2].wrapping_add(1);
                    // By value, so that draws that nothing else refers to stay in registers.
                    block(counter, self.key)
                }
            };
        }
        let word = self.words[self.used % BLOCK];
        self.used += 1;
        word
    }

    /// Writes the next words. Whole blocks are computed in parallel lanes, at a fraction of the cost.
    pub fn fill(&mut self, words: &mut [u32]) {
        let begun = self.used.next_multiple_of(BLOCK).max(BLOCK * self.ahead.len()) - self.used;
        let begun = words.len().min(begun);
        let (first, words) = words.split_at_mut(begun);
        first.fill_with(|| self.word());
        let (blocks, last) = words.as_chunks_mut::<BLOCK>();
        for blocks in blocks.chunks_mut(LANES) {
            // A whole row costs no more than a part of it.
            let mut row = [[0; BLOCK]; LANES];
            philox_row::<2>(self.counter, self.key, 1, &mut row);
            blocks.copy_from_slice(&row[..blocks.len()]);
            self.counter[2] = self.counter[2].wrapping_add(blocks.len() as u32);
        }
        last.fill_with(|| self.word());
    }

    /// A whole number below `bound`, from one word.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        below(self.word(), bound)
    }

    /// A whole number below `bound`: from one word where the bound is below 2^32, else from two,
    /// the high one first.
    #[inline]
    pub fn range_u64(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return self.below(bound).into();
        }
        let word = u64::from(self.word()) << 32 | u64::from(self.word());
        ((u128::from(word) * u128::from(bound)) >> 64) as u64
    }

    /// Whether an event of this probability happens, from one word.
    #[inline]
    pub fn bernoulli(&mut self, probability: Probability) -> bool {
        probability.holds(self.word())
    }

    /// One of two, from one word.
    #[inline]
    pub fn coin(&mut self) -> bool {
        self.word() >> 31 == 1
    }

    /// Two different numbers below `bound`, in random order, from two words.
    ///
    /// `bound` is at least 2.
    #[inline]
    pub fn two_distinct(&mut self, bound: u32) -> (u32, u32) {
        let first = self.below(bound);
        let second = self.below(bound - 1);
        (first, second + u32::from(second >= first))
    }

    /// Shuffles in place (Fisher & Yates, from the end), a word for each element but one.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A block of words; separate from [`Draws::word`], which has to stay small.
#[inline(never)]
fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; BLOCK] {
    philox(counter, key)
}

/// A whole number below `bound`: the high product of a random word with it.
///
/// The bias is below `bound / 2^32`.
#[inline]
pub fn below(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_filled_in_are_those_one_by_one() {
        for (before, count) in [(0, 60), (1, 64), (2, 1), (3, 200), (4, 3), (0, 0)] {
            let mut one = GenerationRng::new(3, 5).draws(StreamStage::Improve, 17);
            let mut other = one.clone();
            (0..before).for_each(|_| _ = (one.word(), other.word()));
            let mut words = vec![0; count];
            one.fill(&mut words);
            assert!(words.iter().all(|word| *word == other.word()), "{count} after {before}");
            assert_eq!(one.word(), other.word());
        }
    }

    #[test]
    fn words_follow_the_block_counter() {
        let mut draws = GenerationRng::new(0x1122_3344_5566_7788, 5).draws(StreamStage::Cross, 17);
        let words: Vec<u32> = (0..8).map(|_| draws.word()).collect();
        let key = [0x5566_7788, 0x1122_3344];
        assert_eq!(words[..4], philox([17, 5, 3 << 24, 0], key));
        assert_eq!(words[4..], philox([17, 5, (3 << 24) + 1, 0], key));
    }

    #[test]
    fn a_block_of_some_slots_is_what_they_draw() {
        let seed = GenerationRng::new(5, 9).island(3);
        let (slots, mut blocks) = ([7, 1, 90], [[0; BLOCK]; 3]);
        seed.of(StreamStage::Cross).blocks_of(&slots, 2, &mut blocks);
        for (slot, words) in slots.into_iter().zip(blocks) {
            let mut draws = seed.draws(StreamStage::Cross, slot);
            (0..2 * BLOCK).for_each(|_| _ = draws.word());
            assert_eq!(words, [(); BLOCK].map(|()| draws.word()));
        }
    }

    #[test]
    fn pairs_differ_and_are_uniform() {
        let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Mutate, 0);
        let mut seen = [0u32; 16];
        for _ in 0..12_000 {
            let (a, b) = draws.two_distinct(4);
            seen[(4 * a + b) as usize] += 1;
        }
        for (index, times) in seen.iter().enumerate() {
            let expected = if index % 5 == 0 { 0..=0 } else { 850..=1150 };
            assert!(expected.contains(times), "{index}: {times}");
        }
    }

    #[test]
    fn a_shuffle_reaches_every_order_alike() {
        let mut seen = std::collections::BTreeMap::new();
        for slot in 0..6_000 {
            let mut items = [0, 1, 2];
            GenerationRng::new(2, 0).draws(StreamStage::Plan, slot).shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|times| (850..1150).contains(times)), "{seen:?}");
    }
}
