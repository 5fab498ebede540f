//! Puzzles as text: reading and writing. `src/format/mod.rs` of evodoku has an example.

// Reading has stages, each a file that imports only from those before it:
//
// | file | from | to |
// | --- | --- | --- |
// | `text` | bytes | lines |
// | `tokens` | lines | digits and numbers with their positions |
// | `layout` | rows | blanks that only all rows together show |
// | `shape` | the number of cells, bars and frames | side and boxes |
// | `alphabet`, `grid_parser` | tokens or characters | values |
// | `records` | lines | parts with one puzzle each |
// | `detect`, `formats` | the first lines | the format, which splits and reads the parts |
// | `puzzle_reader` | a text | puzzles |

mod alphabet;
mod board_text;
mod detect;
mod error;
mod formats;
mod grid_parser;
mod layout;
mod puzzle_format;
mod puzzle_reader;
mod puzzle_writer;
mod records;
mod shape;
mod text;
mod tokens;

pub use alphabet::{Alphabet, AlphabetError};
pub use board_text::{duplicates, grid, grid_in, line, line_in, marked};
pub use error::{FormatError, InputError, ParseError, TextPosition};
pub use formats::Format;
pub use grid_parser::Options;
pub use puzzle_reader::{ParsedPuzzle, PuzzleReader, read};
pub use puzzle_writer::{PuzzleWriter, WriteError};
#[doc(hidden)]
pub use tokens::is_grid;

/// The largest side whose values are single digits: up to it a cell is one character.
const DIGIT_SIDE: usize = 9;

#[cfg(test)]
pub(crate) use tests::shipped;

#[cfg(test)]
mod tests {
    /// The puzzles of `puzzles/`, for tests of the core, which cannot use `evodoku::format::load`.
    pub(crate) mod shipped {
        use std::fs;
        use std::path::PathBuf;

        use crate::board::Puzzle;
        use crate::format::read;

        /// The puzzles of a group, by name.
        pub fn group(name: &str) -> Vec<Puzzle> {
            let folder =
                PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles")).join(name);
            let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let texts = files.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
            let read = |path: PathBuf| {
                let name = path.file_stem().unwrap().to_str().unwrap();
                read(&fs::read_to_string(&path).unwrap(), name, None).unwrap().puzzle
            };
            texts.map(read).collect()
        }

        /// The puzzle of this name.
        pub fn puzzle(name: &str) -> Puzzle {
            let mut all = ["documents", "hard", "large"].into_iter().flat_map(group);
            all.find(|puzzle| puzzle.name == name).unwrap()
        }
    }
}
