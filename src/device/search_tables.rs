//! What a tabu search reads of a puzzle: candidates and peers of free cells, and how often givens
//! count.
//!
//! The host's is `Space` of `src/evolve/improvement/tabu`. Peers lie two a word and so that a
//! turn of a loop takes [`PEERS_A_TURN`], the last filled up with [`NOWHERE`].

use super::candidates::{allowed, word};
use super::search::SearchPlan;
use super::search_state::{NOWHERE, PEERS_A_TURN};
use crate::board::matching::values_of;
use crate::board::{BLANK, Geometry, SearchSpace};
use crate::evolve::Config;

/// Sections, and where they are.
pub(super) struct SearchTables {
    /// Children, steps of a round, where sections begin, and parameters.
    pub counts: [u32; 8],
    pub words: Vec<u32>,
}

impl SearchPlan {
    /// The sections behind `start` words of others.
    pub(super) fn tables(
        &self,
        space: &SearchSpace,
        config: &Config,
        start: usize,
    ) -> SearchTables {
        let geometry = space.geometry();
        let (mut starts, mut values) = (vec![0], Vec::new());
        let (mut peer_starts, mut peer_words, mut given) = (Vec::new(), Vec::new(), Vec::new());
        let first_peer = start + 2 * (space.free.len() + 1);
        for cell in &space.free {
            values.extend(values_of(allowed(space, config, *cell)).map(u32::from));
            starts.push(values.len() as u32);
            peer_starts.push((first_peer + peer_words.len()) as u32);
            let mut counts = vec![0; geometry.side().next_multiple_of(4)];
            let mut free = Vec::new();
            for peer in peers(geometry, *cell) {
                if let Ok(peer) = space.free.binary_search(&peer) {
                    free.push(peer as u16);
                } else if space.fixed[peer] != BLANK {
                    counts[usize::from(space.fixed[peer] - 1)] += 1;
                }
            }
            free.resize(free.len().next_multiple_of(PEERS_A_TURN), NOWHERE);
            let pairs = free.chunks_exact(2);
            peer_words.extend(pairs.map(|pair| u32::from(pair[1]) << 16 | u32::from(pair[0])));
            given.extend(counts.chunks_exact(4).map(word));
        }
        peer_starts.push((first_peer + peer_words.len()) as u32);
        let candidate_values = first_peer + peer_words.len();
        let counts = [
            self.children,
            self.steps,
            start as u32,
            candidate_values as u32,
            (start + starts.len()) as u32,
            (candidate_values + values.len()) as u32,
            config.tabu_steps,
            config.tenure_share,
        ];
        SearchTables { counts, words: [starts, peer_starts, peer_words, values, given].concat() }
    }
}

/// The other cells of a cell's units, ascending, each once.
fn peers(geometry: Geometry, cell: usize) -> Vec<usize> {
    let units = geometry.units_with(cell);
    let mut peers: Vec<usize> =
        units.into_iter().flat_map(|unit| geometry.unit_cells(unit)).collect();
    peers.retain(|peer| *peer != cell);
    peers.sort_unstable();
    peers.dedup();
    peers
}
