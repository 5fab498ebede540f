//! Long searches on the device: how many children are searched at a time, and how far at once.
//!
//! A workgroup searches a child. Children are searched in batches, whose state between two
//! dispatches takes at most 64 MiB of the plan's buffer, after the plan; and a batch in rounds, each a
//! dispatch. The cost of a round is bounded: no dispatch is long, and no software driver ends a loop
//! early ([`MOST_TURNS`]).
//!
//! A search has a row of words. Workgroup memory holds as many of them as fit, from the first on, and
//! the buffer of searches the others, after the state that is kept between two dispatches.

mod eviction;
mod packed_counts;
mod search_tables;
mod tabu;

use self::eviction::EvictionLayout;
use self::search_tables::{DispatchPlan, SearchTables};
pub(super) use self::search_tables::{MOST_TURNS, word};
use self::tabu::TabuLayout;
#[cfg(test)]
pub(super) use self::tabu::round_steps;
use super::operator_support::UnsupportedConfig;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::gpu::{AdapterInfo, AdapterLimits};

/// Most bytes of the state of the searches of a batch between two dispatches.
const STATE_BYTES: u64 = 64 << 20;

/// The searches of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    /// Children of a batch.
    pub children: u32,
    /// Steps of a round, or looks.
    pub steps: u32,
    /// Rounds of a batch.
    pub rounds: u32,
    /// Words of the state of a batch between two dispatches.
    pub words: u64,
    /// The layout of the state of a search.
    pub memory: SearchLayout,
}

impl SearchPlan {
    /// The searches of a configuration, if it has any.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names a parameter that the searches of the device cannot have.
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

    /// A plan for this many children at a time, if they fit a batch.
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
        let children = (STATE_BYTES / (4 * child)).clamp(1, config.population.into()) as u32;
        let DispatchPlan { steps, rounds } = memory.cut(adapter, space, config);
        Self { children, steps, rounds, words: child * u64::from(children), memory }
    }

    /// The tables of a puzzle for searches, after `start` words of other tables.
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
        // Tabu search makes as many steps as there are turns for.
        _ => 0,
    }
}

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchLayout {
    Tabu(TabuLayout),
    Eviction(EvictionLayout),
}

impl SearchLayout {
    /// The layout for a puzzle on an adapter, if its children are searched.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names a parameter that the searches of the device cannot have.
    pub(super) fn new(
        space: &SearchSpace,
        config: &Config,
        limits: &AdapterLimits,
    ) -> Result<Option<Self>, UnsupportedConfig> {
        Ok(match config.local_search {
            LocalSearch::Tabu => Some(Self::Tabu(TabuLayout::new(space, config, limits)?)),
            LocalSearch::Eviction => Some(Self::Eviction(EvictionLayout::new(space, limits))),
            _ => None,
        })
    }

    /// The layout for another puzzle in the kernels that this one is made for, if it fits them.
    fn of_puzzle(
        &self,
        space: &SearchSpace,
        config: &Config,
        limits: &AdapterLimits,
    ) -> Option<Self> {
        Some(match self {
            Self::Tabu(memory) => Self::Tabu(memory.of_puzzle(space, config, limits)?),
            Self::Eviction(memory) => Self::Eviction(memory.of_puzzle(space, limits)?),
        })
    }

    /// Words of a search in the buffer of searches.
    fn kept(&self) -> usize {
        match self {
            Self::Tabu(memory) => memory.kept(),
            Self::Eviction(memory) => memory.kept(),
        }
    }

    /// How the searches of a puzzle are divided into rounds.
    fn cut(&self, adapter: &AdapterInfo, space: &SearchSpace, config: &Config) -> DispatchPlan {
        match self {
            Self::Tabu(memory) => memory.cut(adapter, space, config),
            Self::Eviction(memory) => memory.cut(adapter, config),
        }
    }

    /// The tables of a puzzle for searches, after `start` words of other tables.
    fn tables(
        &self,
        steps: u32,
        space: &SearchSpace,
        config: &Config,
        start: usize,
    ) -> SearchTables {
        match self {
            Self::Tabu(memory) => tabu::tables(memory, steps, space, config, start),
            Self::Eviction(memory) => eviction::tables(memory, steps, space, config, start),
        }
    }

    /// Constants that follow from the shape, for all kernels that know searches.
    pub(super) fn shape_constants(local_search: LocalSearch, geometry: Geometry) -> String {
        match local_search {
            LocalSearch::Eviction => EvictionLayout::shape_constants(geometry),
            _ => TabuLayout::field_constants(geometry),
        }
    }

    /// Lanes of a workgroup, what memory it has, and how often loops turn at most.
    pub(super) fn constants(&self) -> String {
        match self {
            Self::Tabu(memory) => memory.constants(),
            Self::Eviction(memory) => memory.constants(),
        }
    }

    /// The file that declares the row.
    pub(super) fn file(&self) -> &'static str {
        let is_near = match self {
            Self::Tabu(memory) => memory.is_near(),
            Self::Eviction(memory) => memory.is_near(),
        };
        if is_near {
            "local_search/memory/near.wgsl"
        } else {
            "local_search/memory/near_and_far.wgsl"
        }
    }
}

/// The file with the function that finds the least word of all lanes.
pub(super) fn least_file(limits: &AdapterLimits) -> &'static str {
    if limits.subgroups {
        "local_search/least/by_subgroup.wgsl"
    } else {
        "local_search/least/by_workgroup.wgsl"
    }
}
