//! Bytes to lines: the first stage of reading, one line at a time, however long the text is.
//!
//! `12\r
//! 34` has the lines `12`, number 1, and `34`, number 2. A byte order mark is dropped. The number of
//! bytes between the ends of two puzzles is bounded, so that endless input is refused.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use super::{ParseError, TextPosition};

/// More than any puzzle needs; it stops the reading of an endless file.
const MAX_BYTES: u64 = 64 << 20;

/// Bytes that come as they are read.
pub(super) type ByteReader<'a> = Box<dyn BufRead + Send + 'a>;

/// A line without its end, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    /// Its number, from 1.
    pub number: usize,
    /// The column where it starts, from 1.
    pub column: usize,
    /// Its text.
    pub text: String,
}

impl TextLine {
    /// The position of a character, by the number of those before it.
    pub fn at(&self, before: usize) -> TextPosition {
        TextPosition { line: self.number, column: self.column + before }
    }
}

/// Why nothing more can be read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The operating system reported an error.
    Io(io::Error),
    /// The bytes are those of gzip.
    Packed,
    /// Invalid UTF-8; the position of the text's first invalid byte, from 1.
    Encoding(usize),
    /// The text is invalid from here on.
    Parse(ParseError),
}

/// A line without its comment, and without the `\\` that ends a row of LaTeX. In quotation marks, `#` begins no
/// comment.
pub(super) fn content(line: &str) -> &str {
    let (last, mut is_quoted, mut from) = (line.rfind('"'), false, 0);
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| {
        is_quoted ^= line[from..*at].matches('"').count() % 2 == 1;
        from = *at;
        // A mark that nothing closes quotes nothing.
        !is_quoted || last < Some(*at)
    });
    let text = comment.map_or(line, |at| &line[..at]);
    text.trim_end().strip_suffix(r"\\").filter(|row| row.contains('&')).unwrap_or(text)
}

/// Reads lines.
pub(super) struct LineReader<'a> {
    reader: ByteReader<'a>,
    number: usize,
    /// Lines that end in a carriage return alone, of which one line of the reader held several.
    parts: VecDeque<String>,
    /// Bytes of all lines so far.
    bytes: usize,
    /// Bytes since a puzzle ended.
    since: u64,
}

impl<'a> LineReader<'a> {
    /// The lines of a text.
    pub fn new(reader: ByteReader<'a>) -> Self {
        Self { reader, number: 0, parts: VecDeque::new(), bytes: 0, since: 0 }
    }

    /// Records that a puzzle ended.
    pub fn restart(&mut self) {
        self.since = 0;
    }

    fn read_line(&mut self) -> Result<Option<TextLine>, ReadError> {
        if let Some(text) = self.parts.pop_front() {
            self.number += 1;
            return Ok(Some(TextLine { number: self.number, column: 1, text }));
        }
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
        let mut text = String::from_utf8(bytes).map_err(|error| {
            ReadError::Encoding(self.bytes + error.utf8_error().valid_up_to() + 1)
        })?;
        self.bytes += length;
        self.number += 1;
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
        // Files that were joined have several marks.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        if !text.is_ascii() && !text.starts_with('#') {
            text = text.chars().map(to_ascii).collect();
        }
        if text.contains('\r') {
            self.parts = text.split('\r').map(str::to_owned).collect();
            text = self.parts.pop_front().unwrap_or_default();
        }
        Ok(Some(TextLine { number: self.number, column: 1, text }))
    }
}

impl Iterator for LineReader<'_> {
    type Item = Result<TextLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

/// The ASCII character that another stands for: `5` for `５`, `.` for `·`. Positions do not change.
#[doc(hidden)]
pub fn to_ascii(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xff01 + u32::from('!')).unwrap_or(character)
        }
        '·' | '•' | '∙' | '□' | '☐' | '▢' => '.',
        '−' | '–' | '—' => '-',
        other => other,
    }
}

/// The bytes of a text, in UTF-8.
///
/// # Errors
/// When they are packed, or no UTF-16 although they begin with its mark.
pub(super) fn decoded(mut reader: ByteReader<'_>) -> Result<ByteReader<'_>, ReadError> {
    let mut mark = Vec::new();
    reader.by_ref().take(2).read_to_end(&mut mark).map_err(ReadError::Io)?;
    let unit: fn([u8; 2]) -> u16 = match mark[..] {
        [0x1f, 0x8b] => return Err(ReadError::Packed),
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return Ok(Box::new(io::Cursor::new(mark).chain(reader))),
    };
    let mut bytes = Vec::new();
    reader.take(2 * MAX_BYTES).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 == 2 * MAX_BYTES || !bytes.len().is_multiple_of(2) {
        let problem = format!("the UTF-16 text is cut off or longer than {} MiB", MAX_BYTES >> 19);
        return Err(ReadError::Parse(ParseError::new(problem)));
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    let text = text.map_err(|_| ReadError::Encoding(1))?;
    Ok(Box::new(io::Cursor::new(text.into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_other_widths_are_plain() {
        let mut lines = LineReader::new(Box::new("５·｜１\n# ５ é".as_bytes()));
        let mut next = || lines.next().map(|line| line.unwrap().text);
        assert_eq!(next().as_deref(), Some("5.|1"));
        assert_eq!(next().as_deref(), Some("# ５ é"));
    }

    #[test]
    fn other_encodings_have_their_mark() {
        let read = |bytes: &[u8]| -> Result<String, ReadError> {
            let mut text = String::new();
            let owned = io::Cursor::new(bytes.to_vec());
            decoded(Box::new(owned))?.read_to_string(&mut text).map_err(ReadError::Io)?;
            Ok(text)
        };
        for text in ["", "1", "12", "12é\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), text);
            let units = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
                let text = format!("\u{feff}{text}");
                text.encode_utf16().flat_map(bytes).collect()
            };
            assert_eq!(read(&units(u16::to_le_bytes)).unwrap(), text);
            assert_eq!(read(&units(u16::to_be_bytes)).unwrap(), text);
        }
        assert!(matches!(read(&[0x1f, 0x8b, 8]), Err(ReadError::Packed)));
        assert!(matches!(read(&[0xff, 0xfe, 0, 0xd8]), Err(ReadError::Encoding(1))));
    }

    #[test]
    fn lines_are_numbered_and_bare() {
        let mut lines = LineReader::new(Box::new("\u{feff}12\r\n\n34".as_bytes()));
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
        let mut lines = LineReader::new(Box::new(io::BufReader::new(typed)));
        assert!(lines.next().is_some());
        assert!(lines.next().is_none() && lines.next().is_none());
    }

    #[test]
    fn a_wrong_byte_is_counted_from_the_start_of_the_text() {
        let mut lines = LineReader::new(Box::new(&b"12\n3\xff"[..]));
        lines.next().unwrap().unwrap();
        assert!(matches!(lines.next(), Some(Err(ReadError::Encoding(5)))));
    }

    #[test]
    fn a_line_without_an_end_is_given_up() {
        let mut lines = LineReader::new(Box::new(io::BufReader::new(io::repeat(b'1'))));
        assert!(matches!(lines.next(), Some(Err(ReadError::Parse(_)))));
    }
}
