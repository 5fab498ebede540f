//! What both long searches have in common: rounds, tables, and the candidates of free cells.

use crate::board::SearchSpace;
use crate::ga::Config;
use crate::ga::encoding::Encoding;

/// Turns of all loops of a thread that software drivers allow.
///
/// llvmpipe ends every loop of a thread after 65,535 turns of all loops together, without a message
/// and with whatever values there are (`LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa's source); threads
/// of one vector count together.
pub(in crate::gpu_engine) const MOST_TURNS: u64 = 65_535;

/// How a search is divided into dispatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DispatchPlan {
    /// Steps of a round of tabu search, or looks at the board of one of eviction search.
    pub steps: u32,
    pub rounds: u32,
}

/// The sections that a search adds to a puzzle's tables, one after the other.
pub(in crate::gpu_engine) struct SearchTables {
    /// Words of each search, steps of a round, the word at which sections begin, and other words with a place
    /// among the counts.
    pub counts: Vec<u32>,
    pub words: Vec<u32>,
}

/// The values that a free cell may hold where cells are independent.
pub(super) fn allowed(space: &SearchSpace, config: &Config, cell: usize) -> u64 {
    match config.encoding {
        Encoding::Cells => space.geometry().all_values(),
        _ => space.candidates[cell],
    }
}

/// Packs up to four bytes into a word, the first in the lowest byte.
pub(in crate::gpu_engine) fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}
