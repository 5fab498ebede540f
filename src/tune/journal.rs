//! The finished runs of a tuning in a [`Journal`], to which each is appended as it ends.
//!
//! A tuning depends on its spec and seed alone, so that a resumed one needs the same runs again, and
//! takes from the journal those that are there. The journal's fingerprint is of all that runs depend on apart
//! from the tuned parameters; with a larger budget, other ranges or another seed it can be used further.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::spec::Cost;
use crate::experiment::StopCause;
use crate::store::{
    ExistingOutput, Journal, JournalHeader, LineError, StoreError, is_blank, json_line, parse_line,
    read_journal,
};

/// The kind of the journal, and the version of the form that lines have.
const KIND: &str = "tune";
const RECORD_VERSION: u32 = 1;

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
    /// The parameters that the candidate sets, as `name=value name=value`.
    pub set: String,
    /// The seed.
    pub seed: u64,
    /// The cause that ended it.
    pub stop_reason: StopCause,
    /// The best board's fitness.
    pub fitness: u16,
    /// Evaluations plus moves.
    pub work: u64,
    /// Wall time.
    pub seconds: f64,
}

/// The key of a run: list, puzzle, parameters that are set, seed.
pub(super) type TrialKey = (bool, usize, String, u64);

impl TrialRecord {
    /// Its key.
    pub fn key(&self) -> TrialKey {
        (self.validation, self.place, self.set.clone(), self.seed)
    }

    /// Whether there is a solution, and not too late.
    pub fn solved(&self, cost: &Cost) -> bool {
        let found = matches!(self.stop_reason, StopCause::Solved | StopCause::Presolved);
        found && !cost.is_late(self.work)
    }
}

/// All runs that are finished, and the journal that keeps them, if one does.
#[derive(Debug, Default)]
pub(super) struct TrialJournal {
    journal: Option<Journal>,
    /// All runs that are finished.
    pub known: HashMap<TrialKey, TrialRecord>,
    /// The runs that this tuning needed, in order.
    pub needed: Vec<TrialKey>,
}

impl TrialJournal {
    /// Opens the journal, if a path is given.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be opened, or holds runs that must not be lost.
    pub fn open(
        path: Option<&Path>,
        fingerprint: &str,
        existing: ExistingOutput,
    ) -> Result<Self, StoreError> {
        let mut trials = Self::default();
        let Some(path) = path else { return Ok(trials) };
        let mut journal = Journal::open(path.to_owned())?;
        let bytes = journal.content()?;
        let header = JournalHeader::new(KIND, RECORD_VERSION, Some(fingerprint));
        let mut whole = 0;
        // Of a journal whose header was cut off there is nothing to lose.
        if !is_blank(&bytes) && !json_line(&header).as_bytes().starts_with(bytes.trim_ascii_end()) {
            let own = bytes.starts_with(b"{\"kind\":") && bytes.contains(&b'\n');
            whole = match existing {
                // What is no journal is not written over.
                _ if !own => return Err(StoreError::NotAJournal(path.to_owned())),
                ExistingOutput::Refuse => return Err(StoreError::Existing(path.to_owned())),
                ExistingOutput::Overwrite => 0,
                _ => read_journal(path, &bytes, &header, |line| trials.take(line))?,
            };
        }
        if whole > 0 {
            journal.cut(whole)?
        } else {
            journal.begin(&header)?
        }
        trials.journal = Some(journal);
        Ok(trials)
    }

    fn take(&mut self, line: &str) -> Result<(), LineError> {
        let record: TrialRecord = parse_line(line)?;
        self.known.insert(record.key(), record);
        Ok(())
    }

    /// Takes in a finished run, and notes it in the journal.
    ///
    /// # Errors
    /// When the journal cannot be written: what is run from then on would be lost.
    pub fn insert(&mut self, record: TrialRecord) -> Result<(), StoreError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&json_line(&record))?;
        }
        self.known.insert(record.key(), record);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_without_runs_holds_nothing_to_lose() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open =
            |fingerprint| TrialJournal::open(Some(&path), fingerprint, ExistingOutput::Refuse);
        for _ in 0..2 {
            open("one").unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
        assert!(matches!(open("other"), Err(StoreError::Existing(_))));
    }
}
