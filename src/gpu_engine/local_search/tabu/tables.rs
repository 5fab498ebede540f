//! The tables of a tabu search: the rows of its free cells, what they may hold, how often
//! givens count, and who counts whom.
//!
//! The host's is `Space` of `src/ga/local_search/candidate_graph.rs`.

use super::layout::TabuLayout;
use super::packed_counts::{PLACE_UNIT, PackedCounts, ROW_UNIT, WORD_PLACES};
use crate::board::matching::values_of;
use crate::board::{PeerScan, SearchSpace};
use crate::ga::Config;
use crate::gpu_engine::candidates::{allowed, word};
use crate::gpu_engine::local_search::round::SearchTables;

/// The sections behind `start` words of others, for rounds of so many steps.
pub(in crate::gpu_engine::local_search) fn tables(
    memory: &TabuLayout,
    steps: u32,
    space: &SearchSpace,
    config: &Config,
    start: usize,
) -> SearchTables {
    let fields = PackedCounts::new(space.geometry());
    let sets: Vec<u64> = space.free.iter().map(|cell| allowed(space, config, *cell)).collect();
    let mut first_words = Vec::with_capacity(sets.len());
    let mut words = 0;
    for set in &sets {
        first_words.push(words);
        words += fields.words(set.count_ones() as usize);
    }
    let rows = first_words.iter().zip(&sets);
    let rows = rows.map(|(first, set)| first + set.count_ones() as usize * ROW_UNIT);
    let mut all: Vec<u32> = rows.map(|row| row as u32).collect();
    let (mut values, mut given) = (Vec::with_capacity(words), Vec::with_capacity(words));
    let mut starts = Vec::with_capacity(WORD_PLACES * words + 1);
    let mut neighbours = Vec::new();
    let mut around = PeerScan::new(space);
    for (cell, set) in space.free.iter().zip(&sets) {
        around.scan(*cell);
        let own: Vec<u8> = values_of(*set).collect();
        for own in own.chunks(fields.in_word) {
            values.push(word(own));
            let fixed = own.iter().map(|value| around.given(*value));
            given.push(fields.pack(&fixed.collect::<Vec<u8>>()));
            for place in 0..WORD_PLACES {
                starts.push(neighbours.len() as u32);
                let Some(value) = own.get(place) else { continue };
                let bit = 1 << (value - 1);
                let having = around.free.iter().filter(|peer| sets[**peer] & bit != 0);
                neighbours.extend(having.map(|peer| {
                    let candidate = (sets[*peer] & (bit - 1)).count_ones() as usize;
                    (fields.place(first_words[*peer], candidate) + peer * PLACE_UNIT) as u32
                }));
            }
        }
    }
    starts.push(neighbours.len() as u32);
    for section in [values, given, starts, neighbours] {
        all.extend(section);
    }
    let counts = vec![
        memory.kept() as u32,
        steps,
        start as u32,
        words as u32,
        memory.team_cells() as u32,
        memory.ring as u32,
        config.tabu_steps,
        config.tenure_share,
    ];
    SearchTables { counts, words: all }
}
