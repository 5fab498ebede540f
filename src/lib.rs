//! Sudoku boards evolved in very large populations, a whole population scored at once.

pub mod board;
pub mod format;
pub mod random;
pub mod score;
pub mod verify;
