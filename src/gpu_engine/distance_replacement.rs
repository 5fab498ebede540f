//! Replacement that keeps a distance, on the device: the memory of its kernels, and the shares of threads.
//!
//! Children wait in order of fitness after the ranking in the plan, where searches were. Tile by tile all of
//! the device finds who is near to whom, and one workgroup gives places by those bits. The memory
//! grows with the population: for each individual a board that may wait, a word, and a bit for
//! each child of a tile.
//!
//! 100,000 individuals and 1,000 children of 9x9: 1,000 x 22 words wait, 100,000 words say who took
//! each place, and 256 rows of 3,134 words who is near: 3.7 MB.

use super::workgroup::COUNTERS;
use crate::board::Geometry;
use crate::ga::Config;
use crate::ga::replacement::{Replacement, keep_distance::TILE};
use crate::gpu::BufferSections;

/// Threads of the workgroup that gives places: as many as every adapter allows.
const REPLACEMENT_THREADS: usize = 256;
/// Bits of a word.
const WORD: usize = u32::BITS as usize;
/// Words of bits that the threads of a workgroup fill for a child, and children that it compares: a word a
/// thread.
const BLOCK_WORDS: usize = COUNTERS / WORD;
const COMPARED: usize = COUNTERS / BLOCK_WORDS;

/// Most children that get their places at a time.
pub(super) const TILE_CHILDREN: u32 = TILE as u32;

/// Children of a generation of `population` individuals.
pub(super) fn offspring(config: &Config, population: u32) -> u32 {
    config.replacement.offspring(&Config { population, ..config.clone() })
}

/// Blocks of bits in the row of a child: places of islands of up to `population`, and a tile.
fn row_blocks(population: u32) -> usize {
    (population as usize).div_ceil(COUNTERS) + TILE / COUNTERS
}

/// Workgroups that compare `children` of a tile with all individuals.
pub(super) fn comparers(population: u32, children: u32) -> u32 {
    (row_blocks(population) * (children as usize).div_ceil(COMPARED)) as u32
}

/// The sections of the replacement, after the ranking in the plan.
#[derive(Clone, Debug)]
pub(super) struct ReplacementLayout {
    population: usize,
    child_words: usize,
    places: usize,
    row_words: usize,
    sections: BufferSections,
}

impl ReplacementLayout {
    /// The layout for islands of up to `config.population`, from word `start` on.
    pub(super) fn new(geometry: Geometry, config: &Config, start: usize) -> Self {
        let population = config.population as usize;
        let child_words = 1 + geometry.stride() / 4;
        let places = population.next_multiple_of(COUNTERS);
        let row_words = row_blocks(config.population) * BLOCK_WORDS;
        let children = offspring(config, config.population) as usize;
        let sections = BufferSections::new(start)
            .add("TAKERS", places)
            .add("TAKEN", places / WORD)
            .add("TAKING", places / WORD)
            .add("PLACED", TILE / WORD)
            // Whether all places were given.
            .add("IS_OVER", 1)
            .add("NEAR", TILE * row_words)
            // The last, because the number of children is no constant.
            .add("WAITING", children * child_words);
        Self { population, child_words, places, row_words, sections }
    }

    /// The layout as constants for kernels.
    pub(super) fn constants(&self) -> String {
        // Waiting children, who took each place, who is near to whom, and the shares of threads.
        self.sections.constants(&[
            ("CHILD_SIZE", self.child_words),
            ("PLACES", self.places),
            ("ROW_WORDS", self.row_words),
            ("ROW_BLOCKS", self.row_words / BLOCK_WORDS),
            ("BLOCK_WORDS", BLOCK_WORDS),
            ("TILE", TILE),
            ("TILE_WORDS", TILE / WORD),
            ("COMPARED", COMPARED),
            ("KEEPERS", REPLACEMENT_THREADS),
            // Words of places that a thread reads for a child.
            ("KEEPER_WORDS", (self.places / WORD).div_ceil(REPLACEMENT_THREADS)),
            ("MOST_FOURS", self.population.div_ceil(4)),
        ])
    }
}

/// Words of the sections, or 0 for other replacements.
pub(super) fn words(geometry: Geometry, config: &Config) -> u64 {
    let is_kept = config.replacement == Replacement::KeepDistance;
    if is_kept { ReplacementLayout::new(geometry, config, 0).sections.end as u64 } else { 0 }
}
