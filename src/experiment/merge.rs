//! Parts of an experiment put together again.
//!
//! Each part is the JSON export of a shard, or of whatever was done of the same plan, with its
//! journal if its process was killed. The parts hold the plan, so that neither the spec nor its
//! puzzles are needed. Merged, all shards give the export of one process, byte for byte
//! but for times and threads.

use std::fmt::Write;
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
    plan: Plan,
    parts: Vec<ShardExport>,
}

/// One of them.
#[derive(Debug)]
struct ShardExport {
    path: PathBuf,
    shard: Option<Shard>,
    version: String,
    fingerprint: String,
    runs: Vec<String>,
}

/// Why parts are not merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// One of them is no part, or a record of it is wrong.
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
        let (first, plan) = ShardExport::read(first)?;
        let mut parts = vec![first];
        for path in others {
            let (part, _) = ShardExport::read(path)?;
            part.check(&parts[0])?;
            parts.push(part);
        }
        Ok(Self { plan, parts })
    }

    /// The plan of all parts.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// All runs of all parts.
    ///
    /// # Errors
    /// [`MergeError`] when a record is wrong, or two parts have different results of a run.
    pub fn results(&self) -> Result<Results<'_>, MergeError> {
        let mut results = Results::new(&self.plan);
        for ShardExport { path, runs, .. } in &self.parts {
            results.resume_runs(path, runs.iter().map(String::as_str))?;
            let journal = Journal::beside(path);
            if let Ok(bytes) = read_file(&journal) {
                results.resume_journal(&journal, &bytes)?;
            }
        }
        Ok(results)
    }

    /// The missing runs as a sentence, if any are missing.
    pub fn missing(&self, results: &Results<'_>) -> Option<String> {
        let missing = results.missing();
        let (cell, run) = self.plan.run(*missing.first()?);
        let first = &self.plan.cells[cell];
        let (name, method) = (&first.puzzle.name, first.method);
        let mut text = format!(
            "{} of {} {}, the first of them {name}, {method}, seed {}",
            missing.len(),
            counted(self.plan.runs() as u64, "run"),
            if missing.len() == 1 { "is missing" } else { "are missing" },
            first.seed(run),
        );
        let shards: Vec<Shard> = self.parts.iter().filter_map(|part| part.shard).collect();
        let Some(of) = shards.first().map(|shard| shard.of()) else { return Some(text) };
        let owners = Shard::owners(&self.plan, of);
        let mut lacks = vec![0_usize; of as usize];
        missing.iter().for_each(|run| lacks[owners[*run] as usize] += 1);
        for (index, lacking) in lacks.into_iter().enumerate().filter(|(_, lacking)| *lacking > 0) {
            let there =
                shards.iter().any(|shard| (shard.index(), shard.of()) == (index as u32, of));
            let what = if there { "lacks some" } else { "is not there" };
            // A text takes all that is written.
            let _ = write!(text, "; shard {}/{of} {what} ({lacking})", index + 1);
        }
        Some(text)
    }
}

impl ShardExport {
    /// Reads one, and the plan that it holds.
    fn read(path: &Path) -> Result<(Self, Plan), MergeError> {
        let bytes = read_file(path)?;
        let found = ExportedResults::read(path, &bytes)?;
        let plan =
            plan_json::plan(found.experiment, &found.fingerprint, &found.parameters, found.plan);
        let plan =
            plan.map_err(|what| MergeError::Mismatch(format!("{}: {what}", path.display())))?;
        let part = Self {
            path: path.to_owned(),
            shard: found.shard,
            version: found.version,
            fingerprint: found.fingerprint,
            runs: found.runs.iter().map(|run| run.get().to_owned()).collect(),
        };
        Ok((part, plan))
    }

    /// Checks that a part is of the same program and the same spec as the first.
    fn check(&self, first: &Self) -> Result<(), MergeError> {
        let (path, first_path) = (self.path.display(), first.path.display());
        if self.version != first.version {
            return Err(MergeError::Mismatch(format!(
                "{path} is of evodoku {}, but {first_path} of {}: parts of one version alone are merged",
                self.version, first.version
            )));
        }
        if self.fingerprint != first.fingerprint {
            return Err(MergeError::Mismatch(format!(
                "{path} is of another spec than {first_path} (fingerprint {}, not {}): parts of one \
                 experiment alone are merged",
                self.fingerprint, first.fingerprint
            )));
        }
        Ok(())
    }
}
