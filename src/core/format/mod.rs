//! Puzzles as text: reading and writing. `src/format/mod.rs` of evodoku has an example.

// Reading has stages. A file imports from those before it; `tokens` also names the alphabet, and `shape` the rows of
// `layout`, which asks it what a side is:
//
// | file | from | to |
// | --- | --- | --- |
// | `text` | bytes | lines |
// | `tokens` | a line | cells, under an assumption of what parts them |
// | `layout` | lines | rows, by the assumptions that all lines fit |
// | `shape` | rows | side and boxes |
// | `alphabet`, `values` | cells | values |
// | `parse`, `diagnosis` | the lines of one puzzle | its board, or the error |
// | `text_record`, `nested`, `opensudoku`, `table`, `blocks`, `records` | lines | parts with one puzzle each |
// | `puzzle_reader` | a text | puzzles |

use crate::board::MIN_SIDE;

mod alphabet;
mod blocks;
mod board_text;
mod diagnosis;
mod error;
mod file_format;
mod layout;
mod nested;
mod opensudoku;
mod parse;
mod puzzle_reader;
mod puzzle_writer;
mod records;
mod shape;
mod table;
mod text;
mod text_record;
mod tokens;
mod values;

pub use alphabet::{Alphabet, AlphabetError};
pub use board_text::{duplicates, grid, grid_in, line, line_in, marked, shape_comment};
pub use error::{FormatError, InputError, ParseError, TextPosition};
pub use file_format::Format;
pub use parse::Options;
pub use puzzle_reader::{ParsedPuzzle, PuzzleReader, read};
pub use puzzle_writer::{PuzzleWriter, WriteError};
pub use text::to_ascii;

/// The cells of the smallest board.
const FEWEST_CELLS: usize = MIN_SIDE * MIN_SIDE;
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
