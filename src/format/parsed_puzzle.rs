//! A puzzle as it was read.

use super::{Format, Tag};
use crate::board::{Geometry, Puzzle};

/// A puzzle that was read, with its format and ambiguities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The format that was recognised.
    pub format: Format,
    /// Other box shapes that the number of cells allows, if none was requested.
    pub others: Vec<Geometry>,
    /// Remarks from the text.
    pub tags: Vec<Tag>,
}
