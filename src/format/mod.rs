//! Puzzles as text: where they come from, how they are read, and how boards are written.
//!
//! A format is recognised by what the text holds, never by a file's extension. Each format is one
//! file of this folder: it gets a variant of [`Format`], a line in [`sniff`] and one in [`read`].
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

mod duplicates;
mod error;
mod grid;
mod shipped;
mod source;
mod words;
mod write;

pub use duplicates::duplicates;
pub use error::{Fault, FormatError, Spot};
pub use shipped::{Shipped, find, shipped};
pub use source::{InputError, Origin, Source, SourceError, load};
pub use write::{grid, line, marked};

use crate::board::{Geometry, Puzzle};

/// The largest side whose values are single digits: up to it a cell is one character.
pub(crate) const DIGIT_SIDE: usize = 9;

/// How a puzzle is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Characters or numbers in row-major order, with or without frames.
    Grid,
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
}

/// The format of a text, by its content.
pub fn sniff(_text: &str) -> Format {
    Format::Grid
}

/// Reads one puzzle. `name` becomes its name and opens every error's sentence. `shape` fixes the
/// boxes; without it the squarest shape with no more rows than columns is taken.
///
/// # Errors
/// [`FormatError`], which says in one sentence what is wrong and, if anywhere, where.
pub fn read(text: &str, name: &str, shape: Option<Geometry>) -> Result<Reading, FormatError> {
    let format = sniff(text);
    let board = match format {
        Format::Grid => grid::read(text, shape),
    };
    let (geometry, givens) = board.map_err(|fault| FormatError { name: name.to_owned(), fault })?;
    let others = match shape {
        Some(_) => Vec::new(),
        None => Geometry::of_side(geometry.side())
            .into_iter()
            .filter(|other| *other != geometry)
            .collect(),
    };
    Ok(Reading { puzzle: Puzzle { name: name.to_owned(), geometry, givens }, format, others })
}
