//! Results read back from an export and its journal, so that only what is missing is run.
//!
//! Nothing is taken on trust: every record has its checksum, and must be of a run of the plan, with
//! the puzzle and the configuration that the plan gives it. A solution is verified again. The plan
//! may be another than the one that they were made for: what it does not ask for is counted.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use thiserror::Error;

use super::asked::Asked;
use super::planned::PlannedCell;
use super::record::{JournalHead, RecordKind, read as read_record};
use super::restored::{Unfit, restored, tagged};
use super::{Results, Shard};
use crate::RESULTS_VERSION;
use crate::bounded::read_results;

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
    #[error("{} is no results file of an experiment: {what}", .path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A record is not as it was written, or not of this plan.
    #[error("{}, {entry} {number}: {what}, so none of it is taken", .path.display())]
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
    /// Its runs are of a version in which the same seeds gave others.
    #[error(
        "{} holds runs of results version {found} (evodoku {version}), and this is {RESULTS_VERSION}: \
         their runs differ, so none of them is taken",
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

/// Stored runs that the plan does not ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unasked {
    /// How many there are.
    pub runs: usize,
    /// The first one: its puzzle, method and seed.
    pub first: Option<String>,
}

/// An exported file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body<'a> {
    kind: String,
    pub version: String,
    results_version: u32,
    pub experiment: String,
    pub fingerprint: String,
    pub shard: Option<Shard>,
    pub parameters: Vec<String>,
    pub plan: Vec<PlannedCell>,
    #[serde(rename = "cells")]
    _cells: IgnoredAny,
    // What is compared is made anew of the runs.
    #[serde(rename = "comparisons", default)]
    _comparisons: IgnoredAny,
    #[serde(rename = "rankings", default)]
    _rankings: IgnoredAny,
    #[serde(borrow)]
    pub runs: Vec<&'a RawValue>,
}

impl<'a> Body<'a> {
    /// What stands in a file.
    ///
    /// # Errors
    /// [`ResumeError`] when it is no export of an experiment, or one of another version of runs.
    pub fn read(path: &Path, bytes: &'a [u8]) -> Result<Self, ResumeError> {
        let body: Self = serde_json::from_slice(bytes).map_err(|error| none(path, &error))?;
        if body.kind != "experiment" {
            return Err(none(path, &format!("it is of kind '{}'", body.kind)));
        }
        check(path, &body.version, body.results_version)?;
        Ok(body)
    }
}

impl Results<'_> {
    /// Takes in the runs of an exported JSON file that the plan asks for, whatever plan they were made
    /// for, and counts the others. A file that a crash has emptied holds none.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, is of another version, or a record is wrong.
    pub fn resume(&mut self, path: &Path) -> Result<Unasked, ResumeError> {
        let bytes = read_file(path)?;
        if is_blank(&bytes) {
            return Ok(Unasked::default());
        }
        let body = Body::read(path, &bytes)?;
        self.resume_runs(path, body.runs.iter().map(|run| run.get()))
    }

    /// The same with the runs of an exported file.
    pub(super) fn resume_runs<'l>(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<Unasked, ResumeError> {
        let (asked, mut unasked) = (Asked::of(self.plan()), Unasked::default());
        for (number, line) in lines.enumerate() {
            let restored = self.restore(&asked, line, &mut unasked);
            restored.map_err(|unfit| record(path, "run", number + 1, unfit))?;
        }
        Ok(unasked)
    }

    /// Takes in the runs of a journal, one a line. A last line that was cut off, or is otherwise
    /// not as it was written, is left out: its run is done again.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, is of another version, or an earlier line is wrong.
    pub(super) fn resume_journal(
        &mut self,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Unasked, ResumeError> {
        let (asked, mut unasked) = (Asked::of(self.plan()), Unasked::default());
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        // What follows the last line end is nothing, or a line that was cut off.
        let complete = &lines[..lines.len() - 1];
        for (number, line) in complete.iter().enumerate() {
            let last = number + 1 == complete.len();
            let taken = match str::from_utf8(line) {
                Err(error) => Err(Unfit::Broken(error.to_string())),
                Ok(head) if number == 0 => match journal_head(path, head) {
                    Ok(checked) => {
                        checked?;
                        Ok(())
                    }
                    Err(unfit) => Err(unfit),
                },
                Ok(line) => self.restore(&asked, line, &mut unasked),
            };
            match taken {
                Err(Unfit::Broken(_)) if last => break,
                taken => taken.map_err(|unfit| record(path, "line", number + 1, unfit))?,
            }
        }
        Ok(unasked)
    }

    fn restore(
        &mut self,
        asked: &Asked<'_>,
        line: &str,
        unasked: &mut Unasked,
    ) -> Result<(), Unfit> {
        let (number, result) = match restored(asked, line, |run| self.run(run).is_none()) {
            Err(Unfit::Unasked(run)) => {
                unasked.runs += 1;
                unasked.first.get_or_insert(run);
                return Ok(());
            }
            restored => restored?,
        };
        if self.run(number).is_some_and(|known| !known.figures.agree(&result.figures)) {
            let what = "the same run came to something else elsewhere".to_owned();
            return Err(Unfit::Foreign(what));
        }
        self.insert(number, result);
        Ok(())
    }
}

impl Unasked {
    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { runs: self.runs + other.runs, first: self.first.or(other.first) }
    }
}

/// Reads a file as it is.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, ResumeError> {
    read_results(path).map_err(|error| ResumeError::Unreadable { path: path.to_owned(), error })
}

fn journal_head(path: &Path, line: &str) -> Result<Result<(), ResumeError>, Unfit> {
    let object = tagged(line, &[RecordKind::Journal])?.0;
    let head: JournalHead = read_record(&object).map_err(Unfit::Foreign)?;
    Ok(check(path, &head.version, head.results_version))
}

fn check(path: &Path, version: &str, results_version: u32) -> Result<(), ResumeError> {
    if results_version == RESULTS_VERSION {
        return Ok(());
    }
    let (path, version) = (path.to_owned(), version.to_owned());
    Err(ResumeError::OtherVersion { path, found: results_version, version })
}

/// What a file is that was emptied, or grew and was never written.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace())
}

fn record(path: &Path, entry: &'static str, number: usize, unfit: Unfit) -> ResumeError {
    let (Unfit::Broken(what) | Unfit::Foreign(what) | Unfit::Unasked(what)) = unfit;
    ResumeError::Record { path: path.to_owned(), entry, number, what }
}

fn none(path: &Path, what: &dyn std::fmt::Display) -> ResumeError {
    ResumeError::NoResults { path: path.to_owned(), what: what.to_string() }
}
