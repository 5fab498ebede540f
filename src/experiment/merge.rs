//! Merges the parts of an experiment.
//!
//! Each part is the JSON export of a shard, or of any runs of the same plan, with its journal if its
//! process was killed. The parts hold the plan, so that neither the spec nor its
//! puzzles are needed. Merged, all shards give the export of one process, byte for byte
//! but for times and threads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::plan_json;
use super::resume::ExportedResults;
use super::{Plan, Results, Shard};
use crate::store::{Journal, StoreError, read_file};
use crate::util::quantity::counted;

/// Exports of one plan.
#[derive(Debug)]
pub struct Parts {
    /// The plan of all of them.
    pub plan: Plan,
    /// The file of each, and its content but for the plan.
    parts: Vec<(PathBuf, ExportedResults)>,
}

/// Why parts are not merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file is no part, or one of its records is wrong.
    #[error(transparent)]
    Part(#[from] StoreError),
    /// There is no part, or they do not belong together: a sentence.
    #[error("{0}")]
    Mismatch(String),
}

impl Parts {
    /// Reads parts, and checks that they are of one plan.
    ///
    /// # Errors
    /// [`MergeError`] on the first that is not.
    pub fn read(paths: &[PathBuf]) -> Result<Self, MergeError> {
        let (first, others) = paths
            .split_first()
            .ok_or_else(|| MergeError::Mismatch("there is nothing to merge".to_owned()))?;
        let (found, plan) = read_part(first)?;
        let spec = |part: &ExportedResults| (part.version.clone(), part.fingerprint.clone());
        let expected = spec(&found);
        let mut parts = vec![(first.clone(), found)];
        for path in others {
            let (found, _) = read_part(path)?;
            if spec(&found) != expected {
                return Err(MergeError::Mismatch(format!(
                    "{} and {} cannot be merged: they were made from different specs, or by different \
                     versions of evodoku",
                    path.display(),
                    first.display()
                )));
            }
            parts.push((path.clone(), found));
        }
        Ok(Self { plan, parts })
    }

    /// All runs of all parts.
    ///
    /// # Errors
    /// [`MergeError`] when a record is wrong, or two parts have different results of a run.
    pub fn results(&self) -> Result<Results<'_>, MergeError> {
        let mut results = Results::new(&self.plan);
        for (path, found) in &self.parts {
            results.resume_runs(path, &found.runs)?;
            let journal = Journal::beside(path);
            if journal.exists() {
                results.resume_journal(&journal, &read_file(&journal)?)?;
            }
        }
        Ok(results)
    }

    /// The missing runs as a sentence, if any are missing.
    pub fn missing(&self, results: &Results<'_>) -> Option<String> {
        let missing = results.missing();
        let first = *missing.first()?;
        let text = format!(
            "{} of {} {}; the first missing run is {}",
            missing.len(),
            counted(self.plan.runs() as u64, "run"),
            if missing.len() == 1 { "is missing" } else { "are missing" },
            self.plan.run_text(first),
        );
        let shard = self.parts.iter().find_map(|(_, found)| found.shard);
        let Some(Shard { of, .. }) = shard else { return Some(text) };
        let owners = Shard::owners(&self.plan, of);
        let lacking: BTreeSet<u32> = missing.iter().map(|run| owners[*run]).collect();
        let names: Vec<String> =
            lacking.into_iter().map(|index| Shard { index, of }.to_string()).collect();
        Some(format!("{text}; shards that are incomplete or missing: {}", names.join(", ")))
    }
}

/// Reads a part, and the plan that it holds.
fn read_part(path: &Path) -> Result<(ExportedResults, Plan), MergeError> {
    let mut found = ExportedResults::read(path, &read_file(path)?)?;
    let cells = std::mem::take(&mut found.plan);
    let plan = plan_json::plan(&found.experiment, &found.fingerprint, &found.parameters, cells);
    let plan = plan.map_err(|what| MergeError::Mismatch(format!("{}: {what}", path.display())))?;
    Ok((found, plan))
}
