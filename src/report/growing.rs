//! A file that grows while runs go on: a trace, a recording.
//!
//! It is first touched when there is something to write, and holds a head if nothing else. A
//! failure ends it and is told when it is asked for: those who are watched must not be stopped.

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use super::file::Opened;
use super::{OutputError, OutputFile};

/// How stale the file may be for those who read along.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// Lines after a head.
#[derive(Debug)]
pub struct Growing {
    output: OutputFile,
    head: Vec<u8>,
    writer: Option<BufWriter<Opened>>,
    flushed: Instant,
    /// Whether it ended with a failure.
    ended: bool,
    failure: Option<io::Error>,
}

impl Growing {
    /// Nothing is written yet.
    pub fn new(output: OutputFile, head: Vec<u8>) -> Self {
        let flushed = Instant::now();
        Self { output, head, writer: None, flushed, ended: false, failure: None }
    }

    /// Writes lines.
    pub fn append(&mut self, lines: &[u8]) {
        let due = self.writer.is_none() || self.flushed.elapsed() > FLUSH_EVERY;
        self.attempt(|writer| writer.write_all(lines));
        if due {
            self.flush();
        }
    }

    /// Writes out what is still held back; the head if nothing else.
    pub fn flush(&mut self) {
        self.attempt(BufWriter::flush);
        self.flushed = Instant::now();
    }

    /// The first failure, if it was not asked for before: what follows it is not written.
    pub fn failure(&mut self) -> Option<OutputError> {
        self.failure.take().map(|error| self.output.error(error))
    }

    /// Whether everything could be written.
    pub fn is_whole(&self) -> bool {
        !self.ended
    }

    /// Writes, and remembers the first failure.
    fn attempt(&mut self, write: impl FnOnce(&mut BufWriter<Opened>) -> io::Result<()>) {
        if self.ended {
            return;
        }
        let written = match &mut self.writer {
            Some(writer) => write(writer),
            None => self.open().and_then(|mut writer| {
                write(&mut writer)?;
                self.writer = Some(writer);
                Ok(())
            }),
        };
        if let Err(error) = written {
            self.ended = true;
            self.failure = Some(error);
        }
    }

    fn open(&self) -> io::Result<BufWriter<Opened>> {
        let output = self.output.replace_open(b"").map_err(|error| error.error)?;
        let mut writer = BufWriter::new(output);
        writer.write_all(&self.head)?;
        Ok(writer)
    }
}
