//! The pieces of a text, one after the other, for texts of lines and others.
//!
//! Most texts are lines, which a format's [`RecordSplitter`] groups. A text that is made of something
//! else, such as XML, is read by a [`Parser`] of its format.

use std::io::BufRead;
use std::vec;

use super::ParseError;
use super::line_reader::{LineFault, LineReader, TextLine};
use super::record::{RecordSplitter, TextRecord};

/// Bytes that come as they are read.
pub(super) type ByteReader<'a> = Box<dyn BufRead + Send + 'a>;

/// Gives the pieces of a text.
pub(super) trait RecordReader: Send {
    /// The next piece; `None` at the end.
    fn next(&mut self) -> Result<Option<TextRecord>, ReadStop>;
}

/// Why there is no further piece.
pub(super) enum ReadStop {
    /// The text could not be read further.
    Line(LineFault),
    /// The text is invalid from here on.
    Fault(ParseError),
}

/// Reads texts that are not made of lines.
pub(super) struct Parser {
    /// The byte with which they start, after blank space. No text of lines starts with it.
    pub first: u8,
    /// Their pieces.
    pub pieces: for<'a> fn(ByteReader<'a>) -> Box<dyn RecordReader + 'a>,
}

/// The pieces of a text of lines.
pub(super) struct RecordLines<'a> {
    head: vec::IntoIter<TextLine>,
    lines: LineReader<'a>,
    cut: Box<dyn RecordSplitter>,
    ended: bool,
}

impl<'a> RecordLines<'a> {
    /// Those of the lines of `head` and of what follows them.
    pub fn new(head: Vec<TextLine>, lines: LineReader<'a>, cut: Box<dyn RecordSplitter>) -> Self {
        Self { head: head.into_iter(), lines, cut, ended: false }
    }
}

impl RecordReader for RecordLines<'_> {
    fn next(&mut self) -> Result<Option<TextRecord>, ReadStop> {
        while !self.ended {
            let next = match self.head.next() {
                Some(line) => Some(line),
                None => self.lines.next().map_err(ReadStop::Line)?,
            };
            self.ended = next.is_none();
            let piece = match next {
                Some(line) => self.cut.line(line),
                None => self.cut.end(),
            };
            if piece.is_some() {
                self.lines.restart();
                return Ok(piece);
            }
        }
        Ok(None)
    }
}
