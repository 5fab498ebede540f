//! Reads recordings: whole, or up to where they were torn off.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::schema::{FORM, Frame, HeaderLine, Line, RecordingEnd, RunHeader};
use crate::board::Puzzle;
use crate::format;
use crate::store::parse_line;
use crate::util::sanitize;

/// Bytes of a recording that are read at most; what follows them is left out.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes of a line at most: the boards of the largest shape take 40 kB.
const LONGEST_LINE: u64 = 1 << 20;

/// Why a file is not played.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// It does not begin as recordings do.
    #[error("{} is no recording, which solve --record writes", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A later program wrote it.
    #[error(
        "{} is a recording of form {form}, which evodoku {version} wrote; this one reads forms up to {FORM}",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        form: u32,
        /// The program that wrote it.
        version: String,
    },
    /// No generation was recorded.
    #[error("{} holds no generation", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A recording.
#[derive(Debug, Default)]
pub struct RecordingFile {
    /// Its runs, each with a frame at least.
    pub runs: Vec<RecordedRun>,
    /// The line, from 1, from which on it cannot be read.
    pub torn: Option<usize>,
}

/// A run of a recording.
#[derive(Debug)]
pub struct RecordedRun {
    /// Its puzzle, preset and seed.
    pub facts: RunHeader,
    /// Its puzzle.
    pub puzzle: Puzzle,
    /// Its generations.
    pub frames: Vec<RecordedFrame>,
    /// How it ended, unless the recording ended before.
    pub end: Option<RecordingEnd>,
}

/// A generation of a recorded run.
#[derive(Debug)]
pub struct RecordedFrame {
    /// Its figures.
    pub frame: Frame,
    /// Cells in which its best board differs from the one before, and their values.
    put: Box<[(u16, u8)]>,
}

impl RecordedFrame {
    /// Makes its best board of the one before; of the givens at first.
    pub fn apply(&self, board: &mut [u8]) {
        for (cell, value) in &self.put {
            if let Some(held) = board.get_mut(usize::from(*cell)) {
                *held = *value;
            }
        }
    }
}

/// Reads a recording, of which everything is kept up to a line that is not as it was written.
///
/// # Errors
/// `RecordingError` when it is none, of a later form, or without any generation.
pub fn read_recording(path: &Path) -> Result<RecordingFile, RecordingError> {
    let path_of = || path.to_owned();
    let unreadable = |error| RecordingError::Unreadable { path: path_of(), error };
    let file = File::open(path).map_err(unreadable)?;
    let mut reader = BufReader::new(file.take(MOST_BYTES));
    let first = next_line(&mut reader).map_err(unreadable)?;
    let head = first.as_deref().and_then(parsed::<HeaderLine>);
    let Some(HeaderLine { recording: head }) = head else {
        return Err(RecordingError::Foreign { path: path_of() });
    };
    if head.form > FORM {
        let version = sanitize::line(&head.version, 32);
        return Err(RecordingError::Newer { path: path_of(), form: head.form, version });
    }
    let mut recorded = RecordingFile::default();
    let mut number = 1;
    while let Some(text) = next_line(&mut reader).map_err(unreadable)? {
        number += 1;
        if parsed(&text).and_then(|line| recorded.take(line)).is_none() {
            recorded.torn = Some(number);
            break;
        }
    }
    recorded.runs.retain(|run| !run.frames.is_empty());
    if recorded.runs.is_empty() {
        return Err(RecordingError::Empty { path: path_of() });
    }
    Ok(recorded)
}

/// The next line without its end; nothing at the end of the file.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok(if line.is_empty() { None } else { Some(line) })
}

/// The content of a line, if it is as it was written.
fn parsed<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    parse_line(text).ok()
}

impl RecordingFile {
    /// Takes a line in; nothing if it does not follow from those before it.
    fn take(&mut self, line: Line) -> Option<()> {
        match line {
            Line::Run(facts) => {
                let shape = facts.shape.parse().ok()?;
                let puzzle = format::read(&facts.givens, &facts.name, Some(shape)).ok()?.puzzle;
                self.runs.push(RecordedRun { facts, puzzle, frames: Vec::new(), end: None });
            }
            Line::Frame(line) => {
                let run = self.runs.last_mut().filter(|run| run.end.is_none())?;
                let geometry = run.puzzle.geometry;
                let put = line.put.chunks(2).map(|pair| {
                    let [cell, value] = <[u16; 2]>::try_from(pair).ok()?;
                    let known = usize::from(cell) < geometry.cells();
                    let known = known && usize::from(value) <= geometry.side();
                    known.then_some((cell, value as u8))
                });
                let (frame, put) = (line.frame(), put.collect::<Option<_>>()?);
                run.frames.push(RecordedFrame { frame, put });
            }
            Line::End(end) => {
                let run = self.runs.last_mut().filter(|run| run.end.is_none())?;
                run.end = Some(end);
            }
        }
        Some(())
    }
}
