//! Long searches on the device: how many children are searched at a time, and how far at once.
//!
//! A workgroup searches a child. Children are searched in batches, whose state between two
//! dispatches takes at most 64 MiB of the plan's buffer, after the plan; and a batch in rounds, each a
//! dispatch. The cost of a round is bounded: no dispatch is long, and no software driver ends a loop
//! early (`check_software` of `layout.rs`).
//!
//! A search has a row of words. Workgroup memory holds as many of them as fit, from the first on, and
//! the buffer of searches the others, after the state that is kept between two dispatches.

mod eviction;
mod packed_counts;
mod search_words;
mod tabu;

use self::eviction::EvictionLayout;
pub(super) use self::eviction::MOST_SOFTWARE_CELLS;
use self::search_words::SearchWords;
pub(super) use self::search_words::word;
use self::tabu::TabuLayout;
#[cfg(test)]
pub(super) use self::tabu::round_steps;
use super::operator_support::UnsupportedConfig;
use crate::board::{Geometry, SearchSpace};
use crate::ga::Config;
use crate::ga::local_search::{Effort, LocalSearch};
use crate::gpu::{AdapterInfo, Features, Limits};

/// Most bytes of the state of the searches of a batch between two dispatches.
const STATE_BYTES: u64 = 64 << 20;

/// The searches of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    /// Children of a batch.
    pub children: u32,
    /// Steps of a round of tabu search, or looks at the board of one of eviction search.
    steps: u32,
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
        let (steps, rounds) = match &memory.method {
            SearchMethod::Tabu(tabu) => tabu.rounds(adapter, space, config),
            SearchMethod::Eviction(eviction) => eviction.rounds(adapter, config),
        };
        Self { children, steps, rounds, words: child * u64::from(children), memory }
    }

    /// Rounds of a child that this effort makes: fewer than were begun where searches were over before.
    pub(super) fn rounds_made(&self, effort: Effort) -> f64 {
        match self.memory.method {
            SearchMethod::Tabu(_) => effort.steps as f64 / f64::from(self.steps),
            SearchMethod::Eviction(_) => {
                effort.moves as f64 / EvictionLayout::proposals(self.steps)
            }
        }
    }

    /// Adds the sections of a puzzle to `tables`, and returns the counts of searches: words of each, steps of
    /// a round, the word at which the sections begin, and those of the method.
    pub(super) fn add_tables(
        &self,
        space: &SearchSpace,
        config: &Config,
        tables: &mut Vec<u32>,
    ) -> Vec<u32> {
        let mut counts = vec![self.memory.kept() as u32, self.steps, tables.len() as u32];
        counts.extend(match &self.memory.method {
            SearchMethod::Tabu(tabu) => tabu.add_tables(space, config, tables),
            SearchMethod::Eviction(_) => EvictionLayout::add_tables(space, config, tables),
        });
        counts
    }
}

/// The memory of the searches of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLayout {
    method: SearchMethod,
    /// Words of the row in workgroup memory.
    near: usize,
}

/// The layout of a kind of search.
#[derive(Clone, Copy, Debug)]
enum SearchMethod {
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
        limits: &Limits,
    ) -> Result<Option<Self>, UnsupportedConfig> {
        let method = match config.local_search {
            LocalSearch::Tabu => SearchMethod::Tabu(TabuLayout::new(space, config, limits)?),
            LocalSearch::Eviction => SearchMethod::Eviction(EvictionLayout::new(space)),
            _ => return Ok(None),
        };
        let SearchWords { kernel_row, fixed, .. } = method.words();
        let room = (limits.max_compute_workgroup_storage_size as usize / 4).saturating_sub(fixed);
        Ok(Some(Self { method, near: kernel_row.min(room.max(1)) }))
    }

    /// The layout for another puzzle in the kernels that this one is made for, if it fits them.
    fn of_puzzle(&self, space: &SearchSpace, config: &Config, limits: &Limits) -> Option<Self> {
        let mut other = Self { near: self.near, ..Self::new(space, config, limits).ok()?? };
        if let (SearchMethod::Tabu(own), SearchMethod::Tabu(tabu)) =
            (&self.method, &mut other.method)
        {
            tabu.teams = own.teams;
        }
        // Kernels that keep all of it in workgroup memory do not read another.
        (other.is_near() || !self.is_near()).then_some(other)
    }

    /// Words of a search in the buffer of searches.
    fn kept(&self) -> usize {
        let SearchWords { row, state, .. } = self.method.words();
        state + row.saturating_sub(self.near)
    }

    /// Whether workgroup memory holds all of the row.
    fn is_near(&self) -> bool {
        self.method.words().row <= self.near
    }

    /// Constants that follow from the shape, for all kernels that know searches.
    pub(super) fn shape_constants(local_search: LocalSearch, geometry: Geometry) -> String {
        match local_search {
            LocalSearch::Eviction => EvictionLayout::shape_constants(geometry),
            _ => TabuLayout::shape_constants(geometry),
        }
    }

    /// Lanes of a workgroup, its memory, and the most turns of its loops.
    pub(super) fn constants(&self) -> String {
        match &self.method {
            SearchMethod::Tabu(tabu) => tabu.constants(self.near),
            SearchMethod::Eviction(_) => EvictionLayout::constants(self.near),
        }
    }

    /// The file that declares the row.
    pub(super) fn file(&self) -> &'static str {
        if self.is_near() {
            "local_search/memory/near.wgsl"
        } else {
            "local_search/memory/near_and_far.wgsl"
        }
    }
}

impl SearchMethod {
    fn words(&self) -> SearchWords {
        match self {
            Self::Tabu(tabu) => tabu.words(),
            Self::Eviction(eviction) => eviction.words(),
        }
    }
}

/// The file with the function that finds the least word of all lanes.
pub(super) fn least_file(adapter: &AdapterInfo) -> &'static str {
    if adapter.features.contains(Features::SUBGROUP) {
        "local_search/least/by_subgroup.wgsl"
    } else {
        "local_search/least/by_workgroup.wgsl"
    }
}
