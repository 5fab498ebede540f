//! `eviction`: simulated annealing of one individual.

use crate::board::SearchSpace;
use crate::ga::operator_names::*;
use crate::ga::{Config, Overrides};

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// One individual, whose free cells hold candidates that presolve leaves, for large boards on which tabu
    /// search makes no progress. A generation is one annealing. Most free cells hold values without
    /// conflicts. An unassigned cell takes a random candidate and evicts the cells that conflict with it;
    /// it evicts more than one only with probability eta. Eta falls until the board freezes, rises slowly
    /// until it melts, and so on. A new annealing starts above the melting point, so nothing of the one
    /// before remains. A larger population is as many annealings side by side.
    ///
    /// Parameters that are not set follow from the puzzle after presolve: eta falls by a factor of e in
    /// 50 x free cells x candidates proposals, and an annealing has four times as many.
    ///
    /// Differs from partial colouring (Bloechliger & Zufferey 2008): there is no tabu list; proposals
    /// are accepted as in annealing, at a temperature that follows the number of unassigned cells.
};

/// Proposals in which eta changes by a factor of e, for each free cell and each candidate.
const ETA_PROPOSALS: u64 = 50;
/// Number of such factors by which eta may change in an annealing.
const FACTORS: u64 = 4;

/// The preset `tabu` with another local search, and without restarts.
pub fn config(base: Config) -> Config {
    Config { local_search: LocalSearch::Eviction, restart_after: 0, ..super::tabu::config(base) }
}

/// Parameters that follow from the puzzle.
pub fn derived(space: &SearchSpace) -> Overrides {
    let free = space.free.len() as u64;
    let eta_proposals = (free * space.candidate_count() * ETA_PROPOSALS).max(1);
    Overrides {
        proposals: Some(eta_proposals * FACTORS),
        eta_proposals: Some(eta_proposals),
        ..Overrides::default()
    }
}
