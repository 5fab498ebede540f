//! Detects the format of a text from its start.
//!
//! `5 3 . .` may be a row or a board by itself; the following lines show which. The lines that were
//! examined are kept and then split like the others. A text that is not made of lines is recognised by its first
//! character.

use std::io::{self, BufRead, Read};

use super::detection_head::DetectionHead;
use super::line_reader::{LineFault, LineReader};
use super::line_stats::LineStats;
use super::record_reader::{ByteReader, RecordLines, RecordReader};
use super::{Format, Options};

/// Number of bytes by which a format is detected.
const HEAD: usize = 64 << 10;

/// Reads as much as is needed to detect the format.
pub(super) fn recognised<'a>(
    mut reader: ByteReader<'a>,
    options: &Options,
) -> Result<(Format, Box<dyn RecordReader + 'a>), LineFault> {
    let (before, first) = opening(&mut reader).map_err(LineFault::Io)?;
    let reader = Box::new(io::Cursor::new(before).chain(reader));
    if let Some((format, parser)) = first.and_then(Format::not_of_lines) {
        return Ok((format, (parser.pieces)(reader)));
    }
    let mut lines = LineReader::new(reader, options);
    let mut head = Vec::new();
    let (mut bytes, mut plain) = (0, 0);
    let mut complete = false;
    // Two rows of the same kind at the start suffice for a list.
    let mut only_plain = true;
    while bytes < HEAD && !(only_plain && plain == 2) {
        let Some(line) = lines.next()? else {
            complete = true;
            break;
        };
        bytes += line.text.len() + 1;
        match LineStats::of(&line.text) {
            Some(row) if row.is_plain_puzzle(options) => plain += 1,
            Some(_) => only_plain = false,
            None => {}
        }
        head.push(line);
    }
    let (format, cut) = Format::of(&DetectionHead::new(&head, complete, options));
    Ok((format, Box::new(RecordLines::new(head, lines, cut))))
}

/// The blank space that a text starts with, and the byte after it.
fn opening(reader: &mut dyn BufRead) -> io::Result<(Vec<u8>, Option<u8>)> {
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
            return Ok((before, next));
        }
    }
    Ok((before, None))
}
