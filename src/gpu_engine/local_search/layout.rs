//! The layout of a search, whichever search it is.
//!
//! A search has a row of words. Workgroup memory holds as many of them as fit, from the first on, and
//! the buffer of searches the others, behind what is kept between two dispatches.

use super::eviction::EvictionLayout;
use super::round::{DispatchPlan, SearchTables};
use super::tabu::TabuLayout;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::LocalSearch;
use crate::gpu::{AdapterInfo, AdapterLimits};
use crate::gpu_engine::operator_support::UnsupportedConfig;

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu_engine) enum SearchLayout {
    Tabu(TabuLayout),
    Eviction(EvictionLayout),
}

/// Whether children go through a search that takes kernels of its own.
pub(in crate::gpu_engine) fn is_searched(local_search: LocalSearch) -> bool {
    matches!(local_search, LocalSearch::Tabu | LocalSearch::Eviction)
}

impl SearchLayout {
    /// The layout for a puzzle on an adapter, if its children are searched.
    ///
    /// # Errors
    /// [`UnsupportedConfig`] names what is beyond the device's searches.
    pub(in crate::gpu_engine) fn new(
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
    pub(super) fn of_puzzle(
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

    /// Words that the buffer of searches has for each.
    pub(super) fn kept(&self) -> usize {
        match self {
            Self::Tabu(memory) => memory.kept(),
            Self::Eviction(memory) => memory.kept(),
        }
    }

    /// How the searches of a puzzle are cut.
    pub(super) fn cut(
        &self,
        adapter: &AdapterInfo,
        space: &SearchSpace,
        config: &Config,
    ) -> DispatchPlan {
        match self {
            Self::Tabu(memory) => memory.cut(adapter, space, config),
            Self::Eviction(memory) => memory.cut(adapter, config),
        }
    }

    /// The tables that they read of a puzzle, behind `start` words of other tables.
    pub(super) fn tables(
        &self,
        steps: u32,
        space: &SearchSpace,
        config: &Config,
        start: usize,
    ) -> SearchTables {
        match self {
            Self::Tabu(memory) => super::tabu::tables(memory, steps, space, config, start),
            Self::Eviction(memory) => super::eviction::tables(memory, steps, space, config, start),
        }
    }

    /// Constants that follow from the shape, for all kernels that know searches.
    pub(in crate::gpu_engine) fn shape_constants(
        local_search: LocalSearch,
        geometry: Geometry,
    ) -> String {
        match local_search {
            LocalSearch::Eviction => EvictionLayout::shape_constants(geometry),
            _ => TabuLayout::field_constants(geometry),
        }
    }

    /// Lanes of a workgroup, what memory it has, and how often loops turn at most.
    pub(in crate::gpu_engine) fn constants(&self) -> String {
        match self {
            Self::Tabu(memory) => memory.constants(),
            Self::Eviction(memory) => memory.constants(),
        }
    }

    /// The file that says where the row lies.
    pub(in crate::gpu_engine) fn file(&self) -> &'static str {
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

/// The file by which lanes find the least of the words that they offer.
pub(in crate::gpu_engine) fn least_file(limits: &AdapterLimits) -> &'static str {
    if limits.subgroups {
        "local_search/least/by_subgroup.wgsl"
    } else {
        "local_search/least/by_workgroup.wgsl"
    }
}
