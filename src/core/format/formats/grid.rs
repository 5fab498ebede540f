//! Grid text: rows with the boxes framed, `.` for a blank.
//!
//! ```text
//! 1 2 | . 4
//! 3 4 | 1 .
//! ----+----
//! . . | . .
//! 2 . | . 1
//! ```
//!
//! Any text of cells that no other format recognises is read as grid text.

use crate::board::{Geometry, Puzzle};
use crate::format::grid;
use crate::format::puzzle_format::PuzzleFormat;

/// Rows with framed boxes.
pub(super) struct Grid;

impl PuzzleFormat for Grid {
    fn refuses(&self, _shape: Geometry) -> Option<&'static str> {
        None
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        grid(puzzle.geometry, &puzzle.givens)
    }
}
