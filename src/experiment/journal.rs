//! The journal: one line for each finished run, appended beside the exported JSON.
//!
//! Rewriting an export of thousands of runs after each of them would take longer than the runs.
//! So a finished run is first appended to `FILE.json.journal`; the export follows when it is
//! cheap, and at the end, when the journal is removed. Its form is that of `record.rs`. It is
//! synced with the first run that ends a second or more after the last time.
//!
//! As long as an experiment runs, its journal is locked: a second one on the same results is
//! refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bounded::results_in;
use crate::lock::lock;
use crate::report::FileIdentity;

/// How much of the work a power failure may take away.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A journal that is open, and locked.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Whether what it held before is of no use any more.
    begun: bool,
}

impl Journal {
    /// Where the journal of an export is.
    pub fn path(export: &Path) -> PathBuf {
        let mut name = export.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    }

    /// Opens the journal of an export, which keeps what it holds; nothing if another process has
    /// it.
    pub fn open(export: &Path) -> io::Result<Option<Self>> {
        Self::open_at(Self::path(export))
    }

    /// Opens a journal; nothing if another process has it.
    ///
    /// # Errors
    /// What the system says, and what is no file: a journal is read, and removed in the end.
    pub fn open_at(path: PathBuf) -> io::Result<Option<Self>> {
        if fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a journal is a file"));
        }
        loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
            if !lock(&file)? {
                return Ok(None);
            }
            // Whoever had it may have removed it before it was locked here.
            if FileIdentity::is_open_at(&path, &file)? {
                return Ok(Some(Self { path, file, synced: Instant::now(), begun: false }));
            }
        }
    }

    /// What it holds.
    pub fn stored(&mut self) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(0))?;
        results_in(&mut self.file)
    }

    /// Begins it anew with a line that says what it is.
    pub fn begin(&mut self, head: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.begun = true;
        self.file.write_all(format!("{head}\n").as_bytes())
    }

    /// Appends the line of a finished run, in one write so that it is complete or was never begun.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Goes on after what it holds, of which so many bytes are whole.
    pub fn go_on(&mut self, whole: u64) -> io::Result<()> {
        self.file.set_len(whole)?;
        self.file.seek(SeekFrom::Start(whole))?;
        self.begun = true;
        Ok(())
    }

    /// Takes it away, once the export holds all of it.
    pub fn remove(self) -> io::Result<()> {
        // The lock goes after the file, with `self`. Somebody else may have taken it away.
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Nothing was begun and nothing was there: an empty file tells nobody anything.
        if !self.begun && self.file.metadata().is_ok_and(|data| data.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
