//! Replacement that keeps a distance, on the device: what its kernels keep, and how they share it.
//!
//! Children wait in order of fitness behind the plan, where searches were. Tile by tile all of the
//! device finds who is near to whom, and one workgroup gives places by those bits. The memory
//! grows with the population: for each individual a board that may wait, a word, and a bit for
//! each child of a tile.
//!
//! 100,000 individuals and 1,000 children of 9x9: 1,000 x 22 words wait, 100,000 words say who took
//! each place, and 256 rows of 3,134 words who is near: 3.7 MB.

use super::workgroups::COUNTERS;
use crate::board::Geometry;
use crate::ga::Config;
use crate::ga::replacement::{Replacement, TILE};
use crate::gpu::constants;

/// Threads of the workgroup that gives places: as many as every adapter has.
const REPLACEMENT_THREADS: usize = 256;
/// Bits of a word.
const WORD: usize = u32::BITS as usize;
/// Words of bits that the threads of a workgroup fill, and children that it compares: a word each.
const BLOCK_WORDS: usize = COUNTERS / WORD;
const COMPARED: usize = COUNTERS / BLOCK_WORDS;

/// Children that get their places at a time.
pub(super) const TILE_CHILDREN: u32 = TILE as u32;

/// Children of a generation of `population` individuals.
pub(super) fn offspring(config: &Config, population: u32) -> u32 {
    config.replacement.offspring(&Config { population, ..config.clone() })
}

/// Blocks of bits in the row of a child: places of islands of up to `population`, and a tile.
fn row_blocks(population: u32) -> usize {
    (population as usize).div_ceil(COUNTERS) + TILE / COUNTERS
}

/// Workgroups that compare `children` of a tile with everybody.
pub(super) fn comparers(population: u32, children: u32) -> u32 {
    (row_blocks(population) * (children as usize).div_ceil(COMPARED)) as u32
}

/// Where things are behind the plan, which begins at `start`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplacementLayout {
    population: usize,
    child_words: usize,
    places: usize,
    takers: usize,
    taken: usize,
    taking: usize,
    placed: usize,
    near: usize,
    row_words: usize,
    waiting: usize,
    words: usize,
}

impl ReplacementLayout {
    /// The layout for islands of up to `config.population`.
    pub(super) fn new(geometry: Geometry, config: &Config, start: usize) -> Self {
        let population = config.population as usize;
        let child_words = 1 + geometry.stride() / 4;
        let places = population.next_multiple_of(COUNTERS);
        let takers = start;
        let taken = takers + places;
        let taking = taken + places / WORD;
        let placed = taking + places / WORD;
        // A word more says whether all places were given.
        let near = placed + TILE / WORD + 1;
        let row_words = row_blocks(config.population) * BLOCK_WORDS;
        // Children come last: how many there are is no constant.
        let waiting = near + TILE * row_words;
        let children = offspring(config, config.population) as usize;
        let words = waiting + children * child_words - start;
        Self {
            population,
            child_words,
            places,
            takers,
            taken,
            taking,
            placed,
            near,
            row_words,
            waiting,
            words,
        }
    }

    /// The layout as constants for kernels.
    pub(super) fn constants(&self) -> String {
        constants(
            "Children that wait, who took which place, who is near to whom, and how it is shared.",
            &[
                ("CHILD_SIZE", self.child_words),
                ("WAITING", self.waiting),
                ("PLACES", self.places),
                ("TAKERS", self.takers),
                ("TAKEN", self.taken),
                ("TAKING", self.taking),
                ("PLACED", self.placed),
                ("IS_OVER", self.near - 1),
                ("NEAR", self.near),
                ("ROW_WORDS", self.row_words),
                ("ROW_BLOCKS", self.row_words / BLOCK_WORDS),
                ("BLOCK_WORDS", BLOCK_WORDS),
                ("TILE", TILE),
                ("TILE_WORDS", TILE / WORD),
                ("COMPARED", COMPARED),
                ("KEEPERS", REPLACEMENT_THREADS),
                ("KEEPER_WORDS", self.keeper_words()),
                ("MOST_FOURS", self.population.div_ceil(4)),
            ],
        )
    }

    /// Words of places that a thread looks at for a child.
    fn keeper_words(&self) -> usize {
        (self.places / WORD).div_ceil(REPLACEMENT_THREADS)
    }

    /// Turns of all loops of a thread of the kernel that turns most.
    fn turns(&self) -> usize {
        let board = self.child_words + 1;
        let wait = self.population.div_ceil(4) + 1 + board;
        let compare = COMPARED * board + 1;
        let give = (WORD + TILE + 1) * (self.keeper_words() + 1) + TILE + 2;
        wait.max(compare).max(give)
    }
}

/// Words that are kept while places are given.
pub(super) fn words(geometry: Geometry, config: &Config) -> u64 {
    match config.replacement {
        Replacement::KeepDistance => ReplacementLayout::new(geometry, config, 0).words as u64,
        _ => 0,
    }
}

/// Turns of all loops of a thread at most.
pub(super) fn turns(geometry: Geometry, config: &Config) -> u64 {
    match config.replacement {
        Replacement::KeepDistance => ReplacementLayout::new(geometry, config, 0).turns() as u64,
        _ => 0,
    }
}
