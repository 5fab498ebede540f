//! A tabu search on the device: how many children are searched at a time, and how far at once.
//!
//! What a search keeps of a child is too much for a thread's own memory, so that it lies in the
//! plan's buffer, behind the plan. Children are searched in batches that fit 64 MiB, and a batch
//! in rounds of some steps, each a dispatch: so no dispatch is long, and a software driver that
//! cuts loops short never does (see [`loops`](super::loops)).

use super::loops;
use crate::board::Geometry;
use crate::evolve::Config;
use crate::evolve::improvement::Improvement;
use crate::gpu::AdapterInfo;

/// Bytes that the searches of a batch take at most.
const BATCH_BYTES: u64 = 64 << 20;
/// Words of a child beside its sections: `shaders/search_state.wgsl`.
const SINGLE_WORDS: usize = 16;
/// Steps of a round on a GPU: some milliseconds.
const ROUND_STEPS: u32 = 1_024;
/// Loops turn so often in a step beside those over conflicting cells and their candidates.
const STEP_TURNS: u64 = 64;

/// The searches of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Children of a batch.
    pub children: u32,
    /// Steps of a round.
    pub steps: u32,
    /// Rounds of a batch.
    pub rounds: u32,
    /// Words that a batch keeps.
    pub words: u64,
}

impl Search {
    /// Those of a configuration, if it searches, on a puzzle with so many free cells and
    /// candidates of them.
    pub(super) fn new(
        adapter: &AdapterInfo,
        geometry: Geometry,
        config: &Config,
        free: usize,
        candidates: usize,
    ) -> Option<Self> {
        if config.improvement != Improvement::Tabu {
            return None;
        }
        let child = (SINGLE_WORDS + 5 * geometry.cells() + candidates) as u64;
        let children = (BATCH_BYTES / (4 * child)).clamp(1, config.population.into()) as u32;
        // A step may look at every candidate twice.
        let turns = 2 * (free + candidates) as u64 + STEP_TURNS;
        let steps = if adapter.is_software() {
            ((loops::MOST - STEP_TURNS) / turns).max(1) as u32
        } else {
            ROUND_STEPS
        };
        let steps = steps.min(config.tabu_steps.max(1));
        let rounds = config.tabu_steps.div_ceil(steps);
        Some(Self { children, steps, rounds, words: child * u64::from(children) })
    }
}
