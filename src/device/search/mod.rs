//! Long searches on the device: how many children are searched at a time, and how far at once.
//!
//! A workgroup searches a child. Children are searched in batches, what is kept of which between two
//! dispatches fits 64 MiB of the plan's buffer, behind the plan; and a batch in rounds, each a
//! dispatch. A step costs more the more candidates there are, so that a round is bounded by steps
//! times candidates: no dispatch is long, and a software driver that cuts loops short never does (see
//! [`software`](super::software)).

pub(super) mod tabu;

use self::tabu::{SearchTables, TabuMemory};
use super::candidates;
use super::software::MOST_TURNS;
use super::unsupported::Unsupported;
use crate::board::SearchSpace;
use crate::evolve::Config;
use crate::evolve::improvement::Improvement;
use crate::gpu::AdapterInfo;

/// Bytes that is kept of the searches of a batch at most.
const BATCH_BYTES: u64 = 64 << 20;
/// Steps of a round times candidates on a GPU. A workgroup by itself takes some milliseconds for it:
/// some hundred instructions a step, and some more for each cell in conflict.
const ROUND_CANDIDATES: usize = 1 << 19;
/// The same on a software driver, which takes a thousand times as long.
const SOFTWARE_CANDIDATES: usize = 1 << 16;
/// Steps of a round at most.
pub(super) const MOST_ROUND_STEPS: usize = ROUND_CANDIDATES;

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
    /// Where the state of a search lies.
    pub memory: TabuMemory,
}

impl SearchPlan {
    /// Those of a configuration, if it searches.
    ///
    /// # Errors
    /// [`Unsupported`] names what is beyond the device's searches.
    pub(super) fn new(
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Result<Option<Self>, Unsupported> {
        if config.improvement != Improvement::Tabu {
            return Ok(None);
        }
        let memory = TabuMemory::new(space, config, &adapter.limits)?;
        Ok(Some(Self::with(memory, adapter, space, config)))
    }

    /// Those of another puzzle in the same kernels, if it fits them.
    pub(super) fn of_puzzle(
        &self,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Option<Self> {
        let memory = self.memory.of_puzzle(space, config, &adapter.limits)?;
        Some(Self::with(memory, adapter, space, config))
    }

    /// The same for so many children at a time, if they fit a batch.
    pub(super) fn of_children(self, children: u32) -> Option<Self> {
        let child = self.words / u64::from(self.children);
        (children <= self.children).then(|| Self {
            children,
            words: child * u64::from(children),
            ..self
        })
    }

    fn with(
        memory: TabuMemory,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Self {
        let child = memory.kept() as u64;
        let children = (BATCH_BYTES / (4 * child)).clamp(1, config.population.into()) as u32;
        let candidates = candidates::count(space, config).max(1);
        let steps = if adapter.is_software() {
            let left = MOST_TURNS.saturating_sub(memory.round_turns());
            let steps = (SOFTWARE_CANDIDATES / candidates) as u64;
            steps.min(left / memory.step_turns()).max(1) as u32
        } else {
            round_steps(candidates)
        };
        let steps = steps.min(config.tabu_steps.max(1));
        let rounds = config.tabu_steps.div_ceil(steps);
        Self { children, steps, rounds, words: child * u64::from(children), memory }
    }

    /// What they read of a puzzle, behind `start` words of other tables.
    pub(super) fn tables(
        &self,
        space: &SearchSpace,
        config: &Config,
        start: usize,
    ) -> SearchTables {
        tabu::tables(&self.memory, self.steps, space, config, start)
    }
}

/// Turns of all loops that begin the search of a child.
pub(super) fn beginning(space: &SearchSpace) -> u64 {
    // Cells are looked at in fours; a loop takes a turn to end.
    2 * space.free.len() as u64 + 8
}

/// Steps of a round on a GPU with so many candidates.
pub(super) fn round_steps(candidates: usize) -> u32 {
    (ROUND_CANDIDATES / candidates.max(1)).max(1) as u32
}
