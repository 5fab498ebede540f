//! Any candidate in any blank, each cell on its own.
//!
//! Without presolve every value is a candidate. Nothing but the givens is kept by construction.
//!
//! Source: document 002 of the project; direct or integer encoding in the literature.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::EncodingOperator;
use crate::matching::value_at;
use crate::random::Draws;

/// Independent cells.
#[derive(Clone, Debug)]
pub struct Cells {
    fixed: Vec<u8>,
    free: Vec<usize>,
    candidates: Vec<u64>,
}

impl Build for Cells {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let space = setting.space;
        Ok(Self {
            fixed: space.fixed.clone(),
            free: space.free.clone(),
            candidates: space.candidates.clone(),
        })
    }
}

impl Cells {
    /// Gives a blank a random candidate, possibly the one it holds.
    #[inline]
    pub fn redraw(&self, cell: usize, board: &mut [u8], draws: &mut Draws) {
        let candidates = self.candidates[cell];
        board[cell] = value_at(candidates, draws.below(candidates.count_ones()));
    }

    /// The blanks, ascending.
    pub fn free(&self) -> &[usize] {
        &self.free
    }
}

impl EncodingOperator for Cells {
    fn initialise(&self, board: &mut [u8], draws: &mut Draws) {
        board.copy_from_slice(&self.fixed);
        for cell in &self.free {
            self.redraw(*cell, board, draws);
        }
    }
}
