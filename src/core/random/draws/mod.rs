//! The draws of one slot in one stage of one generation.
//!
//! Counter words 0 to 3 are slot, generation, block and island; the key is the 64-bit seed, low
//! word first. The top 8 bits of the block are the stage and the others number that stage's
//! blocks of four words, so that the draws of one stage never change those of another.
//!
//! [`Draws`] are also a generator for [`rand`], so that custom operators can use its distributions. The values that
//! [`rand`] derives from the words may change with its version; the values of the methods of [`Draws`] never do.

mod batched;

use std::convert::Infallible;

use rand::TryRng;
use rand::rand_core::utils::{fill_bytes_via_next_word, next_u64_via_u32};

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

/// A 64-bit seed and a generation, which the draws of all slots have in common.
#[derive(Clone, Copy, Debug)]
pub struct GenerationRng<'a> {
    key: [u32; 2],
    generation: u32,
    island: u32,
    cache: Option<&'a BlockCache>,
}

impl<'a> GenerationRng<'a> {
    /// The random numbers of `generation` under `seed`.
    pub fn new(seed: u64, generation: u32) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32], generation, island: 0, cache: None }
    }

    /// Returns the same random numbers, the first of which come from a cache that was computed for this seed.
    #[doc(hidden)]
    pub fn with_cache<'b>(&self, cache: &'b BlockCache) -> GenerationRng<'b> {
        GenerationRng { cache: Some(cache), ..*self }
    }

    /// Returns the random numbers of another island.
    pub fn island(self, island: u32) -> Self {
        Self { island, ..self }
    }

    /// Returns the draws of `slot` for `stage`, from the first word on.
    #[inline]
    pub fn draws(&self, stage: StreamStage, slot: u32) -> Draws<'a> {
        self.stage(stage).draws(slot)
    }

    /// Returns the draws of all slots for `stage`.
    #[inline]
    #[doc(hidden)]
    pub fn stage(&self, stage: StreamStage) -> StageDraws<'a> {
        let (row, cached) = self.cache.map_or((BlockRow::NONE, &[][..]), |cache| cache.of(stage));
        StageDraws { seed: *self, block: (stage as u32) << 24, row, cached }
    }
}

/// The draws of all slots for a stage.
#[derive(Clone, Copy, Debug)]
pub struct StageDraws<'a> {
    seed: GenerationRng<'a>,
    /// The number of the stage's first block.
    block: u32,
    row: BlockRow,
    cached: &'a [[[u32; BLOCK]; ROW]],
}

impl<'a> StageDraws<'a> {
    /// Returns the draws of `slot`, from the first word on.
    #[inline(always)]
    pub fn draws(&self, slot: u32) -> Draws<'a> {
        let at = slot.wrapping_sub(self.row.first);
        self.begin(slot, at, self.row.count)
    }

    /// Returns the draws of the family whose first slot is `slot`. Separate from `draws`, where one more
    /// shift would cost up to 5 % of a child.
    #[inline(always)]
    pub fn family_draws(&self, slot: u32) -> Draws<'a> {
        self.begin(slot, self.family(slot), self.row.families)
    }

    /// Returns the first word of the draws of the family whose first slot is `slot`.
    #[inline(always)]
    pub fn first_word(&self, slot: u32) -> u32 {
        let at = self.family(slot);
        match self.cached {
            [blocks, ..] if at < self.row.families => blocks[at as usize % ROW][0],
            _ => self.begin(slot, at, 0).word(),
        }
    }

    /// The index in the cache of the family whose first slot is `slot`, if it is below the number of families. A slot that is no
    /// multiple of 2^shift has bits that the rotation moves above every number of families.
    #[inline(always)]
    fn family(&self, slot: u32) -> u32 {
        slot.wrapping_sub(self.row.first).rotate_right(self.row.shift)
    }

    /// The draws of a slot, whose index in the cache is `at` if that is below the number of entries, `count`.
    #[inline(always)]
    fn begin(&self, slot: u32, at: u32, count: u32) -> Draws<'a> {
        let GenerationRng { key, generation, island, .. } = self.seed;
        let cached = if at < count { self.cached } else { &[] };
        let block = self.block | cached.len() as u32;
        let counter = [slot, generation, block, island];
        Draws { key, counter, cached, at: at as usize, words: [0; BLOCK], used: 0 }
    }

    /// Writes block number `number`, four words, of the draws of each slot.
    #[inline]
    pub fn blocks_of(&self, slots: &[u32], number: u32, blocks: &mut [[u32; BLOCK]]) {
        let GenerationRng { key, generation, island, .. } = self.seed;
        philox_of::<0>([0, generation, self.block | number, island], key, slots, blocks);
    }

    /// Returns the words of `count` consecutive slots from `slot` on, if the cache has `words` of each.
    #[inline]
    pub fn cached(&self, slot: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        self.batch(slot.wrapping_sub(self.row.first), self.row.count, count, words)
    }

    /// Returns those of `count` consecutive families, the first of which begins at `slot`.
    #[inline]
    pub fn cached_families(&self, slot: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        self.batch(self.family(slot), self.row.families, count, words)
    }

    #[inline]
    fn batch(&self, at: u32, of: u32, count: usize, words: u32) -> Option<BatchWords<'a>> {
        let are_cached = at < of && count <= (of - at) as usize;
        let enough = words as usize <= BLOCK * self.cached.len();
        (are_cached && enough).then_some(BatchWords { draws: *self, at: at as usize, count })
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
    /// The cached first blocks of many slots, or none.
    cached: &'a [[[u32; BLOCK]; ROW]],
    /// The index of this slot among those.
    at: usize,
    /// The block from which words are taken.
    words: [u32; BLOCK],
    used: usize,
}

impl Draws<'_> {
    /// Returns the next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used.is_multiple_of(BLOCK) {
            self.words = match self.cached.get(self.used / BLOCK) {
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
        let begun = self.used.next_multiple_of(BLOCK).max(BLOCK * self.cached.len()) - self.used;
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

    /// Draws a whole number below `bound`, from one word.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        below(self.word(), bound)
    }

    /// Draws a whole number below `bound`: from one word where the bound is below 2^32, else from two,
    /// the high one first.
    #[inline]
    pub fn range_u64(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return self.below(bound).into();
        }
        let word = u64::from(self.word()) << 32 | u64::from(self.word());
        ((u128::from(word) * u128::from(bound)) >> 64) as u64
    }

    /// Draws whether an event of this probability happens, from one word.
    #[inline]
    pub fn bernoulli(&mut self, probability: Probability) -> bool {
        probability.holds(self.word())
    }

    /// Draws one of two, from one word.
    #[inline]
    pub fn coin(&mut self) -> bool {
        self.word() >> 31 == 1
    }

    /// Draws two different numbers below `bound`, in random order, from two words.
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

/// The words in their order; the low word of a pair comes first.
impl TryRng for Draws<'_> {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

/// A block of words; separate from [`Draws::word`], which has to stay small.
#[inline(never)]
fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; BLOCK] {
    philox(counter, key)
}

/// Returns a whole number below `bound`: the high word of its product with a random word.
///
/// The bias is below `bound / 2^32`.
#[inline]
pub fn below(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}

/// A probability `p`, stored as `round(p * 2^31)`: a whole number, so that every device decides the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability(u32);

impl Probability {
    /// Probability 1.
    pub const ALWAYS: Self = Self(1 << 31);

    /// Returns the nearest probability to `p`, which is clamped to 0..=1.
    pub fn new(p: f64) -> Self {
        Self((p.clamp(0.0, 1.0) * f64::from(1u32 << 31)).round() as u32)
    }

    /// Returns the probability in units of 2^-31.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether an event happens, given a random `word`: `(word >> 1) < round(p * 2^31)`.
    #[inline]
    pub fn holds(self, word: u32) -> bool {
        (word >> 1) < self.0
    }
}

#[cfg(test)]
mod tests {
    use rand::distr::{Distribution, Uniform};
    use rand::seq::SliceRandom;
    use rand::{Rng, RngExt};

    use super::*;

    #[test]
    fn never_half_and_always() {
        for word in [0, 1, 1 << 31, u32::MAX] {
            assert!(!Probability::new(0.0).holds(word));
            assert!(Probability::new(1.0).holds(word));
            assert_eq!(Probability::new(0.5).holds(word), word < 1 << 31);
        }
    }

    #[test]
    fn rand_sees_the_words_in_their_order() {
        let draws = GenerationRng::new(0x1122_3344_5566_7788, 5).draws(StreamStage::Cross, 17);
        let [first, second, third, ..] = philox([17, 5, 3 << 24, 0], [0x5566_7788, 0x1122_3344]);
        let mut rng = draws.clone();
        assert_eq!((rng.next_u32(), rng.next_u32()), (first, second));
        let mut rng = draws.clone();
        assert_eq!(rng.next_u64(), u64::from(second) << 32 | u64::from(first));
        let mut bytes = [0; 9];
        draws.clone().fill_bytes(&mut bytes);
        assert_eq!(bytes[..4], first.to_le_bytes());
        assert_eq!((&bytes[4..8], bytes[8]), (&second.to_le_bytes()[..], third as u8));
    }

    #[test]
    fn distributions_of_rand_take_draws() {
        let mut draws = GenerationRng::new(3, 0).draws(StreamStage::Mutate, 0);
        let die = Uniform::new_inclusive(1, 6).unwrap();
        let mut seen = [0u32; 6];
        (0..6_000).for_each(|_| seen[die.sample(&mut draws) - 1] += 1);
        assert!(seen.iter().all(|times| (850..1_150).contains(times)), "{seen:?}");
        let heads = (0..1_000).filter(|_| draws.random_bool(0.25)).count();
        assert!((200..300).contains(&heads), "{heads}");
        let mut values: Vec<u32> = (0..50).collect();
        SliceRandom::shuffle(&mut values[..], &mut draws);
        assert!(!values.is_sorted());
        values.sort();
        assert!(values.into_iter().eq(0..50));
    }

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
        seed.stage(StreamStage::Cross).blocks_of(&slots, 2, &mut blocks);
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
    fn every_order_of_a_shuffle_is_as_likely() {
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
