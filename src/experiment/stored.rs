//! Results read back from an export and its journal, so that only what is missing is run.
//!
//! Nothing is taken on trust: every record has its checksum, and must be of a run of the plan, with
//! the puzzle and the configuration that the plan gives it. A solution is verified again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use thiserror::Error;

use super::Results;
use super::record::{JournalHead, RecordKind, read as read_record};
use super::restored::{Unfit, restored, tagged};
use crate::RESULTS_VERSION;

/// Why stored results are not continued.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is something else, or was changed.
    #[error("{} is no results file of an experiment, so it is not resumed over: {what}", .path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A record is not as it was written, or not of this plan.
    #[error("{}, {entry} {number}: {what}, so it is not resumed over", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// `run` of an export, `line` of a journal.
        entry: &'static str,
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// It belongs to another spec.
    #[error(
        "{} holds the results of another spec (fingerprint {found}, not {expected}), so it is not resumed over",
        .path.display()
    )]
    OtherSpec {
        /// The file.
        path: PathBuf,
        /// Its fingerprint.
        found: String,
        /// The spec's.
        expected: String,
    },
    /// Its runs are of a version in which the same seeds gave others.
    #[error(
        "{} holds runs of results version {found} (evodoku {version}), and this is {RESULTS_VERSION}: \
         their runs differ, so it is not resumed over",
        .path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version of its runs.
        found: u32,
        /// The program that wrote it.
        version: String,
    },
}

/// An exported file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body<'a> {
    kind: String,
    version: String,
    results_version: u32,
    #[serde(rename = "experiment")]
    _experiment: IgnoredAny,
    fingerprint: String,
    #[serde(rename = "cells")]
    _cells: IgnoredAny,
    #[serde(borrow)]
    runs: Vec<&'a RawValue>,
}

impl Results<'_> {
    /// Takes in the runs of an exported JSON file. One that a crash has emptied holds none.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, is of another spec or version, or a record is wrong.
    pub fn resume(&mut self, path: &Path) -> Result<(), ResumeError> {
        let unreadable = |error| ResumeError::Unreadable { path: path.to_owned(), error };
        let bytes = fs::read(path).map_err(unreadable)?;
        if is_blank(&bytes) {
            return Ok(());
        }
        let body: Body = serde_json::from_slice(&bytes).map_err(|error| none(path, &error))?;
        if body.kind != "experiment" {
            return Err(none(path, &format!("it is of kind '{}'", body.kind)));
        }
        self.check(path, &body.version, body.results_version, body.fingerprint)?;
        for (number, run) in body.runs.iter().enumerate() {
            self.restore(run.get()).map_err(|unfit| record(path, "run", number + 1, unfit))?;
        }
        Ok(())
    }

    /// Takes in the runs of a journal, one a line. A last line that was cut off, or is otherwise
    /// not as it was written, is left out: its run is done again.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, is of another spec or version, or an earlier line is wrong.
    pub(super) fn resume_journal(&mut self, path: &Path, bytes: &[u8]) -> Result<(), ResumeError> {
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        // What follows the last line end is nothing, or a line that was cut off.
        let complete = &lines[..lines.len() - 1];
        for (number, line) in complete.iter().enumerate() {
            let last = number + 1 == complete.len();
            let taken = match str::from_utf8(line) {
                Err(error) => Err(Unfit::Broken(error.to_string())),
                Ok(head) if number == 0 => match self.head(path, head) {
                    Ok(checked) => {
                        checked?;
                        Ok(())
                    }
                    Err(unfit) => Err(unfit),
                },
                Ok(line) => self.restore(line),
            };
            match taken {
                Err(Unfit::Broken(_)) if last => return Ok(()),
                taken => taken.map_err(|unfit| record(path, "line", number + 1, unfit))?,
            }
        }
        Ok(())
    }

    fn head(&self, path: &Path, line: &str) -> Result<Result<(), ResumeError>, Unfit> {
        let object = tagged(line, &[RecordKind::Journal])?.0;
        let head: JournalHead = read_record(&object).map_err(Unfit::Foreign)?;
        Ok(self.check(path, &head.version, head.results_version, head.fingerprint))
    }

    fn restore(&mut self, line: &str) -> Result<(), Unfit> {
        let (number, result) = restored(self.plan(), line)?;
        self.insert(number, result);
        Ok(())
    }

    fn check(
        &self,
        path: &Path,
        version: &str,
        results_version: u32,
        fingerprint: String,
    ) -> Result<(), ResumeError> {
        let path = path.to_owned();
        if results_version != RESULTS_VERSION {
            let version = version.to_owned();
            return Err(ResumeError::OtherVersion { path, found: results_version, version });
        }
        if fingerprint != self.plan().fingerprint {
            let expected = self.plan().fingerprint.clone();
            return Err(ResumeError::OtherSpec { path, found: fingerprint, expected });
        }
        Ok(())
    }
}

/// What a file is that was emptied, or grew and was never written.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace())
}

fn record(path: &Path, entry: &'static str, number: usize, unfit: Unfit) -> ResumeError {
    let (Unfit::Broken(what) | Unfit::Foreign(what)) = unfit;
    ResumeError::Record { path: path.to_owned(), entry, number, what }
}

fn none(path: &Path, what: &dyn std::fmt::Display) -> ResumeError {
    ResumeError::NoResults { path: path.to_owned(), what: what.to_string() }
}
