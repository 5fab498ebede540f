//! What one puzzle's text was read as.

use super::{Format, Tag};
use crate::board::{Geometry, Puzzle};

/// A puzzle that was read, and what was not certain about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The format that was recognised.
    pub format: Format,
    /// Other box shapes that the cell count allows, when none was asked for.
    pub others: Vec<Geometry>,
    /// Remarks that stand beside it.
    pub tags: Vec<Tag>,
}
