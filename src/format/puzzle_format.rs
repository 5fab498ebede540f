//! What a format is: how its texts are told from others, cut into puzzles, read and written.
//!
//! Most formats differ in how they are recognised and written alone; the rest has its usual answer
//! here. A text is tried in every format: marks that no other format uses tell more than how the
//! cells are laid out, and of two that tell the same the first in [`Format`](super::Format) counts.

use super::detection_head::DetectionHead;
use super::record::{PerBlock, RecordSplitter};
use super::record_reader::Parser;
use super::{Options, ParseError, Tag, alphabet, grid_parser};
use crate::board::{Geometry, Puzzle};

/// A format for puzzles.
pub(super) trait PuzzleFormat: Sync {
    /// Whether a text of lines that starts so is of this format, and what cuts it.
    fn recognise(&self, _head: &DetectionHead) -> Option<Detection> {
        None
    }

    /// What reads its texts, where they are not made of lines.
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

    /// Whether a text says which boxes its board has.
    fn tells_shape(&self) -> bool {
        false
    }

    /// The boards that it holds, in words, unless it holds this one.
    fn refuses(&self, _shape: Geometry) -> Option<&'static str> {
        None
    }

    /// The text of one puzzle, which it holds; it ends in a line feed.
    fn write(&self, puzzle: &Puzzle, tags: &[Tag]) -> String;

    /// What stands before, between and after the puzzles of a text.
    fn around(&self) -> Delimiters {
        Delimiters { before: "", between: "\n", after: "" }
    }
}

/// What stands around the puzzles of a text.
pub(super) struct Delimiters {
    /// Before the first.
    pub before: &'static str,
    /// Between two.
    pub between: &'static str,
    /// After the last.
    pub after: &'static str,
}

impl Delimiters {
    /// Nothing: each puzzle says where it ends.
    pub const NOTHING: Self = Self { before: "", between: "", after: "" };
}

/// A text of some format.
pub(super) struct Detection {
    /// By what.
    pub by: Confidence,
    /// What cuts it into puzzles.
    pub cut: Box<dyn RecordSplitter>,
}

/// What a text is recognised by; the later, the surer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Confidence {
    /// How the cells are laid out.
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
