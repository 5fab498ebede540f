//! What a tabu search keeps of a child between dispatches, word by word.
//!
//! `shaders/improvement/tabu/state.wgsl` reads and writes it. Single words come first, then the
//! words of each free cell, then the step up to which each candidate is forbidden to its cell.

use crate::board::Geometry;
use crate::gpu::constants;

/// No free cell, and no place in the list of conflicting cells: the halves of words hold both.
pub(super) const NOWHERE: u16 = u16::MAX;
/// Peers that one turn of a loop tells of a change: software drivers allow few turns.
pub(super) const PEERS_A_TURN: usize = 4;
/// Single words by their names.
const SINGLES: [&str; 5] = ["STEP", "PAIRS", "FEWEST", "LISTED", "IS_UNWRITTEN"];
/// Words of a free cell before its counts.
const CELL_PARTS: [&str; 2] = ["HELD", "LIST"];
/// Counts in a word: a byte for each value.
const WORD_COUNTS: usize = 4;

/// Where things are in the state of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchState {
    side: usize,
}

impl SearchState {
    /// That of boards of a shape.
    pub(super) fn new(geometry: Geometry) -> Self {
        Self { side: geometry.side() }
    }

    /// Words of a child with so many free cells and candidates.
    pub(super) fn words(self, free: usize, candidates: usize) -> usize {
        SINGLES.len() + free * self.cell_words() + candidates
    }

    /// Words that count a cell's peers.
    pub(super) fn row_words(self) -> usize {
        self.side.div_ceil(WORD_COUNTS)
    }

    fn cell_words(self) -> usize {
        CELL_PARTS.len() + self.row_words()
    }

    /// The same for kernels.
    pub(super) fn constants(self) -> String {
        let mut words: Vec<_> = SINGLES.into_iter().zip(0..).collect();
        words.extend(CELL_PARTS.into_iter().zip(0..));
        words.extend([
            ("CELL_STATES", SINGLES.len()),
            ("COUNTS", CELL_PARTS.len()),
            ("ROW_WORDS", self.row_words()),
            ("CELL_WORDS", self.cell_words()),
            ("NOWHERE", NOWHERE.into()),
        ]);
        constants(
            "Where things are in the state of a search, and in a free cell's part of it.",
            &words,
        )
    }
}
