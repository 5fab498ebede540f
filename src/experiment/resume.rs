//! Results read back from an export and its journal, so that only the missing runs are carried out.
//!
//! Nothing is taken on trust: every record has a checksum, and must be of a run of the plan, with the
//! puzzle and the configuration that the plan gives it. A solution is verified again. The plan may have changed
//! since the runs were made: runs that are no longer in it are listed.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::plan_json::PlannedCell;
use super::record::{RejectedRecord, journal_header, validate};
use super::run_index::RunIndex;
use super::{Results, Shard};
use crate::store::{LineError, StoreError, is_blank, read_file, read_journal};

/// Stored runs that are not in the plan: puzzle, method and seed of each.
pub type UnplannedRuns = Vec<String>;

/// An exported file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportedResults {
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
    pub runs: Vec<Box<RawValue>>,
}

impl ExportedResults {
    /// Reads the content of a file.
    ///
    /// # Errors
    /// [`StoreError`] when it is no export of an experiment, or one of another version of runs.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, StoreError> {
        let foreign = |what| {
            let what = format!("is not a results file of an experiment: {what}");
            StoreError::Unusable(path.to_owned(), what)
        };
        let found: Self = serde_json::from_slice(bytes).map_err(|error| match error.is_eof() {
            true => foreign(format!("it is cut off in line {}", error.line())),
            false => foreign(error.to_string()),
        })?;
        if found.kind != "experiment" {
            return Err(foreign(format!("it is of kind '{}'", found.kind)));
        }
        StoreError::check_version(path, &found.version, found.results_version)?;
        Ok(found)
    }
}

impl Results<'_> {
    /// Adds the runs of an exported JSON file that are in the plan, whatever plan they were made for, and
    /// returns the others. A file that a crash has emptied holds no runs.
    ///
    /// # Errors
    /// [`StoreError`] when the file is no export, is of another version, or a record is wrong.
    pub fn resume(&mut self, path: &Path) -> Result<UnplannedRuns, StoreError> {
        let bytes = read_file(path)?;
        if is_blank(&bytes) {
            return Ok(UnplannedRuns::default());
        }
        let found = ExportedResults::read(path, &bytes)?;
        self.resume_runs(path, &found.runs)
    }

    /// Adds the records of an exported file likewise.
    pub(super) fn resume_runs(
        &mut self,
        path: &Path,
        runs: &[Box<RawValue>],
    ) -> Result<UnplannedRuns, StoreError> {
        let (index, mut unplanned) = (RunIndex::of(self.plan), UnplannedRuns::default());
        for (number, run) in (1..).zip(runs) {
            let taken = self.take(&index, run.get(), &mut unplanned);
            taken.map_err(|error| StoreError::of_line(path, "run", number, &error))?;
        }
        Ok(unplanned)
    }

    /// Adds the runs of a journal likewise. A last line that was cut off or changed is left out: its run is
    /// carried out again.
    ///
    /// # Errors
    /// [`StoreError`] when the file is no journal, is of another version, or an earlier line is wrong.
    pub(super) fn resume_journal(
        &mut self,
        path: &Path,
        bytes: &[u8],
    ) -> Result<UnplannedRuns, StoreError> {
        let (index, mut unplanned) = (RunIndex::of(self.plan), UnplannedRuns::default());
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
                // Of the first alone: a plan may have 100,000 cells.
                let changed = unplanned.is_empty().then(|| index.changed(&run)).flatten();
                unplanned.push(format!("{run}{}", changed.unwrap_or_default()));
                return Ok(());
            }
            Err(RejectedRecord::Line(error)) => return Err(error),
        };
        if self.run(number).is_some_and(|known| !known.figures.agree(&result.figures)) {
            let what = "another file has a different result for the same run".to_owned();
            return Err(LineError::Foreign(what));
        }
        self.insert(number, result);
        Ok(())
    }
}
