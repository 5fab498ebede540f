//! Any bytes as puzzles: they are read or refused, whatever format they are taken for, and what was
//! read is read again from each format that it is written in.

use evodoku::format::{Format, Options, ParsedPuzzle, PuzzleReader, PuzzleWriter};

/// Puzzles of a list that are looked at.
const MOST: usize = 50;

pub fn attack(data: &[u8]) {
    let mut readings: Vec<ParsedPuzzle> = Vec::new();
    for reading in PuzzleReader::new(data, "attack", "attack", &Options::default()).take(MOST) {
        match reading {
            Ok(reading) => readings.push(reading),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for reading in &readings {
        assert_eq!(reading.puzzle.check(), Ok(()));
        let shape = Some(reading.puzzle.geometry);
        for format in Format::ALL {
            let mut writer = PuzzleWriter::new(*format);
            let Ok(text) = writer.write(reading) else { continue };
            let text = text + writer.end();
            let options = Options { shape, ..Options::default() };
            let again = PuzzleReader::new(text.as_bytes(), "again", "again", &options).one();
            let again = again.unwrap_or_else(|error| panic!("{error}, as {format}:\n{text}"));
            assert_eq!(again.puzzle.givens, reading.puzzle.givens, "as {format}:\n{text}");
        }
    }
}
