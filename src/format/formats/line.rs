//! One puzzle a line: characters with `.` for a blank up to side 9, above it numbers.
//!
//! ```text
//! 12..34..2143432.
//! ```
//!
//! A list of lines that are one word each is [`Sdm`](super::sdm).

use crate::board::Puzzle;
use crate::format::head::Head;
use crate::format::piece::EachLine;
use crate::format::puzzle_format::{Around, PuzzleFormat, Recognised};
use crate::format::{Tag, line};

/// A puzzle on a line.
pub(super) struct PlainLine;

impl PuzzleFormat for PlainLine {
    fn recognise(&self, head: &Head) -> Option<Recognised> {
        if head.is_list() {
            return (!head.has_single_words()).then(|| Recognised::by_layout(EachLine));
        }
        (head.rows().len() == 1).then(|| Recognised::rows(head))
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[Tag]) -> String {
        line(puzzle.geometry, &puzzle.givens) + "\n"
    }

    fn around(&self) -> Around {
        Around::NOTHING
    }
}
