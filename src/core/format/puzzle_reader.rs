//! The puzzles of a text, one at a time.
//!
//! The start of the text tells how its puzzles are arranged: `5 3 . .` may be a row or a board by itself; the
//! following lines show which. The lines that were examined are kept and then split like the others.
//!
//! A list of a million lines takes the memory of its first 64 KiB, by which the arrangement is
//! detected, and of one line. Two plain lines of a list are enough, so that what comes through a
//! pipe is read as it comes.

use std::io::BufRead;

use super::parse::{ParsedBoard, parse};
use super::records::Records;
use super::text::{ByteReader, LineReader, ReadError, TextLine, decoded};
use super::text_record::{TextRecord, is_plain_puzzle};
use super::tokens::LineKind;
use super::{FormatError, InputError, Options, ParseError, TextPosition};
use crate::board::{Geometry, Puzzle};

/// Number of bytes by which the arrangement is detected.
const HEAD: usize = 64 << 10;

/// A puzzle that was read, with its ambiguities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Other box shapes that the number of cells allows, if none was requested, drawn or stated.
    pub others: Vec<Geometry>,
    /// Remarks from the text as `.sdk` files carry them, without the `#`: in `ARuud` the `A` stands for an author.
    pub tags: Vec<String>,
}

impl ParsedPuzzle {
    /// Which boxes were taken, in a sentence, if others fit too.
    pub fn remark(&self) -> Option<String> {
        let Puzzle { name, geometry, .. } = &self.puzzle;
        let other = self.others.first()?;
        Some(format!("{name}: assuming boxes of {geometry}; --box {other} would also fit"))
    }
}

/// Reads one puzzle of a text. `name` becomes its name and the beginning of every error. `shape` fixes the
/// boxes; without it the squarest shape with no more rows than columns is taken.
///
/// # Errors
/// [`FormatError`], one sentence with the problem and, if known, its position; also when
/// the text holds several puzzles.
pub fn read(text: &str, name: &str, shape: Option<Geometry>) -> Result<ParsedPuzzle, FormatError> {
    let options = Options { shape, ..Options::default() };
    PuzzleReader::new(text.as_bytes(), name, name, &options).one().map_err(|error| match error {
        InputError::Format(error) => error,
        error => unreachable!("a text in memory was not read: {error}"),
    })
}

/// Reads puzzles from a text. If it holds several, each is named after the text and its line,
/// in a list, or its number otherwise: `list:3`, `games#3`.
///
/// It is an iterator: an invalid puzzle is an item with its error, and the others are still read. After an
/// error of the text as a whole, such as bytes that are not UTF-8, there is no further item.
pub struct PuzzleReader<'a> {
    name: String,
    label: String,
    options: Options,
    /// The text, before its arrangement is detected.
    unread: Option<ByteReader<'a>>,
    /// The records that follow; none before the arrangement is detected and after the text has ended.
    records: Option<Records<'a>>,
    /// The record after the current one, if it had to be read ahead.
    ahead: Option<TextRecord>,
    /// Number of records so far.
    count: usize,
    several: bool,
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
            unread: Some(Box::new(reader)),
            records: None,
            ahead: None,
            count: 0,
            several: false,
        }
    }

    /// The only puzzle.
    ///
    /// # Errors
    /// [`InputError::Format`] if the text holds an invalid puzzle, none, or several; another if it cannot be
    /// read.
    pub fn one(mut self) -> Result<ParsedPuzzle, InputError> {
        let puzzle = self.next().unwrap_or_else(|| Err(self.error(None, ParseError::empty())));
        if !self.several {
            return puzzle;
        }
        while let Some(record) = self.record().map_err(|error| self.unreadable(error))? {
            if let Err(error) = record.lines {
                return Err(self.error(None, error));
            }
            self.count += 1;
        }
        // A list may hold one.
        if self.count == 1 {
            return puzzle;
        }
        let several = format!("{} puzzles, but only one is expected", self.count);
        Err(self.error(None, ParseError::new(several)))
    }

    /// Which lines of a list held no puzzle, in a sentence, after the last puzzle.
    pub fn remark(&self) -> Option<String> {
        self.records.as_ref()?.remark(&self.label)
    }

    fn error(&self, puzzle: Option<usize>, error: ParseError) -> InputError {
        InputError::Format(FormatError { name: self.label.clone(), puzzle, error })
    }

    /// The error of a text that cannot be read further.
    fn unreadable(&self, error: ReadError) -> InputError {
        let label = self.label.clone();
        match error {
            ReadError::Parse(error) => self.error(None, error),
            ReadError::Io(error) => InputError::Unreadable { label, error },
            ReadError::Packed => InputError::Packed(label),
            ReadError::Encoding(byte) => InputError::Encoding { label, byte },
        }
    }

    /// The next record; `None` at the end, and after an error.
    fn record(&mut self) -> Result<Option<TextRecord>, ReadError> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        if let Some(reader) = self.unread.take() {
            self.records = Some(records(decoded(reader)?, &self.options)?);
        }
        let Some(mut records) = self.records.take() else { return Ok(None) };
        let record = records.next().transpose()?;
        self.records = Some(records);
        Ok(record)
    }

    /// The puzzle of a record.
    fn parse(&self, record: TextRecord) -> Result<ParsedPuzzle, InputError> {
        let lines = record.lines.as_deref().unwrap_or_default();
        let at = first_cell(lines, &self.options).or(lines.first().map(|line| line.at(0)));
        let board = record.lines.and_then(|lines| parse(&lines, &self.options));
        let board = board.map_err(|mut error| {
            if self.several {
                error.at = error.at.or(at);
            }
            self.error(self.several.then_some(self.count), error)
        })?;
        let ParsedBoard { geometry, givens, is_sure } = board;
        let mut others = if is_sure { Vec::new() } else { Geometry::of_side(geometry.side()) };
        others.retain(|other| *other != geometry);
        let name = match (self.several, record.listed) {
            (false, _) => self.name.clone(),
            (true, true) => format!("{}:{}", self.name, at.map_or(self.count, |at| at.line)),
            (true, false) => format!("{}#{}", self.name, self.count),
        };
        let puzzle = Puzzle { name, geometry, givens };
        Ok(ParsedPuzzle { puzzle, others, tags: record.tags })
    }
}

impl Iterator for PuzzleReader<'_> {
    type Item = Result<ParsedPuzzle, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.record().map_err(|error| self.unreadable(error));
        self.count += 1;
        let record = match record {
            Ok(Some(record)) => record,
            Ok(None) if self.count > 1 => return None,
            Ok(None) => return Some(Err(self.error(None, ParseError::empty()))),
            Err(error) => return Some(Err(error)),
        };
        // A list has several; otherwise only the text after the first puzzle shows it.
        self.several |= record.listed;
        if !self.several {
            match self.record() {
                Ok(ahead) => self.ahead = ahead,
                Err(error) => return Some(Err(self.unreadable(error))),
            }
            self.several = self.ahead.is_some();
        }
        Some(self.parse(record))
    }
}

/// The records of a text, of which as much is read as is needed to detect their arrangement.
fn records<'a>(reader: ByteReader<'a>, options: &Options) -> Result<Records<'a>, ReadError> {
    let mut lines = LineReader::new(reader);
    let mut head = Vec::new();
    let (mut bytes, mut plain) = (0, 0);
    // Two rows of the same kind at the start suffice for a list.
    let mut only_plain = true;
    while bytes < HEAD && !(only_plain && plain == 2) {
        let Some(line) = lines.next().transpose()? else {
            break;
        };
        bytes += line.text.len() + 1;
        match options.symbols().kind(&line.text) {
            LineKind::Empty { .. } => {}
            _ if is_plain_puzzle(&line, options) => plain += 1,
            _ => only_plain = false,
        }
        head.push(line);
    }
    Ok(Records::new(head, lines, options))
}

/// The position of the first cell.
fn first_cell(lines: &[TextLine], options: &Options) -> Option<TextPosition> {
    let is_cells = |line: &&TextLine| options.symbols().kind(&line.text) == LineKind::Cells;
    let line = lines.iter().find(is_cells)?;
    Some(line.at(line.text.chars().take_while(|c| c.is_whitespace()).count()))
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
        assert_eq!(several.to_string(), "x: 2 puzzles, but only one is expected");
    }

    #[test]
    fn lines_without_a_puzzle_are_counted() {
        let text = format!("a head\n{LINE}\n# note\nhello, world 5\n{LINE}\nbad line\n");
        let mut reader =
            PuzzleReader::new(text.as_bytes(), "list", "list.sdm", &Options::default());
        assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 2);
        let remark = reader.remark();
        let expected = "list.sdm: skipped 2 lines without a puzzle; first line: 4";
        assert_eq!(remark.as_deref(), Some(expected));
    }

    #[test]
    fn an_error_in_a_list_leaves_the_others() {
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
                "list.sdm: puzzle 3, line 5 column 81: unexpected character 'y'; a blank is a single . 0 _ * ? or x",
                "list:6 30",
                "list:7 30",
            ]
        );
    }

    #[test]
    fn an_error_in_a_block_leaves_the_others() {
        let rows: String =
            LINE.as_bytes().chunks(9).map(|row| format!("{}\n", row.escape_ascii())).collect();
        let short = &rows[..80];
        let text =
            format!("# first\n{rows}\n# second\n{short}\n\n{}\n{rows}", rows.replace('5', "@"));
        assert_eq!(
            sentences(&text),
            [
                "list#1 30",
                "list.sdm: puzzle 2, line 13 column 1: 72 cells, 8 lines of 9; the nearest board is 9x9 with 81 cells",
                "list.sdm: puzzle 3, line 23 column 1: unexpected character '@'; a blank is a single . 0 _ * ? or x",
                "list#4 30",
            ]
        );
    }

    #[test]
    fn errors_of_single_puzzles_have_their_position() {
        let instance = |values: &str| format!("3\n1\n{values}\n");
        for (text, sentence) in [
            (String::new(), "the text has no cells"),
            ("[Puzzle]\n[State]\n".to_owned(), "the text has no cells"),
            ("[State]\n1.\n".to_owned(), "the text has no cells"),
            (
                format!("[Puzzle]\n{LINE}\ny\n"),
                "line 3 column 1: unexpected character 'y'; a blank is a single . 0 _ * ? or x",
            ),
            (
                "*---*\n|1.|..|\n|..|y.|\n*---*\n".to_owned(),
                "line 3 column 5: unexpected character 'y'; a blank is a single . 0 _ * ? or x",
            ),
            (instance(&"-1 ".repeat(80)), "80 cells; the nearest board is 9x9 with 81 cells"),
            (
                instance(&("10 ".to_owned() + &"-1\t".repeat(80))),
                "line 3 column 1: the value 10 is larger than the side of the board, 9",
            ),
            (
                instance(&("-2 ".to_owned() + &"-1\t".repeat(80))),
                "line 3 column 1: -2 is not a value; the only negative number allowed is -1, for a blank",
            ),
        ] {
            assert_eq!(sentences(&text), [format!("list.sdm: {sentence}")], "{text}");
        }
    }

    #[test]
    fn sections_that_are_no_puzzles_are_skipped() {
        let rows: String =
            LINE.as_bytes().chunks(9).map(|row| format!("{}\n", row.escape_ascii())).collect();
        let marks = rows.replace('.', "24 ").replace("24 24", "24 2");
        let text = format!("[Puzzle]\n{rows}[State]\n{rows}[PencilMarks]\n{marks}");
        assert_eq!(sentences(&text), ["list 30"]);
        let two = format!("{text}[Puzzle]\n{rows}[Notes]\n{rows}");
        assert_eq!(sentences(&two), ["list#1 30", "list#2 30"]);
        // Titles in brackets are no sections.
        for [one, other] in
            [["Easy", "Hard"], ["Sudoku of Monday", "Medium"], ["Puzzle 1", "Second puzzle"]]
        {
            assert_eq!(sentences(&format!("[{one}]\n{rows}[{other}]\n{rows}")).len(), 2);
        }
        // A word for nothing alone in its line is one, too.
        assert_eq!(sentences(&format!("{rows}None\n{rows}")).len(), 2);
    }

    #[test]
    fn letters_need_an_alphabet() {
        let start = "list.sdm: line 1 column 3: 'A' may stand for more than one value of a board of side 16; list the characters of its values with --alphabet";
        let all = "1.A.".repeat(64);
        assert_eq!(sentences(&all), [format!("{start}, as in --alphabet 0123456789ABCDEF")]);
        let list = sentences(&format!("{all}\n{all}\n"));
        assert!(list[1].starts_with("list.sdm: puzzle 2, line 2 column 3: 'A' may"), "{list:?}");
        let options = Options { alphabet: "123456789ABCDEFG".parse().ok(), ..Options::default() };
        assert_eq!(with(&all, &options), ["list 128"]);
        let other = with(&all.replacen('A', "H", 1), &options);
        assert_eq!(
            other,
            [
                "list.sdm: line 1 column 3: 'H' is neither in the alphabet 123456789ABCDEFG nor a blank"
            ]
        );
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

    /// Lines that are produced as they are read, and the number of lines read.
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
    fn a_list_is_read_line_by_line() {
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        const MOST: usize = 200_000;
        let lines = AtomicUsize::new(0);
        let made =
            Made { line: format!("{LINE}\n").into_bytes(), at: 82, lines: &lines, most: MOST };
        // For each puzzle no more is read than its line and the two lines that show the format.
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
