//! OpenSudoku's XML: several games, each with the 81 digits of its puzzle.
//!
//! ```xml
//! <opensudoku>
//!   <game data="530070000600195000098000060800060003400803001700020006060000280000419005000080079" />
//! </opensudoku>
//! ```
//!
//! A game's other attributes and the file's other elements are not read. Source: the import and
//! export of OpenSudoku, <https://opensudoku.moire.org>.

use std::io::{self, BufRead, Read};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

use crate::board::{Geometry, Puzzle};
use crate::format::grid_parser::{ParseResult, read_digits};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{Parser, RecordReader, TextRecord};
use crate::format::text::{ByteReader, MAX_BYTES, ReadError};
use crate::format::{Options, ParseError, Tag, TextPosition};
use crate::util::sanitize::line;

/// A file of games.
pub(super) struct OpenSudoku;

impl PuzzleFormat for OpenSudoku {
    fn parser(&self) -> Option<Parser> {
        Some(Parser {
            first: b'<',
            records: |reader| {
                let reader = PositionReader { reader, at: TextPosition::START, since: 0 };
                let reader = Reader::from_reader(reader);
                Box::new(Games { reader, buffer: Vec::new(), rooted: false, depth: 0 })
            },
        })
    }

    fn read(&self, data: &str, start: TextPosition, options: &Options) -> ParseResult {
        // The program supports no other board.
        read_digits(data, start, options.shape.or(Geometry::new(3, 3).ok()))
    }

    fn tells_shape(&self) -> bool {
        true
    }

    fn refuses(&self, shape: Geometry) -> Option<&'static str> {
        let holds = (shape.box_rows(), shape.box_cols()) == (3, 3);
        (!holds).then_some("9x9 boards with boxes of 3x3")
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[Tag]) -> String {
        let data: String = puzzle.givens.iter().map(u8::to_string).collect();
        format!("  <game data=\"{data}\" />\n")
    }

    fn around(&self) -> [&'static str; 3] {
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<opensudoku>\n",
            "",
            "</opensudoku>\n",
        ]
    }
}

/// The name of the outermost element.
const ROOT: &str = "opensudoku";
/// The number of characters of a name or a problem that an error shows.
const LONGEST: usize = 200;

/// The games of a file, one after the other.
struct Games<'a> {
    reader: Reader<PositionReader<'a>>,
    buffer: Vec<u8>,
    rooted: bool,
    /// Elements that are open.
    depth: usize,
}

impl RecordReader for Games<'_> {
    fn next(&mut self) -> Result<Option<TextRecord>, ReadError> {
        self.reader.get_mut().since = 0;
        loop {
            let at = self.reader.get_ref().at;
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let (tag, opens) = match event.map_err(|error| stop(error, at))? {
                Event::Start(tag) => (tag, true),
                Event::Empty(tag) => (tag, false),
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    continue;
                }
                Event::Eof if self.depth > 0 => {
                    return Err(broken("it ends inside an element", at));
                }
                Event::Eof => return Ok(None),
                _ => continue,
            };
            self.depth += usize::from(opens);
            let name = tag.name().0.to_owned();
            if !self.rooted && name != ROOT {
                let name = line(&name, LONGEST);
                let problem = format!("the first element is <{name}>, not <opensudoku>");
                return Err(ReadError::Parse(ParseError::at(at, problem)));
            }
            self.rooted = true;
            if name == "game" {
                let (text, at) = match data(&tag, at).map_err(|error| stop(error, at))? {
                    Some((text, at)) => (Ok(text), at),
                    None => (Err(ParseError::at(at, "this <game> has no data attribute")), at),
                };
                return Ok(Some(TextRecord { text, at, tags: Vec::new(), listed: false }));
            }
        }
    }
}

/// The value of a tag's `data`, and where it starts.
fn data(tag: &BytesStart<'_>, at: TextPosition) -> Result<Option<(String, TextPosition)>, Error> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(Error::from)?;
        if attribute.key.0 == "data" {
            // The value is a part of the tag's text, which starts after its `<`.
            let start = attribute.value.as_ptr().addr().wrapping_sub(tag.as_ptr().addr());
            let before = tag.get(..start).unwrap_or_default();
            let mut at = TextPosition { column: at.column + 1, ..at };
            before.bytes().for_each(|byte| step(&mut at, byte));
            return Ok(Some((attribute.value.into_owned(), at)));
        }
    }
    Ok(None)
}

fn broken(problem: &str, at: TextPosition) -> ReadError {
    let problem = format!("the XML is broken: {}", line(problem, LONGEST));
    ReadError::Parse(ParseError::at(at, problem))
}

fn stop(error: Error, at: TextPosition) -> ReadError {
    match error {
        Error::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => ReadError::long(),
        Error::Io(error) => ReadError::Io(io::Error::new(error.kind(), error)),
        error => broken(&error.to_string(), at),
    }
}

/// Moves a place past one byte of UTF-8.
fn step(at: &mut TextPosition, byte: u8) {
    match byte {
        b'\n' => *at = TextPosition { line: at.line + 1, column: 1 },
        // Only the first byte of a character counts as a column.
        0x80..=0xbf => {}
        _ => at.column += 1,
    }
}

/// A reader that counts its position.
struct PositionReader<'a> {
    reader: ByteReader<'a>,
    at: TextPosition,
    /// Bytes since a puzzle ended.
    since: u64,
}

impl Read for PositionReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(into.len());
        into[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for PositionReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since > MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        // The bytes consumed were filled before, so this reads nothing.
        if let Ok(bytes) = self.reader.fill_buf() {
            bytes.iter().take(length).for_each(|byte| step(&mut self.at, *byte));
        }
        self.since += length as u64;
        self.reader.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{Options, PuzzleReader};

    fn sentences(text: &str) -> Vec<String> {
        PuzzleReader::new(text.as_bytes(), "games", "games.opensudoku", &Options::default())
            .map(|reading| match reading {
                Ok(reading) => format!("{}: {}", reading.puzzle.name, reading.puzzle.given_count()),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn errors_of_one_game_leave_the_others() {
        let good = "5".to_owned() + &"0".repeat(80);
        let text = format!(
            "<?xml version=\"1.0\"?>\n<opensudoku>\n<name>\u{e9} &amp; x</name>\n<game data=\"{good}\"/>\n\
             <game\n data=\"5y{0}\" note=\"\"></game>\n<game/> <game data=\"53\"/>\n<game data='{good}'/></opensudoku>",
            "0".repeat(79)
        );
        assert_eq!(
            sentences(&text),
            [
                "games#1: 1",
                "games.opensudoku: puzzle 2, line 6 column 9: unknown character 'y'; a blank is . 0 _ * or x",
                "games.opensudoku: puzzle 3, line 7 column 1: this <game> has no data attribute",
                "games.opensudoku: puzzle 4, line 7 column 21: 2 cells, but a board with boxes of 3x3 has 81 cells",
                "games#5: 1",
            ]
        );
    }

    #[test]
    fn errors_of_the_whole_file_are_sentences() {
        for (text, sentence) in [
            ("<opensudoku></opensudoku>", "the text has no cells"),
            (" <html/>", "line 1 column 2: the first element is <html>, not <opensudoku>"),
            ("<opensudoku>\n", "line 2 column 1: the XML is broken: it ends inside an element"),
        ] {
            assert_eq!(sentences(text), [format!("games.opensudoku: {sentence}")]);
        }
        let long = format!("<{}/>", "\u{1b}x".repeat(1 << 20));
        let sentence = sentences(&long).remove(0);
        assert!(sentence.len() < 1_500 && sentence.contains(r"<\u{1b}x\u{1b}x"), "{sentence}");
        for text in
            ["<opensudoku><game data=\"5", "<opensudoku></game>", "<opensudoku><game data=5/>"]
        {
            let sentence = sentences(text).remove(0);
            let start = "games.opensudoku: line 1 column 13: the XML is broken: ";
            assert!(sentence.starts_with(start), "{sentence}");
        }
    }

    #[test]
    fn a_game_without_an_end_is_given_up() {
        let start = "<opensudoku><game data=\"".as_bytes();
        let endless = std::io::Read::chain(start, std::io::BufReader::new(std::io::repeat(b'1')));
        let error = PuzzleReader::new(endless, "x", "x", &Options::default()).one().unwrap_err();
        assert_eq!(error.to_string(), "x: more than 64 MiB, which no puzzle takes");
    }
}
