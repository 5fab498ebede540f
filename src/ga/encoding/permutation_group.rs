//! Blanks that an encoding permutes among themselves.

use crate::board::{BLANK, SearchSpace, Unit};

/// The blanks of a unit, or of the whole board, and what they may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationGroup {
    /// Free cells, ascending.
    pub blanks: Vec<usize>,
    /// What each blank may hold.
    pub candidates: Vec<u64>,
}

impl PermutationGroup {
    /// The blanks of a unit; each may hold its candidates among the values that the unit lacks.
    pub fn of_unit(space: &SearchSpace, unit: Unit) -> Self {
        let cells = space.geometry().unit_cells(unit);
        let is_free = |cell: &usize| space.fixed[*cell] == BLANK;
        let held = cells
            .clone()
            .filter(|cell| !is_free(cell))
            .fold(0, |held, cell| held | space.candidates[cell]);
        let blanks: Vec<usize> = cells.filter(is_free).collect();
        let candidates = blanks.iter().map(|cell| space.candidates[*cell] & !held).collect();
        Self { blanks, candidates }
    }

    /// All blanks of the board; each may hold any value.
    pub fn of_board(space: &SearchSpace) -> Self {
        let any = space.geometry().all_values();
        Self { blanks: space.free.clone(), candidates: vec![any; space.free.len()] }
    }

    /// Whether blank `i` may hold `value`.
    #[inline]
    pub fn allows(&self, i: usize, value: u8) -> bool {
        self.candidates[i] >> value.wrapping_sub(1) & 1 == 1
    }

    /// Exchanges the values of blanks `i` and `j` if each may hold the other's.
    #[inline]
    pub fn exchange(&self, i: usize, j: usize, board: &mut [u8]) {
        self.exchange_if(true, i, j, board);
    }

    /// The same if it is wanted. Without a branch: whether it is, and may be, nobody foresees.
    #[inline(always)]
    pub fn exchange_if(&self, wanted: bool, i: usize, j: usize, board: &mut [u8]) {
        let (a, b) = (self.blanks[i], self.blanks[j]);
        let (of_a, of_b) = (board[a], board[b]);
        let may = wanted & self.allows(i, of_b) & self.allows(j, of_a);
        let change = (of_a ^ of_b) & u8::from(may).wrapping_neg();
        board[a] = of_a ^ change;
        board[b] = of_b ^ change;
    }
}
