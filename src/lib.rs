//! Sudoku boards evolved in very large populations, a whole population scored at once.

pub mod board;
pub mod evolve;
pub mod exact;
pub mod experiment;
pub mod format;
pub mod gpu;
pub mod matching;
pub mod memory;
pub mod named;
pub mod propagate;
pub mod random;
pub mod report;
pub mod score;
pub mod verify;
