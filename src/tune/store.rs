//! The runs of a tuning that are finished: each a sealed line, kept in a journal as it ends.
//!
//! A tuning depends on its spec and seed alone, so that one that goes on asks for the same runs again,
//! and takes from the journal those that are there. A journal begins with a head that names the version
//! of runs and a fingerprint of what runs depend on beside what is tuned; a larger budget, other ranges
//! or another seed leave it of use.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::RESULTS_VERSION;
use crate::experiment::{Journal, StopCause, is_blank, line_of};
use crate::seal::unseal;

/// The version of the form that lines have.
const RECORD_VERSION: u32 = 1;

/// What a journal begins with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    kind: String,
    record: u32,
    version: String,
    results_version: u32,
    fingerprint: String,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrialRecord {
    /// Whether its puzzle is one of validation.
    pub validation: bool,
    /// The number of its puzzle in its list, from 1.
    pub place: usize,
    /// The puzzle's name.
    pub puzzle: String,
    /// What the candidate sets, as `name=value name=value`.
    pub set: String,
    /// The seed.
    pub seed: u64,
    /// What ended it.
    pub stop_reason: StopCause,
    /// The best board's fitness.
    pub fitness: u16,
    /// Evaluations plus moves.
    pub work: u64,
    /// Wall time.
    pub seconds: f64,
}

/// What a run is recognised by: list, puzzle, what is set, seed.
pub(super) type Key = (bool, usize, String, u64);

impl TrialRecord {
    /// What it is recognised by.
    pub fn key(&self) -> Key {
        (self.validation, self.place, self.set.clone(), self.seed)
    }

    /// Whether there is a solution.
    pub fn solved(&self) -> bool {
        matches!(self.stop_reason, StopCause::Solved | StopCause::Presolved)
    }
}

/// Why a journal is not gone on with.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another process writes it.
    #[error("another tuning that still runs writes {}", .0.display())]
    Locked(PathBuf),
    /// It holds runs, and nobody said what is done about them.
    #[error(
        "{} holds runs of an earlier tuning: --resume goes on with them, --overwrite begins anew",
        .0.display()
    )]
    Earlier(PathBuf),
    /// A line is not as it was written, or does not belong here.
    #[error("{}, line {line}: {what}, so it is not resumed over", .path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// All runs that are finished.
#[derive(Debug, Default)]
pub(super) struct Store {
    journal: Option<(PathBuf, Journal)>,
    known: HashMap<Key, TrialRecord>,
    /// Those that were asked for this time, in order.
    asked: Vec<Key>,
}

/// What is done about the runs that an earlier tuning left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// They are kept, and nothing is run.
    Kept,
    /// They are gone on with.
    Resumed,
    /// They are thrown away.
    Overwritten,
}

impl Store {
    /// Opens the journal at a path, if there is to be one.
    ///
    /// # Errors
    /// [`StoreError`] when it is not to be had, or holds what may not be lost.
    pub fn open(
        path: Option<&Path>,
        fingerprint: &str,
        earlier: Earlier,
    ) -> Result<Self, StoreError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let unwritable = |error| StoreError::Unwritable { path: path.to_owned(), error };
        let unreadable = |error| StoreError::Unreadable { path: path.to_owned(), error };
        let opened = Journal::open_at(path.to_owned()).map_err(unwritable)?;
        let mut journal = opened.ok_or_else(|| StoreError::Locked(path.to_owned()))?;
        let bytes = journal.stored().map_err(unreadable)?;
        let head = line_of(&Head::new(fingerprint));
        // Of a journal whose head was cut off there is nothing to lose.
        let is_blank = is_blank(&bytes) || head.as_bytes().starts_with(&bytes);
        let mut store = Self::default();
        match earlier {
            Earlier::Kept if !is_blank => return Err(StoreError::Earlier(path.to_owned())),
            Earlier::Resumed if !is_blank => {
                let whole = store.read(path, &bytes, fingerprint)?;
                journal.go_on(whole).map_err(unwritable)?;
            }
            _ => journal.begin(&head).map_err(unwritable)?,
        }
        store.journal = Some((path.to_owned(), journal));
        Ok(store)
    }

    /// Takes in the lines of a journal but for a last one that is torn; gives the bytes of the others.
    fn read(&mut self, path: &Path, bytes: &[u8], fingerprint: &str) -> Result<u64, StoreError> {
        let mut whole = 0;
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        for (number, bytes) in lines.iter().enumerate() {
            let taken = match (str::from_utf8(bytes), number) {
                (Err(error), _) => Err(error.to_string()),
                (Ok(head), 0) => Head::check(head, fingerprint),
                (Ok(line), _) => self.take(line),
            };
            match taken {
                Ok(()) => whole += bytes.len() as u64,
                Err(_) if number > 0 && number + 1 == lines.len() => break,
                Err(what) => {
                    let (path, line) = (path.to_owned(), number + 1);
                    return Err(StoreError::Line { path, line, what });
                }
            }
        }
        Ok(whole)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let line = line.strip_suffix('\n').ok_or("it has no end")?;
        let object = unseal(line).map_err(|broken| broken.to_string())?;
        let record: TrialRecord =
            serde_json::from_str(&object).map_err(|error| error.to_string())?;
        self.known.insert(record.key(), record);
        Ok(())
    }

    /// A run that is finished.
    pub fn get(&self, key: &Key) -> Option<&TrialRecord> {
        self.known.get(key)
    }

    /// Runs that are finished.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Notes that a run was asked for.
    pub fn ask(&mut self, key: Key) {
        self.asked.push(key);
    }

    /// Those that were asked for, in order.
    pub fn asked(&self) -> impl Iterator<Item = &TrialRecord> {
        self.asked.iter().filter_map(|key| self.known.get(key))
    }

    /// Takes in a finished run, and notes it in the journal.
    ///
    /// # Errors
    /// When the journal cannot be written: what is run from then on would be lost.
    pub fn insert(&mut self, record: TrialRecord) -> Result<(), StoreError> {
        if let Some((path, journal)) = &mut self.journal {
            let unwritable = |error| StoreError::Unwritable { path: path.clone(), error };
            journal.append(&line_of(&record)).map_err(unwritable)?;
        }
        self.known.insert(record.key(), record);
        Ok(())
    }
}

impl Head {
    fn new(fingerprint: &str) -> Self {
        Self {
            kind: "tune".to_owned(),
            record: RECORD_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            results_version: RESULTS_VERSION,
            fingerprint: fingerprint.to_owned(),
        }
    }

    fn check(line: &str, fingerprint: &str) -> Result<(), String> {
        let object = unseal(line.trim_end()).map_err(|broken| broken.to_string())?;
        let head: Self = serde_json::from_str(&object).map_err(|error| error.to_string())?;
        if (head.kind.as_str(), head.record) != ("tune", RECORD_VERSION) {
            return Err("it is no journal of a tuning that is known here".to_owned());
        }
        if head.results_version != RESULTS_VERSION {
            let found = head.results_version;
            return Err(format!("its runs are of results version {found}, not {RESULTS_VERSION}"));
        }
        if head.fingerprint != fingerprint {
            return Err(
                "it is of another method, other puzzles or other fixed parameters".to_owned()
            );
        }
        Ok(())
    }
}
