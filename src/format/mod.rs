//! Puzzles as text: where they come from, how they are read, and how boards are written.
//!
//! A format is recognised by what the text holds, never by a file's extension. Each format is one
//! file of this folder: it gets a variant of [`Format`], a line in `sniff.rs`, and one each in
//! `puzzles.rs` and `writer.rs`. A text is read line by line and cut into pieces, one a puzzle.
//!
//! ```
//! use evodoku::format;
//!
//! let puzzle = format::read("1234 34.. 2143 432.", "small", None)?.puzzle;
//! assert_eq!((puzzle.geometry.side(), puzzle.given_count()), (4, 13));
//! assert_eq!(format::line(puzzle.geometry, &puzzle.givens), "123434..2143432.");
//!
//! let short = format::read("1234 34.. 2143 432", "short", None).unwrap_err();
//! assert_eq!(short.to_string(), "short: 15 cells; the nearest board is 4x4 with 16 cells");
//! # Ok::<(), format::FormatError>(())
//! ```

mod alphabet;
mod duplicates;
mod error;
mod grid;
mod lines;
mod lloyd_amos;
mod opensudoku;
mod piece;
mod puzzles;
mod sdk;
mod shipped;
mod simple_sudoku;
mod sniff;
mod source;
mod text;
mod words;
mod write;
mod writer;

pub use alphabet::{Alphabet, AlphabetError};
pub use duplicates::duplicates;
pub use error::{Fault, FormatError, Spot, Which};
pub use piece::Tag;
pub use puzzles::Puzzles;
pub use shipped::{Shipped, find, shipped};
pub use source::{InputError, Origin, Source, SourceError, load, load_with, open};
pub use write::{grid, line, marked};
pub use writer::{WriteError, Writer};

use crate::board::{Geometry, Puzzle};
use crate::named::named;

/// The largest side whose values are single digits: up to it a cell is one character.
pub(crate) const DIGIT_SIDE: usize = 9;

named! {
    /// How puzzles are written.
    pub enum Format {
        /// One puzzle a line: characters with . for a blank up to side 9, above it numbers.
        Line = "line",
        /// A collection: one puzzle a line, one character a cell, 0 for a blank.
        Sdm = "sdm",
        /// SadMan Sudoku and SudoCue: rows under [Puzzle], after remarks that open with #.
        Sdk = "sdk",
        /// Simple Sudoku: rows in frames.
        SimpleSudoku = "ss",
        /// Rows with the boxes framed, . for a blank.
        Grid = "grid",
        /// Rows of numbers separated by blanks, 0 for a blank.
        Spaced = "spaced",
        /// Lloyd and Amos: the order, a number, and the cells as numbers, -1 for a blank.
        LloydAmos = "lloyd-amos",
        /// OpenSudoku: XML with 81 digits a game, 0 for a blank.
        OpenSudoku = "opensudoku",
    }
}

/// What a text does not say about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The boxes; without it the squarest shape with no more rows than columns is taken.
    pub shape: Option<Geometry>,
    /// What each character stands for, where one character is a cell.
    pub alphabet: Option<Alphabet>,
}

/// A puzzle that was read, and what was not certain about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The format that was recognised.
    pub format: Format,
    /// Other box shapes that the cell count allows, when none was asked for.
    pub others: Vec<Geometry>,
    /// Remarks that stand beside it.
    pub tags: Vec<Tag>,
}

/// Reads one puzzle. `name` becomes its name and opens every error's sentence. `shape` fixes the
/// boxes; without it the squarest shape with no more rows than columns is taken.
///
/// # Errors
/// [`FormatError`], which says in one sentence what is wrong and, if anywhere, where; also when
/// the text holds several puzzles.
pub fn read(text: &str, name: &str, shape: Option<Geometry>) -> Result<Reading, FormatError> {
    let options = Options { shape, ..Options::default() };
    Puzzles::new(text.as_bytes(), name, name, &options).one().map_err(|error| match error {
        InputError::Format(error) => error,
        InputError::Source(error) => unreachable!("a text in memory was not read: {error}"),
    })
}
