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
/// Single words by their names, and how many there are of each.
const SINGLES: [(&str, usize); 8] = [
    ("STEP", 1),
    ("PAIRS", 1),
    ("FEWEST", 1),
    ("LISTED", 1),
    ("IS_UNWRITTEN", 1),
    ("DRAW_BLOCK", 1),
    ("DRAW_WORDS", 4),
    ("DRAWS_LEFT", 1),
];
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
        single_words() + free * self.cell_words() + candidates
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
        let mut words = Vec::new();
        let mut at = 0;
        for (name, count) in SINGLES {
            words.push((name, at));
            at += count;
        }
        words.extend(CELL_PARTS.into_iter().zip(0..));
        words.extend([
            ("CELL_STATES", single_words()),
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

fn single_words() -> usize {
    SINGLES.iter().map(|(_, count)| count).sum()
}
