//! Rounds of tabu searches. A step costs more the more candidates there are, so that a round is bounded
//! by steps times candidates.

use super::memory::TabuMemory;
use crate::board::SearchSpace;
use crate::device::candidates;
use crate::device::search::memory::Cut;
use crate::device::software::MOST_TURNS;
use crate::ga::Config;
use crate::gpu::AdapterInfo;

/// Steps of a round times candidates on a GPU. A workgroup by itself takes some milliseconds for it:
/// some hundred instructions a step, and some more for each cell in conflict.
const ROUND_CANDIDATES: usize = 1 << 19;
/// The same on a software driver, which takes a thousand times as long.
const SOFTWARE_CANDIDATES: usize = 1 << 16;
/// Steps of a round at most.
pub(super) const MOST_ROUND_STEPS: usize = ROUND_CANDIDATES;

impl TabuMemory {
    /// Steps of a round, and rounds, of a puzzle.
    pub(in crate::device::search) fn cut(
        &self,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Cut {
        let candidates = candidates::count(space, config).max(1);
        let steps = if adapter.is_software() {
            let left = MOST_TURNS.saturating_sub(self.round_turns());
            let steps = (SOFTWARE_CANDIDATES / candidates) as u64;
            steps.min(left / self.step_turns()).max(1) as u32
        } else {
            round_steps(candidates)
        };
        let steps = steps.min(config.tabu_steps.max(1));
        Cut { steps, rounds: config.tabu_steps.div_ceil(steps) }
    }
}

/// Steps of a round on a GPU with so many candidates.
pub(in crate::device) fn round_steps(candidates: usize) -> u32 {
    (ROUND_CANDIDATES / candidates.max(1)).max(1) as u32
}
