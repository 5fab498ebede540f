//! `.sdm`: a collection, one puzzle a line, one character a cell, 0 for a blank.
//!
//! ```text
//! 1200340021434320
//! 0000430021430020
//! ```

use crate::board::Puzzle;
use crate::format::board_text::rows;
use crate::format::detect::{Detection, DetectionHead};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::PerLine;

/// A collection.
pub(super) struct Sdm;

impl PuzzleFormat for Sdm {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        let list = head.is_list && head.has_single_tokens();
        list.then(|| Detection::by_layout(PerLine))
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        rows(puzzle.geometry, &puzzle.givens).replace('\n', "").replace('.', "0") + "\n"
    }

    fn around(&self) -> [&'static str; 3] {
        [""; 3]
    }
}
