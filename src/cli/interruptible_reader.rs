//! Input that may be long in coming: what is typed, and what comes through a pipe.
//!
//! A thread of its own reads it, so that whoever wants the next bytes can look meanwhile whether the
//! user still does. Once everything is to end, it is as if the input ended; the thread is left to
//! wait and goes with the process.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use crate::util::interrupt::INTERRUPT;

/// A reader that ends when the user wants the end.
pub struct InterruptibleReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    /// Bytes of it that are read.
    read: usize,
}

impl InterruptibleReader {
    /// Reads `reader` elsewhere, no more than a chunk ahead.
    pub fn new(mut reader: Box<dyn BufRead + Send>) -> Self {
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
