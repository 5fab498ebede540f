//! Puzzles as text of any format, one after the other.
//!
//! Lists have a line for each puzzle; in other formats an empty line separates two puzzles, which
//! the reader of this program accepts. The programs from which `.sdk` and `.ss` come
//! read a file's first puzzle.
//!
//! ```
//! use evodoku::format::{self, Format, PuzzleWriter};
//!
//! let puzzle = format::read("1234 34.. 2143 432.", "small", None)?;
//! let mut writer = PuzzleWriter::new(Format::Sdm);
//! let text = writer.write(&puzzle)? + writer.end();
//! assert_eq!(text, "1234340021434320\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use thiserror::Error;

use super::{Format, ParsedPuzzle};
use crate::board::Geometry;

/// A board that a format cannot express.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {format} holds only {holds}, but this board has boxes of {shape}")]
pub struct WriteError {
    /// The puzzle.
    pub name: String,
    /// The format.
    pub format: Format,
    /// The boards that it holds.
    pub holds: &'static str,
    /// The puzzle's boxes.
    pub shape: Geometry,
}

/// Writes puzzles in one format.
#[derive(Clone, Debug)]
pub struct PuzzleWriter {
    format: Format,
    /// Whether a puzzle was written.
    begun: bool,
}

impl PuzzleWriter {
    /// Nothing is written yet.
    pub fn new(format: Format) -> Self {
        Self { format, begun: false }
    }

    /// The text of the next puzzle, with the separator from the one before. It ends in a
    /// line feed. Names are not written; remarks are in [`Format::Sdk`].
    ///
    /// # Errors
    /// [`WriteError`] when the format does not support boards of this shape.
    pub fn write(&mut self, reading: &ParsedPuzzle) -> Result<String, WriteError> {
        let puzzle = &reading.puzzle;
        let shape = puzzle.geometry;
        if let Some(holds) = self.format.refuses(shape) {
            let name = puzzle.name.clone();
            return Err(WriteError { name, format: self.format, holds, shape });
        }
        let [first, between, _] = self.format.around();
        let before = if self.begun { between } else { first };
        self.begun = true;
        Ok(before.to_owned() + &self.format.write(puzzle, &reading.tags))
    }

    /// The text after the last puzzle.
    pub fn end(&self) -> &'static str {
        if self.begun { self.format.around()[2] } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{BLANK, Puzzle};
    use crate::format::{Options, PuzzleReader};

    fn shape() -> impl Strategy<Value = Geometry> {
        let shapes = ["2x2", "2x3", "3x2", "3x3", "2x4", "2x5", "3x4", "4x4", "5x5", "6x6", "8x8"];
        prop::sample::select(shapes.to_vec()).prop_map(|shape| shape.parse().unwrap())
    }

    fn board(geometry: Geometry) -> impl Strategy<Value = Vec<u8>> {
        let value = 1..=geometry.side() as u8;
        let mixed = prop_oneof![Just(BLANK), value.clone()];
        prop_oneof![
            prop::collection::vec(value, geometry.cells()),
            prop::collection::vec(mixed, geometry.cells()),
            // So few values that a row of 16 could be a board of 4x4.
            prop::collection::vec(0u8..=1, geometry.cells()),
        ]
    }

    fn tag() -> impl Strategy<Value = String> {
        "[ADCBSLU][!-~][ -~]{0,12}[!-~]"
    }

    fn boards(count: usize) -> impl Strategy<Value = (Geometry, Vec<ParsedPuzzle>)> {
        shape().prop_flat_map(move |geometry| {
            let tags = prop::collection::vec(tag(), 0..3);
            let reading = (board(geometry), tags).prop_map(move |(givens, tags)| ParsedPuzzle {
                puzzle: Puzzle { name: "some".to_owned(), geometry, givens },
                others: Vec::new(),
                tags,
            });
            (Just(geometry), prop::collection::vec(reading, 1..=count))
        })
    }

    fn written(format: Format, readings: &[ParsedPuzzle]) -> Result<String, WriteError> {
        let mut writer = PuzzleWriter::new(format);
        let texts: Result<String, _> = readings.iter().map(|one| writer.write(one)).collect();
        Ok(texts? + writer.end())
    }

    fn read_back(text: &str, options: &Options) -> Vec<ParsedPuzzle> {
        let puzzles = PuzzleReader::new(text.as_bytes(), "some", "some", options);
        puzzles.map(|reading| reading.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
    }

    proptest! {
        #[test]
        fn every_format_comes_back((geometry, readings) in boards(3)) {
            let options = Options { shape: Some(geometry), ..Options::default() };
            for format in Format::ALL {
                let Ok(text) = written(*format, &readings) else {
                    prop_assert!(format.refuses(geometry).is_some());
                    continue;
                };
                let back = read_back(&text, &options);
                prop_assert_eq!(back.len(), readings.len(), "{}", text);
                for (back, reading) in back.iter().zip(&readings) {
                    prop_assert_eq!(back.puzzle.geometry, geometry);
                    prop_assert_eq!(&back.puzzle.givens, &reading.puzzle.givens, "{}", text);
                    if *format == Format::Sdk {
                        prop_assert_eq!(&back.tags, &reading.tags);
                    }
                }
            }
        }

        #[test]
        fn the_shape_comes_back((geometry, readings) in boards(3)) {
            for format in Format::ALL {
                let Ok(text) = written(*format, &readings) else { continue };
                let back = read_back(&text, &Options::default());
                prop_assert_eq!(back.len(), readings.len(), "{}", text);
                for (back, reading) in back.iter().zip(&readings) {
                    prop_assert_eq!(back.puzzle.geometry, geometry, "{}", text);
                    prop_assert_eq!(&back.puzzle.givens, &reading.puzzle.givens, "{}", text);
                }
            }
        }

        #[test]
        fn characters_of_an_alphabet_come_back(cells in board("4x4".parse().unwrap()), lines: bool) {
            let options =
                Options { alphabet: "0123456789ABCDEF".parse().ok(), ..Options::default() };
            let text: String = cells
                .iter()
                .enumerate()
                .map(|(cell, value)| {
                    let end = if lines && cell % 16 == 15 { "\n" } else { "" };
                    let digit = value.checked_sub(1).map_or('.', |v| b"0123456789ABCDEF"[v as usize].into());
                    format!("{digit}{end}")
                })
                .collect();
            let two = format!("{text}\n{text}\n");
            for (text, count) in [(&text, 1), (&two, 2)] {
                let back = read_back(text, &options);
                prop_assert_eq!(back.len(), count);
                prop_assert!(back.iter().all(|back| back.puzzle.givens == cells));
            }
        }
    }

    #[test]
    fn boards_that_a_format_cannot_express_are_refused() {
        let reading = |shape: &str| ParsedPuzzle {
            puzzle: Puzzle::blank(shape.parse().unwrap()),
            others: Vec::new(),
            tags: Vec::new(),
        };
        let sentence = |format, shape| {
            PuzzleWriter::new(format).write(&reading(shape)).unwrap_err().to_string()
        };
        assert_eq!(
            sentence(Format::Sdm, "4x4"),
            "blank-4x4: sdm holds only boards up to side 9, but this board has boxes of 4x4"
        );
        assert_eq!(
            sentence(Format::LloydAmos, "2x3"),
            "blank-2x3: lloyd-amos holds only boards with square boxes, but this board has boxes of 2x3"
        );
        assert_eq!(
            sentence(Format::OpenSudoku, "2x2"),
            "blank-2x2: opensudoku holds only 9x9 boards with boxes of 3x3, but this board has boxes of 2x2"
        );
    }
}
