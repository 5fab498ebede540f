//! The tables of a puzzle for kernels: one buffer of words, in sections.
//!
//! Counts come first, then the fixed cells, the candidates of each cell, the free cells, the
//! units and their blanks, the distribution of a reset, and two lists of pairs, whose lengths differ
//! from puzzle to puzzle. Parameters that follow from the puzzle are here too. So the kernels of a
//! shape and a configuration serve every puzzle.

use std::iter;

use super::local_search::{SearchPlan, word};
use super::workgroup::set_words;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::encoding::{Encoding, PermutationGroup};
use crate::ga::local_search::{LocalSearch, exchange_descent::sharing_pairs};
use crate::ga::mutation::{Mutation, reset::binomial};
use crate::gpu::BufferSections;

/// Words of counts and parameters.
const COUNTS: usize = 16;
/// The first of them that belongs to a search.
const SEARCH_COUNTS: usize = 7;

/// The sections of the tables.
#[derive(Clone, Debug)]
pub(super) struct TableLayout {
    units: usize,
    set_words: usize,
    sections: BufferSections,
}

impl TableLayout {
    /// The layout for a shape.
    pub(super) fn new(geometry: Geometry, config: &Config) -> Self {
        let (cells, set_words) = (geometry.cells(), set_words(geometry));
        // Where cells are independent, a unit is any row, column or box.
        let kinds = if config.encoding.unit_kind().is_some() { 1 } else { 3 };
        let units = kinds * geometry.side();
        let sections = BufferSections::new(COUNTS)
            .add("FIXED", geometry.stride() / 4)
            .add("CANDIDATES", cells * set_words)
            .add("FREE", cells)
            .add("UNIT_STARTS", units + 1)
            .add("UNIT_BLANKS", kinds * cells)
            .add("WIDE_UNITS", units)
            .add("AT_MOST", cells)
            .add("MUTATION_PAIRS", 0);
        Self { units, set_words, sections }
    }

    /// The layout as constants for kernels.
    pub(super) fn constants(&self) -> String {
        // Places in the tables: first of counts and parameters, then of sections.
        self.sections.constants(&[
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
        ])
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
        let sets = config.encoding.cell_values(space);
        let halves =
            |set: &u64| [*set as u32, (*set >> 32) as u32].into_iter().take(self.set_words);
        let unit_ends = groups.iter().scan(0, |end, group| {
            *end += group.blanks.len() as u32;
            Some(*end)
        });
        let blanks = groups.iter().flat_map(|group| &group.blanks);
        let wide = |unit: &u32| groups[*unit as usize].blanks.len() >= 2;
        let wide_units: Vec<u32> = (0..groups.len() as u32).filter(wide).collect();
        let at_most = match config.mutation {
            Mutation::Reset => {
                // The distribution of the number of cells that a reset draws: bounds of a random word, as far as a
                // word may reach them.
                let bounds = binomial(space.free.len(), config.mutation_rate);
                bounds.into_iter().map_while(|bound| u32::try_from(bound).ok()).collect()
            }
            _ => Vec::new(),
        };
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
        let pairs = self.sections.end;
        let counts = [
            wide_units.len(),
            space.free.len(),
            at_most.len(),
            mutation_pairs.len(),
            descent_pairs.len(),
            pairs + mutation_pairs.len(),
            config.distance as usize,
        ];
        let mut words: Vec<u32> = counts.into_iter().map(|count| count as u32).collect();
        words.resize(COUNTS, 0);
        let sections: [Vec<u32>; 7] = [
            space.fixed.chunks_exact(4).map(word).collect(),
            sets.iter().flat_map(halves).collect(),
            space.free.iter().map(|cell| *cell as u32).collect(),
            iter::once(0).chain(unit_ends).collect(),
            blanks.map(|cell| *cell as u32).collect(),
            wide_units,
            at_most,
        ];
        for (section, end) in sections.into_iter().zip(self.sections.ends()) {
            words.extend(section);
            words.resize(end, 0);
        }
        words.extend(mutation_pairs);
        words.extend(descent_pairs);
        if let Some(search) = search {
            let counts = search.add_tables(space, config, &mut words);
            words[SEARCH_COUNTS..][..counts.len()].copy_from_slice(&counts);
        }
        words
    }
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
