//! The puzzles of a text, one at a time.
//!
//! A list of a million lines takes the memory of its first 64 KiB, by which the format is
//! recognised, and of one line. Two plain lines of a list are enough, so that what comes through a
//! pipe is read as it comes.

use std::io::BufRead;
use std::mem;

use super::box_inference::drawn;
use super::detect::recognised;
use super::line_reader::LineFault;
use super::record::{TextRecord, has_cells};
use super::record_reader::{ByteReader, ReadStop, RecordReader};
use super::{
    Format, FormatError, InputError, Options, ParseError, ParsedPuzzle, PuzzleIndex, SourceError,
    TextPosition,
};
use crate::board::{Geometry, Puzzle};

/// Reads puzzles from a text. If it holds several, each is named after the text and its line,
/// in a list, or its number otherwise: `list:3`, `games#3`.
pub struct PuzzleReader<'a> {
    name: String,
    label: String,
    options: Options,
    sure: bool,
    state: ReaderState<'a>,
    /// The piece after the current one, if it had to be read ahead.
    ahead: Option<(Format, TextRecord)>,
    /// Number of pieces so far.
    count: usize,
    several: bool,
}

/// The state of the reader.
enum ReaderState<'a> {
    /// Nothing was read.
    Unread(ByteReader<'a>),
    /// Its format is known.
    Recognised(Format, Box<dyn RecordReader + 'a>),
    /// The text has ended.
    Ended,
}

impl<'a> PuzzleReader<'a> {
    /// A reader of the puzzles in `reader`. Errors call the text `label`; `name` is the name of its
    /// only puzzle, or the prefix of the names of its puzzles.
    pub fn new(
        reader: impl BufRead + Send + 'a,
        name: &str,
        label: &str,
        options: &Options,
    ) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            options: options.clone(),
            sure: false,
            state: ReaderState::Unread(Box::new(reader)),
            ahead: None,
            count: 0,
            several: false,
        }
    }

    /// Suppresses the list of other box shapes.
    pub(super) fn sure(self) -> Self {
        Self { sure: true, ..self }
    }

    /// The only puzzle.
    ///
    /// # Errors
    /// [`FormatError`] if the text holds an invalid puzzle, none, or several.
    pub fn one(mut self) -> Result<ParsedPuzzle, InputError> {
        let reading = self.next().unwrap_or_else(|| Err(self.error(None, ParseError::Empty)));
        if !self.several {
            return reading;
        }
        while let Ok(Some(_)) = self.piece() {
            self.count += 1;
        }
        // A list may hold one.
        if self.count == 1 {
            reading
        } else {
            Err(self.error(None, ParseError::Several { count: self.count }))
        }
    }

    fn error(&self, which: Option<PuzzleIndex>, fault: ParseError) -> InputError {
        InputError::Format(FormatError { name: self.label.clone(), which, fault: Box::new(fault) })
    }

    fn stopped(&self, stop: ReadStop) -> InputError {
        let label = self.label.clone();
        match stop {
            ReadStop::Fault(fault) => self.error(None, fault),
            ReadStop::Line(LineFault::Long) => self.error(None, ParseError::Long),
            ReadStop::Line(LineFault::Io(error)) => SourceError::Unreadable { label, error }.into(),
            ReadStop::Line(LineFault::Encoding(byte)) => {
                SourceError::Encoding { label, byte }.into()
            }
        }
    }

    /// The next piece, and the format of all pieces.
    fn piece(&mut self) -> Result<Option<(Format, TextRecord)>, ReadStop> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let (format, mut pieces) = match mem::replace(&mut self.state, ReaderState::Ended) {
            ReaderState::Unread(reader) => {
                recognised(reader, &self.options).map_err(ReadStop::Line)?
            }
            ReaderState::Recognised(format, pieces) => (format, pieces),
            ReaderState::Ended => return Ok(None),
        };
        let piece = pieces.next()?;
        self.state = ReaderState::Recognised(format, pieces);
        Ok(piece.map(|piece| (format, piece)))
    }

    fn reading(&self, format: Format, piece: TextRecord) -> Result<ParsedPuzzle, InputError> {
        let rules = format.rules();
        let at = piece.text.as_ref().map_or(piece.at, |text| start(text, piece.at));
        let which = self.several.then_some(PuzzleIndex { number: self.count, at });
        let mut options = self.options.clone();
        let board = piece.text.and_then(|text| {
            if options.shape.is_none() && !rules.tells_shape() {
                options.shape = drawn(&text);
            }
            rules.read(&text, &options).map_err(|fault| fault.moved(piece.at))
        });
        let (geometry, givens) = board.map_err(|fault| self.error(which, fault))?;
        let mut others = Vec::new();
        if options.shape.is_none() && !self.sure && !rules.tells_shape() {
            others = Geometry::of_side(geometry.side());
            others.retain(|other| *other != geometry);
        }
        let name = match (self.several, piece.listed) {
            (false, _) => self.name.clone(),
            (true, true) => format!("{}:{}", self.name, at.line),
            (true, false) => format!("{}#{}", self.name, self.count),
        };
        Ok(ParsedPuzzle {
            puzzle: Puzzle { name, geometry, givens },
            format,
            others,
            tags: piece.tags,
        })
    }
}

impl Iterator for PuzzleReader<'_> {
    type Item = Result<ParsedPuzzle, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (format, piece) = match self.piece() {
            Ok(Some(next)) => next,
            Ok(None) => {
                self.state = ReaderState::Ended;
                let empty = self.count == 0;
                self.count = 1;
                return empty.then(|| Err(self.error(None, ParseError::Empty)));
            }
            Err(stop) => {
                self.count += 1;
                return Some(Err(self.stopped(stop)));
            }
        };
        self.count += 1;
        // A list has several; otherwise only the text after the first puzzle shows it.
        self.several |= piece.listed;
        if !self.several {
            match self.piece() {
                Ok(ahead) => {
                    self.several = ahead.is_some();
                    self.ahead = ahead;
                }
                Err(stop) => return Some(Err(self.stopped(stop))),
            }
        }
        Some(self.reading(format, piece))
    }
}

/// Where the first cell of a text stands that starts at `at`.
fn start(text: &str, at: TextPosition) -> TextPosition {
    let mut lines = text.lines().enumerate();
    let Some((index, line)) = lines.find(|(_, line)| has_cells(line)) else {
        return at;
    };
    let blank = line.chars().take_while(|c| c.is_whitespace()).count();
    let before = if index == 0 { at.column - 1 } else { 0 };
    TextPosition { line: at.line + index, column: before + blank + 1 }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn sentences(text: &str) -> Vec<String> {
        with(text, &Options::default())
    }

    fn with(text: &str, options: &Options) -> Vec<String> {
        PuzzleReader::new(text.as_bytes(), "list", "list.sdm", options)
            .map(|reading| match reading {
                Ok(reading) => format!("{} {}", reading.puzzle.name, reading.puzzle.given_count()),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn a_list_of_one_holds_the_only_puzzle() {
        let one =
            |text: &str| PuzzleReader::new(text.as_bytes(), "x", "x", &Options::default()).one();
        let pair = format!("quizzes,solutions\n{},\n", LINE.replace('.', "0"));
        assert_eq!(one(&pair).unwrap().puzzle.given_count(), 30);
        let several = one(&format!("{pair}{}\n", &pair[18..])).unwrap_err();
        assert_eq!(several.to_string(), "x: 2 puzzles, where one is wanted");
    }

    #[test]
    fn a_fault_in_a_list_leaves_the_others() {
        let text = format!(
            "# a list\n{LINE}\n{0}\n\n{0}y\n  {1}\n{LINE}  # the last\n",
            &LINE[..80],
            LINE.replace("79", "7-9")
        );
        assert_eq!(
            sentences(&text),
            [
                "list:2 30",
                "list.sdm: puzzle 2, line 3 column 1: 80 cells; the nearest board is 9x9 with 81 cells",
                "list.sdm: puzzle 3, line 5 column 81: unknown character 'y'; a blank is . 0 _ * or x",
                "list:6 30",
                "list:7 30",
            ]
        );
    }

    #[test]
    fn a_fault_in_a_block_leaves_the_others() {
        let rows: String =
            LINE.as_bytes().chunks(9).map(|row| format!("{}\n", row.escape_ascii())).collect();
        let short = &rows[..80];
        let text =
            format!("# first\n{rows}\n# second\n{short}\n\n{}\n{rows}", rows.replace('5', "?"));
        assert_eq!(
            sentences(&text),
            [
                "list#1 30",
                "list.sdm: puzzle 2, line 13 column 1: 72 cells, 8 lines of 9; the nearest board is 9x9 with 81 cells",
                "list.sdm: puzzle 3, line 23 column 1: unknown character '?'; a blank is . 0 _ * or x",
                "list#4 30",
            ]
        );
    }

    #[test]
    fn faults_of_single_puzzles_are_told() {
        let instance = |values: &str| format!("3\n1\n{values}\n");
        for (text, sentence) in [
            (String::new(), "the text has no cells"),
            ("[Puzzle]\n[State]\n".to_owned(), "the text has no cells"),
            ("[State]\n1.\n".to_owned(), "the text has no cells"),
            (
                format!("[Puzzle]\n{LINE}\ny\n"),
                "line 3 column 1: unknown character 'y'; a blank is . 0 _ * or x",
            ),
            (
                "*---*\n|1.|..|\n|..|y.|\n*---*\n".to_owned(),
                "line 3 column 5: unknown character 'y'; a blank is . 0 _ * or x",
            ),
            (instance(&"-1 ".repeat(80)), "80 values, but a board of order 3 has 81"),
            (
                instance(&("10 ".to_owned() + &"-1\t".repeat(80))),
                "line 3 column 1: the value 10 is above the side, which is 9",
            ),
            (
                instance(&("-2 ".to_owned() + &"-1\t".repeat(80))),
                "line 3 column 1: -2 is not a value; the only number below 0 allowed is -1, for a blank",
            ),
        ] {
            assert_eq!(sentences(&text), [format!("list.sdm: {sentence}")], "{text}");
        }
    }

    #[test]
    fn letters_are_asked_about() {
        let start = "list.sdm: line 1 column 3: 'A' may stand for more than one value of a board of side 16; list the characters of its values with --alphabet";
        // A digit that is no value of the third alphabet.
        let all = "1.A.".repeat(64);
        assert_eq!(sentences(&all), [format!("{start} 0123456789ABCDEF or 123456789ABCDEFG")]);
        let letters = "..A.".repeat(64);
        assert_eq!(
            sentences(&letters),
            [format!("{start} 0123456789ABCDEF, 123456789ABCDEFG or ABCDEFGHIJKLMNOP")]
        );
        let list = sentences(&format!("{all}\n{all}\n"));
        assert!(list[1].starts_with("list.sdm: puzzle 2, line 2 column 3: 'A' may"), "{list:?}");
        let options = Options { alphabet: "123456789ABCDEFG".parse().ok(), ..Options::default() };
        assert_eq!(with(&all, &options), ["list 128"]);
    }

    #[test]
    fn bytes_that_are_no_text_end_a_list() {
        let text =
            [LINE.as_bytes(), b"\n", LINE.as_bytes(), b"\n1\xff\n", LINE.as_bytes()].concat();
        let found: Vec<bool> = PuzzleReader::new(&text[..], "x", "x", &Options::default())
            .map(|one| one.is_ok())
            .collect();
        assert_eq!(found, [true, true, false]);
    }

    /// Lines that are made as they are read, and how many were asked for.
    struct Made<'a> {
        line: Vec<u8>,
        at: usize,
        lines: &'a std::sync::atomic::AtomicUsize,
        most: usize,
    }

    impl Read for Made<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            use std::sync::atomic::Ordering::Relaxed;
            if self.at == self.line.len() {
                if self.lines.load(Relaxed) == self.most {
                    return Ok(0);
                }
                self.lines.fetch_add(1, Relaxed);
                self.at = 0;
            }
            let rest = &self.line[self.at..];
            let length = rest.len().min(into.len());
            into[..length].copy_from_slice(&rest[..length]);
            self.at += length;
            Ok(length)
        }
    }

    #[test]
    fn a_list_is_read_as_it_comes() {
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        const MOST: usize = 200_000;
        let lines = AtomicUsize::new(0);
        let made =
            Made { line: format!("{LINE}\n").into_bytes(), at: 82, lines: &lines, most: MOST };
        // Each puzzle comes with no more read than its line and the two that told the format.
        let reader = io::BufReader::with_capacity(82, made);
        let puzzles = PuzzleReader::new(reader, "list", "list", &Options::default());
        let mut count = 0;
        for reading in puzzles {
            let reading = reading.unwrap();
            count += 1;
            assert_eq!(reading.puzzle.name, format!("list:{count}"));
            assert!(lines.load(Relaxed) <= count.max(2), "{count}");
        }
        assert_eq!(count, MOST);
    }

    #[test]
    fn no_text_panics_and_every_text_ends() {
        use proptest::prelude::*;
        let text =
            "(\\[Puzzle\\]|#A|<opensudoku>|<game data=\"|\\*--\\*|[-0-9A-F.|<>/\" \n]){0,60}";
        proptest!(|(text in text)| {
            let puzzles = PuzzleReader::new(text.as_bytes(), "x", "x", &Options::default());
            prop_assert!(puzzles.count() <= text.len() + 1);
        });
    }
}
