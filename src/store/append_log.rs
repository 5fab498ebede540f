//! A file that is appended to during runs: a trace, a recording.
//!
//! It is first touched when there is something to write, and has at least a head. A failure ends it and is given
//! to the caller on demand: it must not stop the run.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::checksum::ChecksumWriter;
use super::file_identity::{FileIdentity, lock};
use super::{OutputError, OutputFile, OutputHandle, OutputKind};

/// How old the file may be for a program that follows it.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// An offset up to which a file was written, with a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogOffset {
    /// Bytes.
    pub bytes: u64,
    /// CRC-32 of them.
    pub crc32: u32,
}

type LogWriter = ChecksumWriter<BufWriter<OutputHandle>>;

/// Lines after a head.
#[derive(Debug)]
pub struct AppendLog {
    output: OutputFile,
    head: Vec<u8>,
    writer: Option<LogWriter>,
    flushed: Instant,
    /// Whether it ended with a failure.
    ended: bool,
    failure: Option<io::Error>,
}

impl AppendLog {
    /// Lines that will be written to `output` after a head; `from` an offset on, where they are resumed: the
    /// rest of the file is cut off.
    ///
    /// # Errors
    /// When the bytes before the offset are not those that were written.
    pub fn open(
        output: OutputFile,
        head: Vec<u8>,
        from: Option<LogOffset>,
    ) -> Result<Self, OutputError> {
        let writer = from.map(|offset| cut(&output, offset)).transpose();
        let (writer, flushed) = (writer.map_err(|error| output.error(error))?, Instant::now());
        Ok(Self { output, head, writer, flushed, ended: false, failure: None })
    }

    /// Whether a file has the bytes that were written up to an offset: it was moved, or copied.
    pub fn holds(output: &OutputFile, offset: LogOffset) -> bool {
        output.kind == OutputKind::File
            && File::open(&output.target)
                .and_then(|file| checked(&file, offset))
                .is_ok_and(|hasher| hasher.is_some())
    }

    /// Syncs the file and gives its offset; nothing for a pipe, or after a failure.
    pub fn offset(&mut self) -> Option<LogOffset> {
        self.flush();
        let offset = self.attempt(|writer| match writer.to.get_ref() {
            // A checkpoint must not name rows that a power failure takes away.
            OutputHandle::File(file) => file.sync_data().map(|()| Some(offset(writer))),
            OutputHandle::Pipe(_) => Ok(None),
        });
        offset.flatten()
    }

    /// Writes lines.
    pub fn append(&mut self, lines: &[u8]) {
        let due = self.writer.is_none() || self.flushed.elapsed() > FLUSH_EVERY;
        self.attempt(|writer| writer.write_all(lines));
        if due {
            self.flush();
        }
    }

    /// Writes out the buffer; at least the head.
    pub fn flush(&mut self) {
        self.attempt(Write::flush);
        self.flushed = Instant::now();
    }

    /// Writes out the buffer, and checks that the file is still at its path: one that was removed would be
    /// written on, and lost.
    pub fn finish(&mut self) {
        self.flush();
        let target = self.output.target.clone();
        self.attempt(|writer| match writer.to.get_ref() {
            OutputHandle::File(file) if !FileIdentity::is_open_at(&target, file) => {
                let what = "it was removed while it was being written";
                Err(io::Error::new(io::ErrorKind::NotFound, what))
            }
            _ => Ok(()),
        });
    }

    /// The first failure, if it was not given before: no line after it is written.
    pub fn failure(&mut self) -> Option<OutputError> {
        self.failure.take().map(|error| self.output.error(error))
    }

    /// Whether everything could be written.
    pub fn is_whole(&self) -> bool {
        !self.ended
    }

    /// Writes, and remembers the first failure.
    fn attempt<T>(&mut self, write: impl FnOnce(&mut LogWriter) -> io::Result<T>) -> Option<T> {
        if self.ended {
            return None;
        }
        let written = match &mut self.writer {
            Some(writer) => write(writer),
            None => self.begin().and_then(|writer| write(self.writer.insert(writer))),
        };
        written.map_err(|error| (self.ended, self.failure) = (true, Some(error))).ok()
    }

    fn begin(&self) -> io::Result<LogWriter> {
        let output = self.output.replace_open(b"").map_err(|error| error.error)?;
        // On other systems a file that is locked cannot be read.
        if let (true, OutputHandle::File(file)) = (cfg!(unix), &output) {
            let _ = lock(file);
        }
        let mut writer = ChecksumWriter::new(BufWriter::new(output));
        writer.write_all(&self.head)?;
        Ok(writer)
    }
}

/// The offset of what was written so far.
fn offset<W>(written: &ChecksumWriter<W>) -> LogOffset {
    LogOffset { bytes: written.bytes, crc32: written.checksum() }
}

/// The checksum of the bytes before an offset, if they are those that were written.
fn checked(file: &File, before: LogOffset) -> io::Result<Option<Hasher>> {
    let mut read = ChecksumWriter::new(io::sink());
    io::copy(&mut file.take(before.bytes), &mut read)?;
    Ok((offset(&read) == before).then_some(read.hasher))
}

/// Opens a file at an offset, and cuts off the rest.
fn cut(output: &OutputFile, offset: LogOffset) -> io::Result<LogWriter> {
    let mut file = OpenOptions::new().read(true).write(true).open(&output.target)?;
    if cfg!(unix) && !lock(&file).unwrap_or(true) {
        return Err(io::Error::other("another evodoku process writes it"));
    }
    let Some(hasher) = checked(&file, offset)? else {
        let what = "it was changed after the checkpoint; name a new file for new output";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    };
    file.set_len(offset.bytes)?;
    file.seek(SeekFrom::Start(offset.bytes))?;
    let to = BufWriter::new(OutputHandle::File(file));
    Ok(ChecksumWriter { to, bytes: offset.bytes, hasher })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_taken_away_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.csv");
        for is_replaced in [false, true] {
            let output = OutputFile::new(&path).unwrap();
            let mut log = AppendLog::open(output, b"head\n".to_vec(), None).unwrap();
            log.append(b"one\n");
            log.finish();
            assert!(log.is_whole());
            fs::remove_file(&path).unwrap();
            if is_replaced {
                fs::write(&path, "of somebody else").unwrap();
            }
            log.append(b"two\n");
            log.finish();
            assert!(!log.is_whole());
            let said = log.failure().unwrap().to_string();
            assert!(said.contains("it was removed while it was being written"), "{said}");
        }
    }

    #[test]
    fn lines_are_in_the_file_soon_after_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.csv");
        let output = OutputFile::new(&path).unwrap();
        let mut log = AppendLog::open(output, b"head\n".to_vec(), None).unwrap();
        log.append(b"one\n");
        assert_eq!(fs::read(&path).unwrap(), b"head\none\n");
        log.flushed = Instant::now() + 10 * FLUSH_EVERY;
        log.append(b"two\n");
        assert_eq!(fs::read(&path).unwrap(), b"head\none\n");
        log.flushed = Instant::now() - 2 * FLUSH_EVERY;
        log.append(b"three\n");
        assert_eq!(fs::read(&path).unwrap(), b"head\none\ntwo\nthree\n");
    }

    #[test]
    fn what_stands_behind_a_mark_is_cut_off_and_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.csv");
        let open =
            |from| AppendLog::open(OutputFile::new(&path).unwrap(), b"head\n".to_vec(), from);
        let mut log = open(None).unwrap();
        log.append(b"one\n");
        let offset = log.offset().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"head\none\n");
        log.append(b"two\nthr");
        log.flush();
        drop(log);

        let mut resumed = open(Some(offset)).unwrap();
        assert_eq!(resumed.offset(), Some(offset));
        resumed.append(b"two\n");
        resumed.flush();
        assert_eq!(fs::read(&path).unwrap(), b"head\none\ntwo\n");
        #[cfg(unix)]
        {
            let refused = open(Some(offset)).unwrap_err().to_string();
            assert!(refused.contains("another evodoku process writes it"), "{refused}");
        }
        drop(resumed);

        fs::write(&path, b"head\nONE\ntwo\n").unwrap();
        let refused = open(Some(offset)).unwrap_err().to_string();
        assert!(refused.contains("it was changed after the checkpoint"), "{refused}");
        fs::write(&path, b"head\n").unwrap();
        assert!(open(Some(offset)).is_err());
    }
}
