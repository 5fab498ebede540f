//! Long searches on the device: how many children are searched at a time, and how far at once.
//!
//! A workgroup searches a child. Children are searched in batches, what is kept of which between two
//! dispatches fits 64 MiB of the plan's buffer, behind the plan; and a batch in rounds, each a
//! dispatch. A round is bounded by what it costs: no dispatch is long, and a software driver that cuts
//! loops short never does ([`MOST_TURNS`]).

mod eviction;
mod layout;
mod round;
mod tabu;

pub(super) use self::layout::{SearchLayout, is_searched, least_file};
pub(super) use self::round::MOST_TURNS;
use self::round::{DispatchPlan, SearchTables};
#[cfg(test)]
pub(super) use self::tabu::round_steps;
use super::operator_support::UnsupportedConfig;
use crate::board::SearchSpace;
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::gpu::AdapterInfo;

/// Bytes that is kept of the searches of a batch at most.
const BATCH_BYTES: u64 = 64 << 20;

/// The searches of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    /// Children of a batch.
    pub children: u32,
    /// Steps of a round, or looks.
    pub steps: u32,
    /// Rounds of a batch.
    pub rounds: u32,
    /// Words that a batch keeps.
    pub words: u64,
    /// Where the state of a search lies.
    pub memory: SearchLayout,
}

impl SearchPlan {
    /// The searches of a configuration, if it has any.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names what is beyond the device's searches.
    pub(super) fn new(
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Result<Option<Self>, UnsupportedConfig> {
        let memory = SearchLayout::new(space, config, &adapter.limits)?;
        Ok(memory.map(|memory| Self::with(memory, adapter, space, config)))
    }

    /// The searches of another puzzle in the same kernels, if it fits them.
    pub(super) fn of_puzzle(
        &self,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Option<Self> {
        let memory = self.memory.of_puzzle(space, config, &adapter.limits)?;
        Some(Self::with(memory, adapter, space, config))
    }

    /// A plan for so many children at a time, if they fit a batch.
    pub(super) fn of_children(self, children: u32) -> Option<Self> {
        let child = self.words / u64::from(self.children);
        (children <= self.children).then(|| Self {
            children,
            words: child * u64::from(children),
            ..self
        })
    }

    fn with(
        memory: SearchLayout,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> Self {
        let child = memory.kept() as u64;
        let children = (BATCH_BYTES / (4 * child)).clamp(1, config.population.into()) as u32;
        let DispatchPlan { steps, rounds } = memory.cut(adapter, space, config);
        Self { children, steps, rounds, words: child * u64::from(children), memory }
    }

    /// The tables that they read of a puzzle, behind `start` words of other tables.
    pub(super) fn tables(
        &self,
        space: &SearchSpace,
        config: &Config,
        start: usize,
    ) -> SearchTables {
        self.memory.tables(self.steps, space, config, start)
    }
}

/// Turns of all loops that begin the search of a child.
pub(super) fn beginning(space: &SearchSpace) -> u64 {
    // Cells are looked at in fours; a loop takes a turn to end.
    2 * space.free.len() as u64 + 8
}

/// Turns of all loops of the shortest round of a puzzle's searches.
pub(super) fn least_round(space: &SearchSpace, local_search: LocalSearch) -> u64 {
    match local_search {
        LocalSearch::Eviction => eviction::least_round(space),
        // As many steps are made as there are turns for.
        _ => 0,
    }
}
