//! What an eviction search reads of a puzzle: the units of its free cells and what they may hold, and
//! how eta follows the board.
//!
//! The host's is `Cells` of `src/ga/improvement/eviction`.

use super::memory::EvictionMemory;
use crate::board::SearchSpace;
use crate::board::matching::values_of;
use crate::device::candidates::{allowed, word};
use crate::device::search::tables::SearchTables;
use crate::ga::Config;
use crate::ga::improvement::{CoolingSchedule, LOOK, exclude_givens};

/// The sections behind `start` words of others, for rounds of so many looks.
pub(in crate::device::search) fn tables(
    memory: &EvictionMemory,
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
