//! Puzzles as text: their sources, reading and writing.
//!
//! A format is recognised by the content of a text, never by a file's extension. Each format is one
//! line in [`Format`] and one file, which defines how its texts are recognised, split into puzzles,
//! read and written. A text is read line by line, and no more of it is kept in memory than one
//! puzzle needs.
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
mod board_text;
mod box_inference;
mod bundled;
mod conflicts;
mod dash_blanks;
mod delimited;
mod detect;
mod detection_head;
mod error;
mod formats;
mod grid_parser;
mod input_error;
mod line_lengths;
mod line_reader;
mod line_stats;
mod options;
mod parsed_puzzle;
mod puzzle_format;
mod puzzle_reader;
mod puzzle_writer;
mod record;
mod record_reader;
mod source;
mod tokenizer;

pub use alphabet::{Alphabet, AlphabetError};
pub use board_text::{grid, grid_in, line, line_in, marked, marked_in};
pub use bundled::{BundledPuzzle, find, shipped};
pub use conflicts::duplicates;
pub use error::{FormatError, ParseError, PuzzleIndex, TextPosition};
pub use formats::Format;
pub use input_error::{InputError, SourceError};
pub use line_lengths::LineLengths;
pub use options::Options;
pub use parsed_puzzle::ParsedPuzzle;
pub use puzzle_reader::PuzzleReader;
pub use puzzle_writer::{PuzzleWriter, WriteError};
pub use record::Tag;
pub use source::{Origin, TextSource, load, load_with, open, read};

/// The largest side whose values are single digits: up to it a cell is one character.
const DIGIT_SIDE: usize = 9;
