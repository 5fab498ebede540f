//! Results read back from an export and its journal, so that only the missing runs are carried out.
//!
//! Nothing is taken on trust: every record has its checksum, and must be of a run of the plan, with
//! the puzzle and the configuration that the plan gives it. A solution is verified again. The plan
//! may be another than the one that they were made for: runs that it does not hold are counted.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::plan_json::PlannedCell;
use super::record::{RejectedRecord, journal_header, validate};
use super::run_index::RunIndex;
use super::{Results, Shard};
use crate::store::{LineError, StoreError, is_blank, read_file, read_journal};

/// Stored runs that are not in the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnplannedRuns {
    /// How many there are.
    pub runs: usize,
    /// The first one: its puzzle, method and seed.
    pub first: Option<String>,
}

/// An exported file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportedResults<'a> {
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
    // Comparisons are computed again from the runs.
    #[serde(rename = "comparisons", default)]
    _comparisons: IgnoredAny,
    #[serde(rename = "rankings", default)]
    _rankings: IgnoredAny,
    #[serde(borrow)]
    pub runs: Vec<&'a RawValue>,
}

impl<'a> ExportedResults<'a> {
    /// Reads the content of a file.
    ///
    /// # Errors
    /// [`StoreError`] when it is no export of an experiment, or one of another version of runs.
    pub fn read(path: &Path, bytes: &'a [u8]) -> Result<Self, StoreError> {
        let foreign = |what| {
            let what = format!("is no results file of an experiment: {what}");
            StoreError::Unusable(path.to_owned(), what)
        };
        let found: Self =
            serde_json::from_slice(bytes).map_err(|error| foreign(error.to_string()))?;
        if found.kind != "experiment" {
            return Err(foreign(format!("it is of kind '{}'", found.kind)));
        }
        StoreError::check_version(path, &found.version, found.results_version)?;
        Ok(found)
    }
}

impl Results<'_> {
    /// Takes in the runs of an exported JSON file that the plan asks for, whatever plan they were made
    /// for, and counts the others. A file that a crash has emptied holds none.
    ///
    /// # Errors
    /// [`StoreError`] when it is none, is of another version, or a record is wrong.
    pub fn resume(&mut self, path: &Path) -> Result<UnplannedRuns, StoreError> {
        let bytes = read_file(path)?;
        if is_blank(&bytes) {
            return Ok(UnplannedRuns::default());
        }
        let found = ExportedResults::read(path, &bytes)?;
        self.resume_runs(path, found.runs.iter().map(|run| run.get()))
    }

    /// The same with the runs of an exported file.
    pub(super) fn resume_runs<'l>(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<UnplannedRuns, StoreError> {
        let (index, mut unplanned) = (RunIndex::of(self.plan()), UnplannedRuns::default());
        for (number, line) in (1..).zip(lines) {
            let taken = self.take(&index, line, &mut unplanned);
            taken.map_err(|error| StoreError::of_line(path, "run", number, &error))?;
        }
        Ok(unplanned)
    }

    /// Takes in the runs of a journal. A last line that was cut off, or is otherwise not as it was
    /// written, is left out: its run is done again.
    ///
    /// # Errors
    /// [`StoreError`] when it is none, is of another version, or an earlier line is wrong.
    pub(super) fn resume_journal(
        &mut self,
        path: &Path,
        bytes: &[u8],
    ) -> Result<UnplannedRuns, StoreError> {
        let (index, mut unplanned) = (RunIndex::of(self.plan()), UnplannedRuns::default());
        read_journal(path, bytes, &journal_header(), |line| {
            self.take(&index, line, &mut unplanned)
        })?;
        Ok(unplanned)
    }

    fn take(
        &mut self,
        index: &RunIndex<'_>,
        line: &str,
        unplanned: &mut UnplannedRuns,
    ) -> Result<(), LineError> {
        let (number, result) = match validate(index, line, |run| self.run(run).is_none()) {
            Ok(found) => found,
            Err(RejectedRecord::Unplanned(run)) => {
                unplanned.runs += 1;
                unplanned.first.get_or_insert(run);
                return Ok(());
            }
            Err(RejectedRecord::Line(error)) => return Err(error),
        };
        if self.run(number).is_some_and(|known| !known.figures.agree(&result.figures)) {
            let what = "the same run came to something else elsewhere".to_owned();
            return Err(LineError::Foreign(what));
        }
        self.insert(number, result);
        Ok(())
    }
}

impl UnplannedRuns {
    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { runs: self.runs + other.runs, first: self.first.or(other.first) }
    }
}
