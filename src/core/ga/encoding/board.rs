//! The missing values of the whole board, permuted over all its blanks.
//!
//! The values that are missing from `n` of each are shuffled. Rows, columns and boxes may all hold
//! duplicates; only the number of each value is right. Candidates are ignored: after presolve
//! there is less to permute, but any value may be in any blank.
//!
//! A 4x4 board whose givens hold 1 three times and 2, 3, 4 four times each has one blank, which
//! holds 1.
//!
//! Source: document 000 of the project, its first approach.

use super::{BuildContext, ConfigError, EncodingOperator, FromContext};
use crate::board::matching::values_of;
use crate::random::Draws;

/// One permutation of all missing values.
#[derive(Clone, Debug)]
pub struct BoardPermutation {
    fixed: Vec<u8>,
    free: Vec<usize>,
}

impl FromContext for BoardPermutation {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let (space, geometry) = (context.space, context.space.geometry());
        let mut fixed = space.fixed.clone();
        let mut free = space.free.iter();
        // Missing values are written into the blanks in order, and shuffled when a board is drawn.
        for value in values_of(geometry.all_values()) {
            let given = space.fixed.iter().filter(|given| **given == value).count();
            for cell in free.by_ref().take(geometry.side() - given) {
                fixed[*cell] = value;
            }
        }
        Ok(Self { fixed, free: space.free.clone() })
    }
}

impl EncodingOperator for BoardPermutation {
    fn initialise(&self, board: &mut [u8], draws: &mut Draws) {
        board.copy_from_slice(&self.fixed);
        for last in (1..self.free.len()).rev() {
            board.swap(self.free[last], self.free[draws.below(last as u32 + 1) as usize]);
        }
    }
}
