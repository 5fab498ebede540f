//! Sudoku boards evolved in very large populations, a whole population scored at once.

pub mod board;
pub mod gpu;
pub mod random;
pub mod score;
