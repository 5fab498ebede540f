//! The candidates of free cells, as tables need them.

use crate::board::SearchSpace;
use crate::ga::Config;
use crate::ga::encoding::Encoding;

/// The values that a free cell may hold where cells are independent.
pub(super) fn allowed(space: &SearchSpace, config: &Config, cell: usize) -> u64 {
    match config.encoding {
        Encoding::Cells => space.geometry().all_values(),
        _ => space.candidates[cell],
    }
}

/// Candidates of all free cells.
pub(super) fn count(space: &SearchSpace, config: &Config) -> usize {
    space.free.iter().map(|cell| allowed(space, config, *cell).count_ones() as usize).sum()
}

/// Four bytes as a word, the first in the lowest byte.
pub(super) fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// Words of a set of values.
pub(super) fn set_words(side: usize) -> usize {
    side.div_ceil(u32::BITS as usize)
}
