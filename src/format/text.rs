//! A text on its way to pieces: recognised by its first lines, then cut line by line.
//!
//! `5 3 . .` may be a row or a board of its own; what follows tells. The lines that were looked at
//! for that are kept and cut like the others. XML, which needs no lines, goes its own way.

use std::io::{self, BufRead, Read};
use std::vec;

use super::lines::{Line, LineFault, Lines};
use super::opensudoku::Games;
use super::piece::{Cut, Piece};
use super::sniff::{Kind, Row, kind};
use super::{Format, Options};

/// Bytes by which a format is recognised.
const HEAD: usize = 64 << 10;

/// How far the reading of a text has come.
pub(super) enum State<'a> {
    /// Nothing was read.
    Unread(Box<dyn BufRead + Send + 'a>),
    /// Lines.
    Text(Text<'a>),
    /// Elements.
    Xml(Box<Games<'a>>),
    /// There is nothing more.
    Ended,
}

/// A text that is cut line by line.
pub(super) struct Text<'a> {
    head: vec::IntoIter<Line>,
    lines: Lines<'a>,
    cut: Box<dyn Cut>,
    /// The format of all pieces.
    pub format: Format,
    /// Whether a line is a puzzle.
    pub list: bool,
    ended: bool,
}

impl Text<'_> {
    /// The next piece.
    pub fn piece(&mut self) -> Result<Option<Piece>, LineFault> {
        while !self.ended {
            let next = match self.head.next() {
                Some(line) => Some(line),
                None => self.lines.next()?,
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

/// Reads as much as it takes to tell the format.
pub(super) fn recognised<'a>(
    mut reader: Box<dyn BufRead + Send + 'a>,
    options: &Options,
) -> Result<State<'a>, LineFault> {
    let (before, xml) = opening(&mut reader).map_err(LineFault::Io)?;
    let reader = Box::new(io::Cursor::new(before).chain(reader));
    if xml {
        return Ok(State::Xml(Box::new(Games::new(reader))));
    }
    let mut lines = Lines::new(reader);
    let mut head = Vec::new();
    let (mut bytes, mut plain) = (0, 0);
    let mut complete = false;
    // Rows of the same kind at the start tell a list at once.
    let mut only_plain = true;
    while bytes < HEAD && !(only_plain && plain == 2) {
        let Some(line) = lines.next()? else {
            complete = true;
            break;
        };
        bytes += line.text.len() + 1;
        match Row::of(&line.text) {
            Some(row) if row.is_plain_puzzle(options) => plain += 1,
            Some(_) => only_plain = false,
            None => {}
        }
        head.push(line);
    }
    let Kind { format, cut, list } = kind(&head, complete, options);
    Ok(State::Text(Text { head: head.into_iter(), lines, cut, format, list, ended: false }))
}

/// The blank space that a text starts with, and whether XML follows.
fn opening(reader: &mut dyn BufRead) -> io::Result<(Vec<u8>, bool)> {
    let mut before = Vec::new();
    while before.len() < HEAD {
        let bytes = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        // The three bytes of the byte order mark count as blank.
        let blank = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        let length = bytes.iter().take_while(|byte| blank(byte)).count();
        let next = bytes.get(length).copied();
        before.extend_from_slice(&bytes[..length]);
        reader.consume(length);
        if next.is_some() || length == 0 {
            return Ok((before, next == Some(b'<')));
        }
    }
    Ok((before, false))
}
