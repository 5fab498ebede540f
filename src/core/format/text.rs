//! Bytes to lines: the first stage of reading, one line at a time, however long the text is.
//!
//! `12\r
//! 34` has the lines `12`, number 1, and `34`, number 2. A byte order mark is dropped. The number of
//! bytes between the ends of two puzzles is bounded, so that endless input is refused.

use std::io::{self, BufRead, Read};

use super::ParseError;

/// More than any puzzle needs; it stops the reading of an endless file.
const MAX_BYTES: u64 = 64 << 20;

/// Bytes that come as they are read.
pub(super) type ByteReader<'a> = Box<dyn BufRead + Send + 'a>;

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
}

/// Why nothing more can be read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The operating system reported an error.
    Io(io::Error),
    /// Invalid UTF-8; the position of the text's first invalid byte, from 1.
    Encoding(usize),
    /// The text is invalid from here on.
    Parse(ParseError),
}

/// A line without its comment.
pub(super) fn content(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _comment)| before)
}

/// Reads lines.
pub(super) struct LineReader<'a> {
    reader: ByteReader<'a>,
    number: usize,
    /// Whether brackets may be those of arrays: of an alphabet they may be values.
    arrays: bool,
    /// Bytes of all lines so far.
    bytes: usize,
    /// Bytes since a puzzle ended.
    since: u64,
}

impl<'a> LineReader<'a> {
    /// The lines of a text; `arrays` says whether brackets may be those of arrays.
    pub fn new(reader: ByteReader<'a>, arrays: bool) -> Self {
        Self { reader, number: 0, arrays, bytes: 0, since: 0 }
    }

    /// Records that a puzzle ended.
    pub fn restart(&mut self) {
        self.since = 0;
    }

    fn read_line(&mut self) -> Result<Option<TextLine>, ReadError> {
        let mut bytes = Vec::new();
        let most = MAX_BYTES + 1 - self.since;
        let length =
            self.reader.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(ReadError::Io)?;
        self.since += length as u64;
        if self.since > MAX_BYTES {
            let problem =
                format!("more than {} MiB in one puzzle or one XML file", MAX_BYTES >> 20);
            return Err(ReadError::Parse(ParseError::new(problem)));
        }
        if length == 0 {
            // Read again, a terminal would wait for more input.
            self.reader = Box::new(io::empty());
            return Ok(None);
        }
        let before = self.bytes;
        self.bytes += length;
        self.number += 1;
        let mut text = String::from_utf8(bytes)
            .map_err(|error| ReadError::Encoding(before + error.utf8_error().valid_up_to() + 1))?;
        if text.ends_with('\n') {
            text.pop();
            if text.ends_with('\r') {
                text.pop();
            }
        }
        if self.number == 1 && text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let is_array = self.arrays && is_array(&text);
        if is_array || !text.is_ascii() && !text.starts_with('#') {
            let plain = |c| {
                if is_array && BRACKETS.contains(&c) { ' ' } else { plain_frame(c) }
            };
            text = text.chars().map(plain).collect();
        }
        Ok(Some(TextLine { number: self.number, text }))
    }
}

impl Iterator for LineReader<'_> {
    type Item = Result<TextLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

/// Characters that programs print around the rows of an array, and around its cells.
const BRACKETS: [char; 6] = ['[', ']', '{', '}', '"', '\''];

/// Whether a line is one or more rows of an array, as `[5, 3, 0],` and `{"5", "3", "."},`: its brackets are blank
/// space then, in the same places. A head like `[Puzzle]` has other letters than blanks.
fn is_array(text: &str) -> bool {
    let is_cell = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,;-_*xX".contains(c);
    text.contains(BRACKETS) && text.chars().all(|c| is_cell(c) || BRACKETS.contains(&c))
}

/// The character `|`, `-` or `+` for a box-drawing character of Unicode. Positions do not change.
fn plain_frame(character: char) -> char {
    match character {
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '═' => '-',
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' => '|',
        '\u{2500}'..='\u{257f}' => '+',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_drawn_are_frames() {
        let text = "╔═══╤═══╗\n║1 2│3 4║\n├───┼───┤\n# ║ é";
        let mut lines = LineReader::new(Box::new(text.as_bytes()), true);
        let mut next = || lines.next().map(|line| line.unwrap().text);
        for plain in ["+---+---+", "|1 2|3 4|", "+---+---+", "# ║ é"] {
            assert_eq!(next().as_deref(), Some(plain));
        }
    }

    #[test]
    fn brackets_of_arrays_are_blank_space() {
        let text = "[[5, 3, -1],\n[\"5\",\"3\",\"\"]]\n{'5', '.'},\n\"5\";\"\"\n[Puzzle]\n# [5]\n";
        let mut lines = LineReader::new(Box::new(text.as_bytes()), true);
        let mut next = || lines.next().map(|line| line.unwrap().text);
        for plain in ["  5, 3, -1 ,", "  5 , 3 ,    ", "  5 ,  .  ,", " 5 ;  ", "[Puzzle]", "# [5]"]
        {
            assert_eq!(next().as_deref(), Some(plain));
        }
    }

    #[test]
    fn a_character_of_an_alphabet_is_no_bracket() {
        let mut lines = LineReader::new(Box::new("{.}.".as_bytes()), false);
        assert_eq!(lines.next().unwrap().unwrap().text, "{.}.");
    }

    #[test]
    fn lines_are_numbered_and_bare() {
        let mut lines = LineReader::new(Box::new("\u{feff}12\r\n\n34".as_bytes()), true);
        let mut next =
            || lines.next().map(|line| line.unwrap()).map(|line| (line.number, line.text));
        assert_eq!(next(), Some((1, "12".to_owned())));
        assert_eq!(next(), Some((2, String::new())));
        assert_eq!(next(), Some((3, "34".to_owned())));
        assert_eq!(next(), None);
    }

    /// Input after which there is more each time that it has ended, as on a terminal.
    struct Typed(Vec<&'static str>);

    impl Read for Typed {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.remove(0).as_bytes().read(into)
        }
    }

    #[test]
    fn nothing_is_read_after_the_end() {
        let typed = Typed(vec!["12\n", "", "34\n"]);
        let mut lines = LineReader::new(Box::new(io::BufReader::new(typed)), true);
        assert!(lines.next().is_some());
        assert!(lines.next().is_none() && lines.next().is_none());
    }

    #[test]
    fn a_wrong_byte_is_counted_from_the_start_of_the_text() {
        let mut lines = LineReader::new(Box::new(&b"12\n3\xff"[..]), true);
        lines.next().unwrap().unwrap();
        assert!(matches!(lines.next(), Some(Err(ReadError::Encoding(5)))));
    }

    #[test]
    fn a_line_without_an_end_is_given_up() {
        let mut lines = LineReader::new(Box::new(io::BufReader::new(io::repeat(b'1'))), true);
        assert!(matches!(lines.next(), Some(Err(ReadError::Parse(_)))));
    }
}
