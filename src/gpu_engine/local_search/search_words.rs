//! Parts that the layouts of both searches share.

/// The sizes of the memory of a search, in words.
pub(super) struct SearchWords {
    /// The row.
    pub row: usize,
    /// The row that kernels are made for, so that most puzzles of a shape share them.
    pub kernel_row: usize,
    /// Workgroup memory besides the row, which the shape decides.
    pub fixed: usize,
    /// What is kept between two dispatches, besides the part of the row that workgroup memory does not hold.
    pub state: usize,
}

/// Packs up to four bytes into a word, the first in the lowest byte.
pub fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}
