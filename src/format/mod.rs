//! Puzzles as text: where they come from, how they are read, and how boards are written.
//!
//! A format is recognised by what the text holds, never by a file's extension. Each format is one
//! line in [`Format`] and one file, which says how its texts are told from others, cut into pieces,
//! one a puzzle, read and written. A text is read line by line, and no more of it is kept than one
//! puzzle takes.
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
mod cells;
mod dashes;
mod drawn;
mod duplicates;
mod error;
mod fields;
mod formats;
mod head;
mod input_error;
mod lines;
mod options;
mod piece;
mod pieces;
mod puzzle_format;
mod puzzles;
mod reading;
mod row;
mod shipped;
mod source;
mod text;
mod uneven;
mod words;
mod write;
mod writer;

pub use alphabet::{Alphabet, AlphabetError};
pub use duplicates::duplicates;
pub use error::{Fault, FormatError, Spot, Which};
pub use formats::Format;
pub use input_error::{InputError, SourceError};
pub use options::Options;
pub use piece::Tag;
pub use puzzles::Puzzles;
pub use reading::Reading;
pub use shipped::{Shipped, find, shipped};
pub use source::{Origin, TextSource, load, load_with, open, read};
pub use uneven::Lines;
pub use write::{grid, grid_in, line, line_in, marked, marked_in};
pub use writer::{WriteError, Writer};

/// The largest side whose values are single digits: up to it a cell is one character.
const DIGIT_SIDE: usize = 9;
