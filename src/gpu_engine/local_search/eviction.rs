//! Eviction search on the device: its layout, its rounds, and its tables.
//!
//! `shaders/local_search/eviction` reads and writes it. A search has a row of words: the cell that has each
//! value in each unit, two bytes each; a byte for each free cell; and two for each on the list of
//! unassigned cells. Between two dispatches the values of cells, those of the best board,
//! and the list are kept. With 60 free cells on 9x9 workgroup memory holds 2.4 kB, and 264 bytes are kept;
//! with 1,178 on 49x49 it holds 20 kB, and 4.7 kB are kept.

use super::search_words::{SearchWords, word};
use crate::board::matching::values_of;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::eviction::{
    ALWAYS, CoolingSchedule, LOOK, MOST_ETA, ROW, exclude_givens,
};
use crate::gpu::{AdapterInfo, constants};
use crate::gpu_engine::dispatch_params::plan_binding;

/// Lanes of a search: the warp of most GPUs. With more, too many proposals would be evaluated in vain.
const WORKERS: usize = 32;
/// Units of a cell.
const UNITS: usize = 3;
/// Words of workgroup memory besides the arrays, with alignment.
const OVERHEAD: usize = 40;
/// Free cells are rounded up to so many parts of a board, so that most puzzles of a shape share their
/// kernels.
const PARTS: usize = 4;
/// Words that are kept of each search, before the values of its cells.
const KEPT: [&str; 6] =
    ["KEPT_STAGE", "KEPT_LOOKS", "KEPT_ETA", "KEPT_IS_NEAR", "KEPT_UNASSIGNED", "KEPT_FEWEST"];
/// Looks of a round on a GPU. Whatever the board, 16,384 proposals take a workgroup by itself some
/// milliseconds, and less than a tenth of a second if all of them are accepted.
const ROUND_LOOKS: u32 = 16;
/// The most free cells on a software driver, which allows so few turns of loops that a round has one look. A round
/// has one look more for every 200 cells fewer.
pub(in crate::gpu_engine) const MOST_SOFTWARE_CELLS: usize = 1_400;

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvictionLayout {
    geometry: Geometry,
    cells: usize,
}

impl EvictionLayout {
    /// The layout for a puzzle.
    pub(super) fn new(space: &SearchSpace) -> Self {
        Self { geometry: space.geometry(), cells: space.free.len() }
    }

    /// The sizes of the memory in words.
    pub(super) fn words(&self) -> SearchWords {
        let Self { geometry, cells } = *self;
        let row = |cells: usize| holder_words(geometry) + cells.div_ceil(4) + cells.div_ceil(2);
        SearchWords {
            row: row(cells),
            kernel_row: row(cells.next_multiple_of(geometry.cells().div_ceil(PARTS))),
            // The random words of a row, what lanes would accept, and counts by value.
            fixed: 2 * ROW as usize + 4 * WORKERS + geometry.side() + OVERHEAD,
            state: KEPT.len() + 2 * cells.div_ceil(4) + cells.div_ceil(2),
        }
    }

    /// Constants that follow from the shape, for all kernels that know searches.
    pub(super) fn shape_constants(geometry: Geometry) -> String {
        let mut words: Vec<_> = KEPT.into_iter().zip(0..).collect();
        words.extend([
            ("KEPT_HELD", KEPT.len()),
            ("NEW", 0),
            ("UNDER_WAY", 1),
            ("DONE", 2),
            ("HOLDER_WORDS", holder_words(geometry)),
            ("MOST_ETA", MOST_ETA as usize),
        ]);
        constants(&words)
    }

    /// Lanes of a workgroup, the `near` words of a row in its memory, and rows of proposals.
    pub(super) fn constants(near: usize) -> String {
        let (row, look) = (ROW as usize, LOOK as usize);
        constants(&[
            ("WORKERS", WORKERS),
            ("NEAR_WORDS", near),
            ("PLAN_BINDING", plan_binding()),
            ("ROW", row),
            ("ROW_BLOCKS", row / 2),
            ("ROW_TURNS", row / 2 / WORKERS),
            ("LOOK", look),
            ("LOOK_ROWS", look / row),
            ("LOOK_BITS", (look / 2).ilog2() as usize),
            ("ROUND_ROWS", ROUND_LOOKS as usize * look / row),
            ("ALWAYS", ALWAYS as usize),
        ])
    }

    /// Looks of a round, and rounds.
    pub(super) fn rounds(&self, adapter: &AdapterInfo, config: &Config) -> (u32, u32) {
        let looks = match adapter.is_software() {
            true => 1 + (MOST_SOFTWARE_CELLS.saturating_sub(self.cells) / 200) as u32,
            false => ROUND_LOOKS,
        };
        (looks, rounds_of(looks, config.proposals))
    }

    /// Proposals of a round of so many looks.
    pub(super) fn proposals(looks: u32) -> f64 {
        f64::from(looks) * LOOK as f64
    }

    /// Adds the sections of a puzzle to `tables`, and returns the counts that kernels read. On the CPU the
    /// sections are `FreeCells` of `src/core/ga/local_search/eviction`.
    pub(super) fn add_tables(
        space: &SearchSpace,
        config: &Config,
        tables: &mut Vec<u32>,
    ) -> Vec<u32> {
        let geometry = space.geometry();
        let sets = exclude_givens(space, &config.encoding.cell_values(space));
        let mut values: Vec<u8> = Vec::new();
        for cell in &space.free {
            let mut first = 0;
            let [row, column, block] = geometry.units_with(*cell).map(|unit| {
                let unit = first + unit.index;
                first += geometry.side();
                unit as u8
            });
            tables.push(word(&[row, column, block, sets[*cell].count_ones() as u8]));
            tables.push(values.len() as u32);
            values.extend(values_of(sets[*cell]));
        }
        tables.extend(values.chunks(4).map(word));
        let schedule = CoolingSchedule::of(space.free.len(), config);
        let proposals =
            [config.proposals / LOOK, config.proposals % LOOK].map(|count| count as u32);
        proposals.into_iter().chain(schedule.words()).collect()
    }
}

/// Divides proposals into rounds of `looks` looks. The last one has the remainder, and completes the board
/// even if the remainder is 0.
fn rounds_of(looks: u32, proposals: u64) -> u32 {
    (proposals / LOOK / u64::from(looks)) as u32 + 1
}

/// Words of the holders: value 0 is left out at the start.
fn holder_words(geometry: Geometry) -> usize {
    (UNITS * geometry.cells() + 1).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_round_has_what_is_left() {
        for looks in [1, 7, ROUND_LOOKS] {
            let round = u64::from(looks) * LOOK;
            for proposals in [0, 1, LOOK, round - 1, round, 9 * round + 5, 1_000_000_000_000] {
                let before_last = u64::from(rounds_of(looks, proposals) - 1) * round;
                assert!((before_last..before_last + round).contains(&proposals), "{proposals}");
            }
        }
    }
}
