//! The tables of a puzzle for kernels: one buffer of words, in sections of fixed places.
//!
//! Counts come first, then the fixed board, the candidates of each cell, the free cells, the
//! units and their blanks, the reset's distribution, and two lists of pairs, whose lengths differ
//! from puzzle to puzzle. Parameters that follow from the puzzle are here too. So the shader of a
//! shape and a configuration serves every puzzle.

use super::candidates::{set_words, word};
use super::local_search::SearchPlan;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::encoding::{Encoding, PermutationGroup};
use crate::ga::local_search::{LocalSearch, sharing_pairs};
use crate::ga::mutation::{Mutation, binomial};
use crate::gpu::constants;

/// Words that say how long lists are, and parameters.
const COUNTS: usize = 16;
/// Where those of a search begin among them.
const SEARCH_COUNTS: usize = 7;

/// Where the sections begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableLayout {
    units: usize,
    set_words: usize,
    fixed: usize,
    candidates: usize,
    free: usize,
    unit_starts: usize,
    unit_blanks: usize,
    wide_units: usize,
    at_most: usize,
    pairs: usize,
}

impl TableLayout {
    /// The layout for a shape.
    pub(super) fn new(geometry: Geometry, config: &Config) -> Self {
        let (cells, side) = (geometry.cells(), geometry.side());
        let set_words = set_words(side);
        // Where cells are independent, a unit is any row, column or box.
        let kinds = if permutes(config) { 1 } else { 3 };
        let units = kinds * side;
        let fixed = COUNTS;
        let candidates = fixed + geometry.stride() / 4;
        let free = candidates + cells * set_words;
        let unit_starts = free + cells;
        let unit_blanks = unit_starts + units + 1;
        let wide_units = unit_blanks + kinds * cells;
        let at_most = wide_units + units;
        let pairs = at_most + cells;
        Self {
            units,
            set_words,
            fixed,
            candidates,
            free,
            unit_starts,
            unit_blanks,
            wide_units,
            at_most,
            pairs,
        }
    }

    /// The layout as constants for kernels.
    pub(super) fn constants(&self) -> String {
        constants(
            "Where things are in the tables.",
            &[
                ("WIDE_UNIT_COUNT", 0),
                ("FREE_COUNT", 1),
                ("AT_MOST_COUNT", 2),
                ("MUTATION_PAIR_COUNT", 3),
                ("DESCENT_PAIR_COUNT", 4),
                ("DESCENT_PAIRS_START", 5),
                ("DISTANCE", 6),
                ("SEARCH_KEPT", SEARCH_COUNTS),
                ("SEARCH_STEPS", SEARCH_COUNTS + 1),
                ("SEARCH_TABLES", SEARCH_COUNTS + 2),
                ("SEARCH_COUNT_WORDS", SEARCH_COUNTS + 3),
                ("SEARCH_TEAM_CELLS", SEARCH_COUNTS + 4),
                ("SEARCH_RING", SEARCH_COUNTS + 5),
                ("TABU_STEPS", SEARCH_COUNTS + 6),
                ("TENURE_SHARE", SEARCH_COUNTS + 7),
                ("PROPOSAL_LOOKS", SEARCH_COUNTS + 3),
                ("PROPOSAL_REST", SEARCH_COUNTS + 4),
                ("UNASSIGNED_SHARE", SEARCH_COUNTS + 5),
                ("ETA_FIRST", SEARCH_COUNTS + 6),
                ("ETA_FALL", SEARCH_COUNTS + 7),
                ("ETA_RISE", SEARCH_COUNTS + 8),
                ("UNITS", self.units),
                ("FIXED", self.fixed),
                ("CANDIDATES", self.candidates),
                ("FREE", self.free),
                ("UNIT_STARTS", self.unit_starts),
                ("UNIT_BLANKS", self.unit_blanks),
                ("WIDE_UNITS", self.wide_units),
                ("AT_MOST", self.at_most),
                ("MUTATION_PAIRS", self.pairs),
            ],
        )
    }

    /// The tables of a puzzle.
    pub(super) fn fill(
        &self,
        space: &SearchSpace,
        config: &Config,
        search: Option<&SearchPlan>,
    ) -> Vec<u32> {
        let geometry = space.geometry();
        let groups: Vec<PermutationGroup> = match config.encoding {
            Encoding::Cells | Encoding::Candidates => {
                geometry.units().map(|unit| PermutationGroup::of_unit(space, unit)).collect()
            }
            encoding => encoding.groups(space),
        };
        let mut words = vec![0u32; self.pairs];
        let packed: Vec<u32> = space.fixed.chunks_exact(4).map(word).collect();
        words[self.fixed..][..packed.len()].copy_from_slice(&packed);
        let mut set = |cell: usize, values: u64| {
            let at = self.candidates + cell * self.set_words;
            words[at] = values as u32;
            if self.set_words == 2 {
                words[at + 1] = (values >> 32) as u32;
            }
        };
        for (cell, values) in space.candidates.iter().enumerate() {
            set(cell, *values);
        }
        if config.encoding == Encoding::Cells {
            space.free.iter().for_each(|cell| set(*cell, geometry.all_values()));
        }
        if permutes(config) {
            let blanks = groups.iter().flat_map(|group| group.blanks.iter().zip(&group.candidates));
            blanks.for_each(|(cell, values)| set(*cell, *values));
        }
        for (at, cell) in space.free.iter().enumerate() {
            words[self.free + at] = *cell as u32;
        }
        let (mut start, mut wide) = (0, 0);
        for (unit, group) in groups.iter().enumerate() {
            words[self.unit_starts + unit] = start as u32;
            for cell in &group.blanks {
                words[self.unit_blanks + start] = *cell as u32;
                start += 1;
            }
            words[self.unit_starts + unit + 1] = start as u32;
            if group.blanks.len() >= 2 {
                words[self.wide_units + wide] = unit as u32;
                wide += 1;
            }
        }
        let at_most = match config.mutation {
            Mutation::Reset => reset_table(space, config),
            _ => Vec::new(),
        };
        words[self.at_most..][..at_most.len()].copy_from_slice(&at_most);
        let mutation_pairs: Vec<u32> = match config.mutation {
            Mutation::PairExchange => groups.iter().flat_map(all_pairs).collect(),
            _ => Vec::new(),
        };
        let descent_pairs: Vec<u32> = match config.local_search {
            LocalSearch::ExchangeDescent => {
                groups.iter().flat_map(sharing_pairs).map(|(a, b)| pair(a, b)).collect()
            }
            _ => Vec::new(),
        };
        let counts = [
            wide,
            space.free.len(),
            at_most.len(),
            mutation_pairs.len(),
            descent_pairs.len(),
            self.pairs + mutation_pairs.len(),
            config.distance as usize,
        ];
        for (word, count) in words.iter_mut().zip(counts) {
            *word = count as u32;
        }
        words.extend(mutation_pairs);
        words.extend(descent_pairs);
        if let Some(search) = search {
            let added = search.tables(space, config, words.len());
            words[SEARCH_COUNTS..][..added.counts.len()].copy_from_slice(&added.counts);
            words.extend(added.words);
        }
        words
    }
}

/// Whether units of one kind are permutations.
fn permutes(config: &Config) -> bool {
    config.encoding.unit_kind().is_some()
}

fn pair(a: usize, b: usize) -> u32 {
    (b << 16 | a) as u32
}

/// All pairs of blanks of a unit, in order.
fn all_pairs(group: &PermutationGroup) -> Vec<u32> {
    let blanks = &group.blanks;
    let pairs = (0..blanks.len()).flat_map(|i| (i + 1..blanks.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| pair(blanks[i], blanks[j])).collect()
}

/// The bounds that a word may reach: the first that none reaches ends the list.
fn reset_table(space: &SearchSpace, config: &Config) -> Vec<u32> {
    let bounds = binomial(space.free.len(), config.mutation_rate);
    bounds.into_iter().map_while(|bound| u32::try_from(bound).ok()).collect()
}
