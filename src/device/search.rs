//! A tabu search on the device: how many children are searched at a time, and how far at once.
//!
//! What a search keeps of a child is too much for a thread's own memory, so that it lies in the
//! plan's buffer, behind the plan. Children are searched in batches that fit 64 MiB, and a batch
//! in rounds, each a dispatch. A step costs more the more candidates there are, so that a round is
//! bounded by steps times candidates: no dispatch is long, and a software driver that cuts loops
//! short never does (see [`software`](super::software)).

use super::candidates;
use super::search_state::{PEERS_A_TURN, SearchState};
use super::software::MOST_TURNS;
use crate::board::SearchSpace;
use crate::evolve::Config;
use crate::evolve::improvement::Improvement;
use crate::gpu::AdapterInfo;

/// Bytes that the searches of a batch take at most.
const BATCH_BYTES: u64 = 64 << 20;
/// Steps of a round times candidates on a GPU. A thread takes some milliseconds for it: a step looks
/// at the candidates of conflicting cells, an eighth of all where many are in conflict.
const ROUND_CANDIDATES: usize = 1 << 16;
/// Steps of a round at most.
pub(super) const MOST_ROUND_STEPS: usize = ROUND_CANDIDATES;
/// Loops turn so often in a step beside those over conflicting cells and their candidates.
const STEP_TURNS: u64 = 64;

/// The searches of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    /// Children of a batch.
    pub children: u32,
    /// Steps of a round.
    pub steps: u32,
    /// Rounds of a batch.
    pub rounds: u32,
    /// Words that a batch keeps.
    pub words: u64,
}

impl SearchPlan {
    /// Those of a configuration, if it searches.
    pub(super) fn new(adapter: &AdapterInfo, space: &SearchSpace, config: &Config) -> Option<Self> {
        if config.improvement != Improvement::Tabu {
            return None;
        }
        let side = space.geometry().side();
        let (free, candidates) = (space.free.len(), candidates::count(space, config));
        let child = SearchState::new(space.geometry()).words(free, candidates) as u64;
        let children = (BATCH_BYTES / (4 * child)).clamp(1, config.population.into()) as u32;
        let steps = if adapter.is_software() {
            // A step may look at every candidate, writes the board and tells all peers.
            let turns = (4 * free + candidates + side) as u64 + STEP_TURNS;
            ((MOST_TURNS - STEP_TURNS) / turns).max(1) as u32
        } else {
            round_steps(candidates)
        };
        let steps = steps.min(config.tabu_steps.max(1));
        let rounds = config.tabu_steps.div_ceil(steps);
        Some(Self { children, steps, rounds, words: child * u64::from(children) })
    }
}

impl SearchPlan {
    /// The same for so many children at a time, if they fit a batch.
    pub(super) fn of_children(self, children: u32) -> Option<Self> {
        let child = self.words / u64::from(self.children);
        (children <= self.children).then(|| Self {
            children,
            words: child * u64::from(children),
            ..self
        })
    }
}

/// Steps of a round on a GPU with so many candidates.
pub(super) fn round_steps(candidates: usize) -> u32 {
    (ROUND_CANDIDATES / candidates.max(1)).max(1) as u32
}

/// Turns of all loops that begin the search of a child.
pub(super) fn beginning(space: &SearchSpace, config: &Config) -> u64 {
    let geometry = space.geometry();
    // Counts are copied, candidates looked at, and peers told, fewer than three units of them; a
    // loop takes a turn to end.
    let peers = (3 * geometry.side()).div_ceil(PEERS_A_TURN);
    let cell = 3 + SearchState::new(geometry).row_words() + peers + 2;
    (space.free.len() * cell + candidates::count(space, config)) as u64
}
