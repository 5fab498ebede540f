//! The journal: finished runs, one a line, appended as they end.
//!
//! ```text
//! {"kind":"journal","record":3,"version":"0.1.0","results_version":6,"crc32":"..."}    the header
//! {"kind":"evolved","record":3,"cell":1,"name":"003-4x4",...,"crc32":"..."}            a run
//! {"kind":"evolved","record":3,"ce                                                     torn by a kill
//! ```
//!
//! To write all results again after each of thousands of runs would take longer than the runs. So a finished
//! run is appended here, in one write. The file is synced with the first run that ends a second or more after
//! the last time: a kill loses at most the line that was being written, a power failure the runs of a second. A
//! last line that is torn or changed is left out and its run is carried out again; damage before it, another
//! version of runs or another form is refused.
//!
//! As long as its command runs, a journal is locked: a second command on the same one is refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file_identity::open_locked;
use super::{LineError, OutputError, OutputFile, json_line, parse_line};
use crate::util::RESULTS_VERSION;
use crate::util::memory::read_results;

/// The work that a power failure may lose.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The treatment of results that an earlier command left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingOutput {
    /// They stay: nothing is run.
    Refuse,
    /// They are read, and missing runs are carried out. Nothing is run where any of them is not planned.
    Resume,
    /// They are read as for `Resume`, but results that are not planned are dropped.
    Trim,
    /// They are dropped.
    Overwrite,
}

/// Results that cannot be resumed, or cannot be stored.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read.
    #[error("cannot read {}: {_1}", .0.display())]
    Unreadable(PathBuf, io::Error),
    /// A file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] OutputError),
    /// Another process writes it.
    #[error("another evodoku process is writing {}", .0.display())]
    Locked(PathBuf),
    /// There are earlier results, and neither flag says what is done about them.
    #[error(
        "{} holds earlier results: use --resume to complete them, or --overwrite to replace them",
        .0.display()
    )]
    Existing(PathBuf),
    /// A file in the place of a journal is something else.
    #[error("{} is not a journal and would be overwritten: move it, or name another file", .0.display())]
    NotAJournal(PathBuf),
    /// A file is something else, was changed, or is of another version.
    #[error("{} {_1}", .0.display())]
    Unusable(PathBuf, String),
    /// A record was changed, or does not belong here.
    #[error("{}, {entry} {number}: {what}; nothing in the file was used", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// `run` of an export, `line` of a journal.
        entry: &'static str,
        /// Which one, from 1.
        number: usize,
        /// The reason.
        what: String,
    },
}

impl StoreError {
    /// Checks that a file's runs are of this version: in others the same seeds gave other runs.
    ///
    /// # Errors
    /// [`Unusable`](Self::Unusable) when they are not.
    pub fn check_version(path: &Path, version: &str, found: u32) -> Result<(), Self> {
        if found == RESULTS_VERSION {
            return Ok(());
        }
        let what = format!(
            "holds runs of evodoku {version} with results version {found}, not {RESULTS_VERSION}: \
             use the evodoku that wrote it, or start over"
        );
        Err(Self::Unusable(path.to_owned(), what))
    }

    /// A line that is refused.
    pub fn of_line(path: &Path, entry: &'static str, number: usize, error: &LineError) -> Self {
        Self::Record { path: path.to_owned(), entry, number, what: error.to_string() }
    }
}

/// The first line of a journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalHeader {
    kind: String,
    /// The version of the form that its lines have.
    record: u32,
    version: String,
    results_version: u32,
    /// A fingerprint of all that its runs depend on (method, puzzles, fixed parameters), where the lines do not
    /// have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

impl JournalHeader {
    /// The header of a journal that this program writes.
    pub fn new(kind: &str, record: u32, fingerprint: Option<&str>) -> Self {
        Self {
            kind: kind.to_owned(),
            record,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            results_version: RESULTS_VERSION,
            fingerprint: fingerprint.map(str::to_owned),
        }
    }

    /// Checks that a first line is such a header.
    fn check(&self, path: &Path, line: &str) -> Result<(), StoreError> {
        let of_line = |error| StoreError::of_line(path, "line", 1, &error);
        let foreign = |what: String| Err(of_line(LineError::Foreign(what)));
        let found: Self = parse_line(line).map_err(of_line)?;
        if (&found.kind, found.record) != (&self.kind, self.record) {
            let (kind, record) = (&self.kind, self.record);
            return foreign(format!(
                "it is a journal of {} in format {}, not of {kind} in format {record}",
                found.kind, found.record
            ));
        }
        StoreError::check_version(path, &found.version, found.results_version)?;
        if found.fingerprint != self.fingerprint {
            let what = "it is for another method, other puzzles or other fixed parameters";
            return foreign(what.to_owned());
        }
        Ok(())
    }
}

/// A journal that is open, and locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Whether it has a header that this process wrote or continues after.
    begun: bool,
}

impl Journal {
    /// Where the journal of an export is: if that is a link, beside what it leads to.
    pub fn beside(export: &Path) -> PathBuf {
        OutputFile::named(export).target.with_added_extension("journal")
    }

    /// Whether a file holds nothing or a journal, be it of another version: no other may be lost.
    pub fn is_journal_or_blank(content: &[u8]) -> bool {
        const START: &[u8] = b"{\"kind\":\"journal\",";
        is_blank(content) || content.starts_with(START) || START.starts_with(content)
    }

    /// Opens a journal, which keeps what it holds.
    ///
    /// # Errors
    /// The error of the system, also for a pipe or a device (a journal is read, and removed in the end), and
    /// [`StoreError::Locked`] where another process has it.
    pub fn open(path: PathBuf) -> Result<Self, StoreError> {
        let opened = match fs::metadata(&path) {
            Ok(data) if !data.is_file() => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, "a journal must be a file"))
            }
            _ => open_locked(
                &path,
                OpenOptions::new().read(true).write(true).create(true).truncate(false),
            ),
        };
        match opened {
            Ok(Some(file)) => Ok(Self { path, file, synced: Instant::now(), begun: false }),
            Ok(None) => Err(StoreError::Locked(path)),
            Err(error) => Err(OutputError { path, error }.into()),
        }
    }

    /// Its content.
    ///
    /// # Errors
    /// The error of the system, also for more than a quarter of the memory.
    pub fn content(&mut self) -> Result<Vec<u8>, StoreError> {
        let content = self.file.seek(SeekFrom::Start(0)).and_then(|_| read_results(&self.file));
        content.map_err(|error| StoreError::Unreadable(self.path.clone(), error))
    }

    /// Begins it again, with this header.
    ///
    /// # Errors
    /// The error of the system.
    pub fn begin(&mut self, header: &JournalHeader) -> Result<(), StoreError> {
        self.cut(0)?;
        self.append(&json_line(header))
    }

    /// Continues after its first bytes, and cuts off the rest.
    ///
    /// # Errors
    /// The error of the system.
    pub fn cut(&mut self, bytes: u64) -> Result<(), StoreError> {
        self.begun = true;
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::Start(bytes)));
        cut.map(drop).map_err(|error| self.unwritable(error))
    }

    /// Appends a line, in one write so that it is complete or was never begun.
    ///
    /// # Errors
    /// The error of the system: further runs would be lost.
    pub fn append(&mut self, line: &str) -> Result<(), StoreError> {
        let mut written = self.file.write_all(format!("{line}\n").as_bytes());
        if self.synced.elapsed() >= SYNC_EVERY {
            written = written.and_then(|()| self.file.sync_data());
            self.synced = Instant::now();
        }
        written.map_err(|error| self.unwritable(error))
    }

    /// Removes it, once an export has all of it. The lock is released after that, with `self`.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(self) -> Result<(), StoreError> {
        match fs::remove_file(&self.path) {
            // Another process or the user may have removed it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.unwritable(error)),
            _ => Ok(()),
        }
    }

    fn unwritable(&self, error: io::Error) -> StoreError {
        OutputError { path: self.path.clone(), error }.into()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // It was not begun and had no content: an empty file is of no use.
        if !self.begun && self.file.metadata().is_ok_and(|data| data.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Passes each line of a journal after its header to `take`, except for a last line that was changed or torn.
/// Returns the number of whole bytes; 0 when the header itself was torn.
///
/// # Errors
/// [`StoreError`] when it is of another kind or version, or another line is wrong.
pub fn read_journal(
    path: &Path,
    bytes: &[u8],
    header: &JournalHeader,
    mut take: impl FnMut(&str) -> Result<(), LineError>,
) -> Result<u64, StoreError> {
    let mut whole = 0;
    // Bytes after the last end of a line are a torn line.
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let mut lines = lines.filter_map(|line| line.strip_suffix(b"\n")).enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let text = str::from_utf8(line).map_err(|error| LineError::Damaged(error.to_string()));
        let taken = match text {
            Ok(text) if number == 0 => {
                header.check(path, text)?;
                Ok(())
            }
            text => text.and_then(&mut take),
        };
        match taken {
            Ok(()) => whole += line.len() as u64 + 1,
            Err(LineError::Damaged(_)) if number > 0 && lines.peek().is_none() => break,
            Err(error) => return Err(StoreError::of_line(path, "line", number + 1, &error)),
        }
    }
    Ok(whole)
}

/// The content of a file of results.
///
/// # Errors
/// The error of the system, also for more than a quarter of the memory.
pub fn read_file(path: &Path) -> Result<Vec<u8>, StoreError> {
    let content = File::open(path).and_then(read_results);
    content.map_err(|error| StoreError::Unreadable(path.to_owned(), error))
}

/// Whether a file holds nothing: it was emptied by a crash, or grew and was never written.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Pair {
        pair: (&'static str, u8),
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_all_else_that_is_wrong_is_told() {
        let header = JournalHeader::new("test", 1, Some("f"));
        let lines = [
            json_line(&header),
            json_line(&Pair { pair: ("a", 1) }),
            json_line(&Pair { pair: ("b", 2) }),
        ];
        let lines = lines.map(|line| line + "\n");
        let read = |text: &str, expected: &JournalHeader| {
            let mut taken = 0;
            let whole = read_journal(Path::new("j"), text.as_bytes(), expected, |line| {
                taken += 1;
                parse_line::<serde_json::Value>(line).map(drop)
            });
            whole.map(|whole| (taken, whole as usize)).map_err(|error| error.to_string())
        };
        let whole = lines.concat();
        let two = lines[0].len() + lines[1].len();
        assert_eq!(read(&whole, &header), Ok((2, whole.len())));
        for cut in two..whole.len() {
            assert_eq!(read(&whole[..cut], &header), Ok((1, two)), "{cut}");
        }
        for cut in 0..lines[0].len() {
            assert_eq!(read(&whole[..cut], &header), Ok((0, 0)), "{cut}");
        }
        let changed = whole.replacen("[\"b\",2]", "[\"b\",3]", 1);
        assert_eq!(read(&changed, &header), Ok((2, two)));
        for (text, expected) in [
            (whole.replacen("[\"a\",1]", "[\"a\",2]", 1), "j, line 2: its checksum does not match"),
            (lines[1].clone() + &lines[2], "j, line 1: "),
            (whole.replacen("test", "tset", 1), "j, line 1: its checksum does not match"),
        ] {
            let refused = read(&text, &header).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
        for (kind, record, fingerprint) in [("other", 1, "f"), ("test", 2, "f"), ("test", 1, "g")] {
            let other = JournalHeader::new(kind, record, Some(fingerprint));
            assert!(read(&whole, &other).unwrap_err().starts_with("j, line 1: it is "));
        }
    }

    #[test]
    fn it_goes_on_after_what_is_whole_and_leaves_nothing_where_nothing_was_begun() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        drop(Journal::open(path.clone()).unwrap());
        assert!(!path.exists());
        fs::write(&path, "head\none\ntw").unwrap();
        let mut journal = Journal::open(path.clone()).unwrap();
        assert!(matches!(Journal::open(path.clone()), Err(StoreError::Locked(_))) || !cfg!(unix));
        assert_eq!(journal.content().unwrap(), b"head\none\ntw");
        journal.cut(9).unwrap();
        journal.append("two").unwrap();
        assert_eq!(journal.content().unwrap(), b"head\none\ntwo\n");
        journal.remove().unwrap();
        assert!(!path.exists());
    }
}
