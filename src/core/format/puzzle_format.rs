//! The trait of a format: how its texts are recognised, split into puzzles, read and written.
//!
//! Most formats differ only in how they are recognised and written; the other methods have defaults.
//! A text is tried in every format: marks that no other format uses are stronger evidence than the layout of the
//! cells, and of two with equal evidence the first in [`Format`](super::Format) is chosen.

use super::detect::{Detection, DetectionHead};
use super::grid_parser::{self, ParseResult};
use super::{DIGIT_SIDE, Options, TextPosition};
use crate::board::{Geometry, Puzzle};

/// A format for puzzles.
pub(super) trait PuzzleFormat: Sync {
    /// Whether a text with this start is of this format, and its splitter.
    fn recognise(&self, _head: &DetectionHead) -> Option<Detection> {
        None
    }

    /// The board of one puzzle's text, which starts at `start`.
    fn read(&self, text: &str, start: TextPosition, options: &Options) -> ParseResult {
        grid_parser::read(text, start, options)
    }

    /// Whether a text states the boxes of its board.
    fn tells_shape(&self) -> bool {
        false
    }

    /// The boards that it supports, in words, unless it supports this one. Values above 9 take more than a
    /// character.
    fn refuses(&self, shape: Geometry) -> Option<&'static str> {
        (shape.side() > DIGIT_SIDE).then_some("boards up to side 9")
    }

    /// The text of one puzzle of a supported shape; it ends in a line feed.
    fn write(&self, puzzle: &Puzzle, tags: &[String]) -> String;

    /// The text before the first puzzle, between two, and after the last.
    fn around(&self) -> [&'static str; 3] {
        ["", "\n", ""]
    }
}
