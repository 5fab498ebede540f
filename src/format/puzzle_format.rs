//! The trait of a format: how its texts are recognised, split into puzzles, read and written.
//!
//! Most formats differ only in how they are recognised and written; the other methods have defaults.
//! A text is tried in every format: marks that no other format uses are stronger evidence than the layout of the
//! cells, and of two with equal evidence the first in [`Format`](super::Format) is chosen.

use super::detection_head::DetectionHead;
use super::record::{PerBlock, RecordSplitter};
use super::record_reader::Parser;
use super::{Options, ParseError, Tag, alphabet, grid_parser};
use crate::board::{Geometry, Puzzle};

/// A format for puzzles.
pub(super) trait PuzzleFormat: Sync {
    /// Whether a text of lines with this start is of this format, and its splitter.
    fn recognise(&self, _head: &DetectionHead) -> Option<Detection> {
        None
    }

    /// The parser of its texts, if they are not made of lines.
    fn parser(&self) -> Option<Parser> {
        None
    }

    /// The board of one puzzle's text.
    fn read(&self, text: &str, options: &Options) -> Result<(Geometry, Vec<u8>), ParseError> {
        match &options.alphabet {
            Some(alphabet) => alphabet::read(text, alphabet, options.shape),
            None => {
                grid_parser::read(text, options.shape).map_err(|fault| alphabet::asked(text, fault))
            }
        }
    }

    /// Whether a text states the boxes of its board.
    fn tells_shape(&self) -> bool {
        false
    }

    /// The boards that it supports, in words, unless it supports this one.
    fn refuses(&self, _shape: Geometry) -> Option<&'static str> {
        None
    }

    /// The text of one puzzle of a supported shape; it ends in a line feed.
    fn write(&self, puzzle: &Puzzle, tags: &[Tag]) -> String;

    /// The text before, between and after puzzles.
    fn around(&self) -> Delimiters {
        Delimiters { before: "", between: "\n", after: "" }
    }
}

/// Text around the puzzles of a file.
pub(super) struct Delimiters {
    /// Before the first puzzle.
    pub before: &'static str,
    /// Between two puzzles.
    pub between: &'static str,
    /// After the last puzzle.
    pub after: &'static str,
}

impl Delimiters {
    /// No text: each puzzle ends by itself.
    pub const NOTHING: Self = Self { before: "", between: "", after: "" };
}

/// A text of some format.
pub(super) struct Detection {
    /// The evidence for the format.
    pub by: Confidence,
    /// What splits it into puzzles.
    pub cut: Box<dyn RecordSplitter>,
}

/// The evidence for a format, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Confidence {
    /// The layout of the cells.
    Layout,
    /// Marks that no other format uses.
    Marks,
}

impl Detection {
    /// By marks that no other format uses.
    pub fn by_marks(cut: impl RecordSplitter + 'static) -> Self {
        Self { by: Confidence::Marks, cut: Box::new(cut) }
    }

    /// By how the cells are laid out.
    pub fn by_layout(cut: impl RecordSplitter + 'static) -> Self {
        Self { by: Confidence::Layout, cut: Box::new(cut) }
    }

    /// As rows of cells, which have no marks of their own.
    pub fn rows(head: &DetectionHead) -> Self {
        Self::by_layout(PerBlock::new(!head.is_of_blocks()))
    }
}

/// The refusal of boards above side 9, whose values take more than a character.
pub(super) fn refused_above_digits(shape: Geometry) -> Option<&'static str> {
    (shape.side() > super::DIGIT_SIDE).then_some("boards up to side 9")
}
