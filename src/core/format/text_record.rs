//! The lines of one puzzle, and what they are at a glance.

use std::slice;

use super::parse::{Options, parse};
use super::shape::is_board;
use super::text::{TextLine, content};
use super::tokens::is_bar;
use super::{FEWEST_CELLS, ParseError};
use crate::board::MAX_SIDE;

/// The lines of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextRecord {
    /// The lines, or the error instead of them.
    pub lines: Result<Vec<TextLine>, ParseError>,
    /// The puzzle's remarks.
    pub tags: Vec<String>,
    /// Whether it is one line of a list.
    pub listed: bool,
}

impl TextRecord {
    pub fn of(lines: Result<Vec<TextLine>, ParseError>) -> Self {
        Self { lines, tags: Vec::new(), listed: false }
    }
}

/// Whether a line alone shows that it is one of a list.
pub(super) fn is_plain_puzzle(line: &TextLine, options: &Options) -> bool {
    let text = content(&line.text).trim();
    let cells = text.chars().count();
    let fits = match (&options.alphabet, options.shape) {
        (Some(alphabet), _) => cells == alphabet.side().pow(2),
        (None, Some(shape)) => cells == shape.cells(),
        (None, None) => cells >= FEWEST_CELLS,
    };
    fits && (options.alphabet.is_some() || text.bytes().all(|c| c == b'.' || c.is_ascii_digit()))
        && parse(slice::from_ref(line), options).is_ok()
}

/// Whether lines are a board without duplicates.
pub(super) fn is_consistent(lines: &[TextLine], options: &Options) -> bool {
    parse(lines, options).is_ok_and(|board| board.is_consistent())
}

/// Whether a line is a whole board.
pub(super) fn is_whole(line: &TextLine, options: &Options) -> bool {
    let text = content(&line.text);
    // With a slip, or in letters whose values nobody named.
    let word = text.trim();
    let is_word = || {
        let is_cell = |c: char| options.symbols().is_cell(c);
        word.len() > MAX_SIDE && is_board(word.chars().count()) && word.chars().all(is_cell)
    };
    text.len() >= FEWEST_CELLS
        && !text.contains(is_bar)
        && (parse(slice::from_ref(line), options).is_ok() || is_word())
}
