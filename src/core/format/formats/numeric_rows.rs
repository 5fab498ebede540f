//! Rows of numbers separated by blanks, 0 for a blank.
//!
//! ```text
//!  0  5 16  0 ...
//! 12  0  0  1 ...
//! ```

use crate::board::{Geometry, Puzzle};
use crate::format::board_text::values;
use crate::format::detect::{Detection, DetectionHead};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::shape::is_board;

/// Rows of numbers.
pub(super) struct NumericRows;

impl PuzzleFormat for NumericRows {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        let side = head.rows.first()?.tokens;
        let rows = side > 1 && is_board(side * side);
        let same = head.rows.iter().all(|row| row.tokens == side && !row.barred);
        (rows && same).then(|| Detection::rows(head))
    }

    fn refuses(&self, _shape: Geometry) -> Option<&'static str> {
        None
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        let side = puzzle.geometry.side();
        let digits = side.to_string().len();
        let cells: Vec<String> = values(puzzle.geometry, &puzzle.givens)
            .map(|value| format!("{value:>digits$}"))
            .collect();
        cells.chunks(side).map(|row| row.join(" ") + "\n").collect()
    }
}
