//! Eviction search on the device: its layout, its rounds, and its tables.
//!
//! `shaders/local_search/eviction` reads and writes it. A search has a row of words: the cell that has each
//! value in each unit, two bytes each; a byte for each free cell; and two for each on the list of
//! unassigned cells. Between two dispatches the values of cells, those of the best board,
//! and the list are kept. With 60 free cells on 9x9 workgroup memory holds 2.3 kB, and 264 bytes are kept;
//! with 1,178 on 49x49 it holds 20 kB, and 4.7 kB are kept.

use super::search_tables::{DispatchPlan, MOST_TURNS, SearchTables, allowed, word};
use crate::board::matching::values_of;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::{ALWAYS, CoolingSchedule, LOOK, MOST_ETA, ROW, exclude_givens};
use crate::gpu::{AdapterInfo, AdapterLimits, constants};
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
/// Looks of a round on a software driver.
const SOFTWARE_LOOKS: u64 = 8;

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu_engine) struct EvictionLayout {
    geometry: Geometry,
    cells: usize,
    /// Words of the row in workgroup memory.
    near: usize,
}

impl EvictionLayout {
    /// The layout for a puzzle on an adapter.
    pub(super) fn new(space: &SearchSpace, limits: &AdapterLimits) -> Self {
        let (geometry, cells) = (space.geometry(), space.free.len());
        let rounded = cells.next_multiple_of(geometry.cells().div_ceil(PARTS));
        let room = (limits.workgroup_memory_bytes as usize / 4).saturating_sub(fixed(geometry));
        Self { geometry, cells, near: row(geometry, rounded).min(room.max(1)) }
    }

    /// The layout for another puzzle in the kernels that this one is made for, if it fits them.
    pub(super) fn of_puzzle(&self, space: &SearchSpace, limits: &AdapterLimits) -> Option<Self> {
        let memory = Self { near: self.near, ..Self::new(space, limits) };
        // Kernels that keep all of it in workgroup memory do not read another.
        (memory.is_near() || !self.is_near()).then_some(memory)
    }

    fn row(&self) -> usize {
        row(self.geometry, self.cells)
    }

    /// Whether workgroup memory holds all of the row.
    pub(super) fn is_near(&self) -> bool {
        self.row() <= self.near
    }

    /// Words that the buffer of searches has for each.
    pub(super) fn kept(&self) -> usize {
        let far = self.row().saturating_sub(self.near);
        KEPT.len() + 2 * self.cells.div_ceil(4) + self.cells.div_ceil(2) + far
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
        constants("What is kept of a search, how far it is, and eta at the start.", &words)
    }

    /// Lanes of a workgroup, what memory it has, and rows of proposals.
    pub(super) fn constants(&self) -> String {
        let (row, look) = (ROW as usize, LOOK as usize);
        constants(
            "Lanes of a search, words that it has in workgroup memory, and proposals.",
            &[
                ("WORKERS", WORKERS),
                ("NEAR_WORDS", self.near),
                ("PLAN_BINDING", plan_binding()),
                ("ROW", row),
                ("ROW_BLOCKS", row / 2),
                ("ROW_TURNS", row / 2 / WORKERS),
                ("LOOK", look),
                ("LOOK_ROWS", look / row),
                ("LOOK_BITS", (look / 2).ilog2() as usize),
                ("ROUND_ROWS", ROUND_LOOKS as usize * look / row),
                ("ALWAYS", ALWAYS as usize),
            ],
        )
    }

    /// Looks of a round, and rounds.
    pub(super) fn cut(&self, adapter: &AdapterInfo, config: &Config) -> DispatchPlan {
        let looks = if adapter.is_software() {
            let left = MOST_TURNS.saturating_sub(round_turns(self.geometry, self.cells));
            (left / look_turns(self.cells)).clamp(1, SOFTWARE_LOOKS) as u32
        } else {
            ROUND_LOOKS
        };
        rounds_of(looks, config.proposals)
    }
}

/// Divides proposals into rounds of `looks` looks. The last one has the remainder, and completes the board
/// even if the remainder is 0.
fn rounds_of(looks: u32, proposals: u64) -> DispatchPlan {
    DispatchPlan { steps: looks, rounds: (proposals / LOOK / u64::from(looks)) as u32 + 1 }
}

/// Words of the holders: value 0 is left out at the start.
fn holder_words(geometry: Geometry) -> usize {
    (UNITS * geometry.cells() + 1).div_ceil(2)
}

/// Words of the row with `cells` free cells.
fn row(geometry: Geometry, cells: usize) -> usize {
    holder_words(geometry) + cells.div_ceil(4) + cells.div_ceil(2)
}

/// Words of workgroup memory that the shape decides.
fn fixed(geometry: Geometry) -> usize {
    // The random words of a row, what lanes would accept, and counts by value.
    2 * ROW as usize + 4 * WORKERS + geometry.side() + OVERHEAD
}

/// Turns of a loop over `count` items, a lane each, and one to end.
fn per(count: usize) -> usize {
    count.div_ceil(WORKERS) + 1
}

/// Most turns of all loops of a lane between two looks.
fn look_turns(cells: usize) -> u64 {
    let (row, look) = (ROW as usize, LOOK as usize);
    // Each block takes ten turns of the generator and four of writing.
    let rows = look / row * (row / 2 / WORKERS * 17 + 3);
    // Every proposal is made, with three cells evicted, and every second one leaves a best board.
    (rows + look * 5 + look / 2 * per(cells.div_ceil(4))) as u64
}

/// Most turns of all loops that begin and end a round.
fn round_turns(geometry: Geometry, cells: usize) -> u64 {
    let side = geometry.side();
    let held = per(cells.div_ceil(4));
    let fetched = per(holder_words(geometry)) + held + 4 * per(cells);
    let filled = per(cells) * (side + 1) + 5 * cells;
    // No cell of the best board may be assigned.
    let completed = fetched + cells * (1 + 2 * per(side) + per(cells / 2)) + held;
    (fetched + filled + completed + 3 * held + per(cells.div_ceil(2)) + 64) as u64
}

/// Turns of the shortest round.
pub(super) fn least_round(space: &SearchSpace) -> u64 {
    let cells = space.free.len();
    round_turns(space.geometry(), cells) + look_turns(cells)
}

/// The sections of a puzzle after `start` words of others, for rounds of `looks` looks. On the CPU they are
/// `Cells` of `src/ga/local_search/eviction`.
pub(super) fn tables(
    memory: &EvictionLayout,
    looks: u32,
    space: &SearchSpace,
    config: &Config,
    start: usize,
) -> SearchTables {
    let geometry = space.geometry();
    let sets: Vec<u64> = (0..geometry.cells()).map(|cell| allowed(space, config, cell)).collect();
    let sets = exclude_givens(space, &sets);
    let mut words = Vec::with_capacity(2 * space.free.len());
    let mut values: Vec<u8> = Vec::new();
    for cell in &space.free {
        let mut first = 0;
        let [row, column, block] = geometry.units_with(*cell).map(|unit| {
            let unit = first + unit.index;
            first += geometry.side();
            unit as u8
        });
        words.push(word(&[row, column, block, sets[*cell].count_ones() as u8]));
        words.push(values.len() as u32);
        values.extend(values_of(sets[*cell]));
    }
    words.extend(values.chunks(4).map(word));
    let schedule = CoolingSchedule::of(space.free.len(), config);
    let counts = [memory.kept() as u32, looks, start as u32].into_iter();
    let proposals = [config.proposals / LOOK, config.proposals % LOOK].map(|count| count as u32);
    let counts = counts.chain(proposals).chain(schedule.words()).collect();
    SearchTables { counts, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_round_has_what_is_left() {
        for looks in [1, 7, ROUND_LOOKS] {
            let round = u64::from(looks) * LOOK;
            for proposals in [0, 1, LOOK, round - 1, round, 9 * round + 5, 1_000_000_000_000] {
                let before_last = u64::from(rounds_of(looks, proposals).rounds - 1) * round;
                assert!((before_last..before_last + round).contains(&proposals), "{proposals}");
            }
        }
    }

    #[test]
    fn rounds_on_software_drivers_end_by_themselves() {
        for (box_rows, cells) in [(2, 16), (3, 81), (4, 256), (5, 625), (6, 1_296), (7, 1_400)] {
            let geometry = Geometry::new(box_rows, box_rows).unwrap();
            let turns = round_turns(geometry, cells) + look_turns(cells);
            assert!(turns <= MOST_TURNS, "{geometry} {turns}");
        }
    }
}
