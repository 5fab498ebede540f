//! Types that searches of all kinds share: rounds, and sections of a puzzle's tables.

/// Turns of all loops of a thread that software drivers allow.
///
/// llvmpipe ends every loop of a thread after 65,535 turns of all loops together, without a word
/// and with whatever values there are (`LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa's source); threads
/// that run side by side in a vector count together.
pub(in crate::gpu_engine) const MOST_TURNS: u64 = 65_535;

/// How a search is divided into dispatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DispatchPlan {
    /// Steps of a round of tabu search, or looks at the board of one of eviction search.
    pub steps: u32,
    pub rounds: u32,
}

/// The sections that a search adds to a puzzle's tables, one behind the other.
pub(in crate::gpu_engine) struct SearchTables {
    /// Words of each search, steps of a round, where sections begin, and what else has a place among
    /// the counts.
    pub counts: Vec<u32>,
    pub words: Vec<u32>,
}
