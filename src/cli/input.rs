//! Flags that say how puzzles are read, and the message when several box shapes fit.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::output::Logger;
use crate::board::Geometry;
use crate::format::{Alphabet, InputError, Options, ParsedPuzzle, PuzzleReader, TextSource};
use crate::util::interrupt::INTERRUPT;

/// Flags that say how puzzles are read.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Rows and columns of a box, as in 2x3 (default: the squarest that fits)
    #[arg(long = "box", value_name = "RxC")]
    shape: Option<Geometry>,
    /// Characters of the values 1, 2, ... where each cell is one character, as in
    /// 0123456789ABCDEF; a blank is a point, and 0 where it is no value
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<Alphabet>,
}

impl InputArgs {
    /// The flags as a checkpoint stores them.
    ///
    /// # Errors
    /// When the text is no shape or no alphabet.
    pub fn of(shape: Option<&str>, alphabet: Option<&str>) -> Result<Self> {
        let shape = shape.map(str::parse).transpose()?;
        Ok(Self { shape, alphabet: alphabet.map(str::parse).transpose()? })
    }

    /// The options of the reader.
    pub fn options(&self) -> Options {
        Options { shape: self.shape, alphabet: self.alphabet.clone() }
    }

    /// Every puzzle of every argument, read one at a time. An error in an argument or a puzzle does not
    /// end the iterator; an interrupt does.
    pub fn readings(&self, arguments: &[OsString]) -> impl Iterator<Item = Result<ParsedPuzzle>> {
        let options = self.options();
        arguments.iter().flat_map(move |argument| {
            let (puzzles, fault) = match open(argument, &options) {
                Ok(puzzles) => (Some(puzzles), None),
                Err(error) => (None, Some(Err(error.into()))),
            };
            let readings = puzzles.into_iter().flatten().map(|reading| Ok(reading?));
            fault.into_iter().chain(readings).take_while(|_| !INTERRUPT.is_requested())
        })
    }
}

/// The puzzles of an argument. An interrupt ends a stream that may block.
fn open(argument: &OsString, options: &Options) -> Result<PuzzleReader<'static>, InputError> {
    let mut source = TextSource::open(argument)?;
    if source.may_wait {
        source.reader = Box::new(InterruptibleReader::new(source.reader));
    }
    Ok(source.puzzles(options))
}

/// Says which boxes were taken if others fit too.
pub fn say_shape(reading: &ParsedPuzzle, notes: Logger) {
    if let Some(other) = reading.others.first() {
        notes.say(&format!(
            "{}: taking boxes of {}; --box {other} would fit as well",
            reading.puzzle.name, reading.puzzle.geometry
        ));
    }
}

/// A reader of a terminal or a pipe that ends at an interrupt.
///
/// A thread reads, so that the caller can poll the interrupt while it waits. The thread is left
/// behind and ends with the process.
struct InterruptibleReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    /// Bytes of the chunk that were read.
    read: usize,
}

impl InterruptibleReader {
    /// Reads no more than one chunk ahead.
    fn new(mut reader: Box<dyn BufRead + Send>) -> Self {
        let (chunk, chunks) = sync_channel(0);
        thread::spawn(move || {
            loop {
                let next = match reader.fill_buf() {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    next => next.map(<[u8]>::to_vec),
                };
                let last = next.as_ref().map_or(true, |bytes| bytes.is_empty());
                if let Ok(bytes) = &next {
                    reader.consume(bytes.len());
                }
                if chunk.send(next).is_err() || last {
                    return;
                }
            }
        });
        Self { chunks, chunk: Vec::new(), read: 0 }
    }
}

impl BufRead for InterruptibleReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.chunk.len() {
            self.read = 0;
            self.chunk =
                INTERRUPT.receive(&self.chunks, Duration::ZERO).transpose()?.unwrap_or_default();
        }
        Ok(&self.chunk[self.read..])
    }

    fn consume(&mut self, length: usize) {
        self.read += length;
    }
}

impl Read for InterruptibleReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

/// Whether an argument is a pipe, a terminal or a device: its puzzles may be long in coming, and are read but
/// once.
pub fn is_piped(argument: &OsStr) -> bool {
    argument == "-" || fs::metadata(argument).is_ok_and(|data| !data.is_file())
}
