//! Each free cell on its own: any of its candidates, or any value.
//!
//! Only the fixed cells are kept by construction. With encoding `candidates` a free cell
//! holds one of the candidates that presolve leaves it; with `cells` any value, presolved or not. Without presolve every
//! value is a candidate, so that both are the same.
//!
//! A free cell of a 9x9 board whose candidates are 2, 5 and 9 holds one of the three, each with
//! probability one third, or with `cells` any of the nine digits.
//!
//! Source: document 002 of the project (`cells`); direct or integer encoding in the literature,
//! list colouring in graph theory.

use super::{BuildContext, ConfigError, EncodingOperator, FromContext};
use crate::board::matching::value_at;
use crate::random::Draws;

/// Independent cells.
#[derive(Clone, Debug)]
pub struct Candidates {
    fixed: Vec<u8>,
    /// The free cells, ascending.
    pub free: Vec<usize>,
    /// The values that each cell of the board may hold, value `v` as bit `v - 1`.
    pub sets: Vec<u64>,
}

impl FromContext for Candidates {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let space = context.space;
        let sets = context.config.encoding.cell_values(space);
        Ok(Self { fixed: space.fixed.clone(), free: space.free.clone(), sets })
    }
}

impl Candidates {
    /// Gives a free cell a random one of its values, possibly the value it has.
    #[inline]
    pub fn redraw(&self, cell: usize, board: &mut [u8], draws: &mut Draws) {
        let values = self.sets[cell];
        board[cell] = value_at(values, draws.below(values.count_ones()));
    }
}

impl EncodingOperator for Candidates {
    fn initialise(&self, board: &mut [u8], draws: &mut Draws) {
        board.copy_from_slice(&self.fixed);
        for cell in &self.free {
            self.redraw(*cell, board, draws);
        }
    }
}
