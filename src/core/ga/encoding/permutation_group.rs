//! A permutation group: blanks whose values an encoding permutes among them.

use crate::board::{BLANK, SearchSpace, Unit};

/// The blanks of a unit, or of the whole board, and the values they may hold.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationGroup {
    /// Free cells, ascending.
    pub blanks: Vec<usize>,
    /// The values that each blank may hold, value `v` as bit `v - 1`.
    pub candidates: Vec<u64>,
}

impl PermutationGroup {
    /// The blanks of a unit; each may hold its candidates among the values that the unit lacks.
    pub fn of_unit(space: &SearchSpace, unit: Unit) -> Self {
        let cells = space.geometry().unit_cells(unit);
        let (blanks, fixed): (Vec<usize>, Vec<usize>) =
            cells.partition(|cell| space.fixed[*cell] == BLANK);
        let fixed = fixed.iter().fold(0, |values, cell| values | space.candidates[*cell]);
        let candidates = blanks.iter().map(|cell| space.candidates[*cell] & !fixed).collect();
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

    /// Exchanges the values of blanks `i` and `j` if `condition` holds and each may hold the other's value. Without a
    /// branch, which could not be predicted.
    #[inline(always)]
    pub fn exchange_if(&self, condition: bool, i: usize, j: usize, board: &mut [u8]) {
        let (a, b) = (self.blanks[i], self.blanks[j]);
        let (of_a, of_b) = (board[a], board[b]);
        let is_allowed = condition & self.allows(i, of_b) & self.allows(j, of_a);
        let change = (of_a ^ of_b) & u8::from(is_allowed).wrapping_neg();
        board[a] = of_a ^ change;
        board[b] = of_b ^ change;
    }
}
