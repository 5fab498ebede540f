//! One puzzle a line: characters with `.` for a blank up to side 9, above it numbers.
//!
//! ```text
//! 12..34..2143432.
//! ```
//!
//! A list of lines that are one token each is [`Sdm`](super::sdm).

use crate::board::{Geometry, Puzzle};
use crate::format::detect::{Detection, DetectionHead};
use crate::format::line;
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::PerLine;

/// A puzzle on a line.
pub(super) struct PlainLine;

impl PuzzleFormat for PlainLine {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        if head.is_list {
            return (!head.has_single_tokens()).then(|| Detection::by_layout(PerLine));
        }
        (head.rows.len() == 1).then(|| Detection::rows(head))
    }

    fn refuses(&self, _shape: Geometry) -> Option<&'static str> {
        None
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        line(puzzle.geometry, &puzzle.givens) + "\n"
    }

    fn around(&self) -> [&'static str; 3] {
        [""; 3]
    }
}
