//! The search space after presolve: the fixed cells, and the candidates of each free cell.

use super::{BLANK, Geometry, Puzzle};

/// A puzzle after presolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpace {
    /// The original puzzle.
    pub puzzle: Puzzle,
    /// The givens and the cells that presolve fixed: one packed board, `stride` bytes.
    pub fixed: Vec<u8>,
    /// Values that each cell may hold, value `v` as bit `v - 1`; one bit where it is fixed.
    pub candidates: Vec<u64>,
    /// Cells that are not fixed, ascending.
    pub free: Vec<usize>,
}

impl SearchSpace {
    /// The space of a blank board, without presolve.
    pub fn blank(geometry: Geometry) -> Self {
        Self::new(Puzzle::blank(geometry), vec![geometry.all_values(); geometry.cells()])
    }

    /// The space of a board with these candidates; a cell with a single candidate is
    /// fixed.
    pub(crate) fn new(puzzle: Puzzle, candidates: Vec<u64>) -> Self {
        let value = |set: &u64| match set.is_power_of_two() {
            true => set.trailing_zeros() as u8 + 1,
            false => BLANK,
        };
        let mut fixed: Vec<u8> = candidates.iter().map(value).collect();
        let free = (0..fixed.len()).filter(|cell| fixed[*cell] == BLANK).collect();
        fixed.resize(puzzle.geometry.stride(), 0);
        Self { puzzle, fixed, candidates, free }
    }

    /// The shape of the board.
    pub fn geometry(&self) -> Geometry {
        self.puzzle.geometry
    }

    /// The number of candidates of all free cells together.
    pub fn candidate_count(&self) -> u64 {
        self.free.iter().map(|cell| u64::from(self.candidates[*cell].count_ones())).sum()
    }

    /// Whether `cell` may hold `value`.
    pub fn allows(&self, cell: usize, value: u8) -> bool {
        value != BLANK && self.candidates[cell] >> (value - 1) & 1 == 1
    }
}
