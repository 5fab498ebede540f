//! `evodoku experiment merge`: the results of the parts of an experiment, merged.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use super::results_args::{ResultsArgs, tables};
use crate::cli::exit::Exit;
use crate::cli::exports::{existing_output, exit_of, tell};
use crate::cli::output::{Logger, print};
use crate::experiment::{Files, FilesError, Parts};
use crate::store::{Journal, StoreError};
use crate::util::quantity::counted;

/// Merge the parts of an experiment: the JSON exports of its shards
///
/// Apart from times, the results are as if one process had executed all runs. If the process of a part was
/// killed, the runs in its journal are merged, too. Exit codes: 0, merged; 2, bad input, a failure, or a
/// missing shard or run.
#[derive(Debug, Args)]
pub struct Merge {
    /// Files that --export-json wrote, one for each part
    #[arg(required = true, value_name = "PART.json")]
    parts: Vec<PathBuf>,
    /// Merge even if shards or runs are missing
    #[arg(long)]
    incomplete: bool,
    /// Replace an existing --export-json file
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    #[command(flatten)]
    results: ResultsArgs,
}

impl Merge {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let parts = Parts::read(&self.parts)?;
        let plan = &parts.plan;
        self.results.check_only(plan)?;
        let mut merged = parts.results()?.viewed(self.results.view());
        if let Some(missing) = parts.missing(&merged) {
            ensure!(self.incomplete, "{missing}: use --incomplete to merge the rest");
            notes.say(&missing);
        }
        let existing = existing_output(false, self.overwrite);
        let journals = self.parts.iter().map(|part| Journal::beside(part));
        let journals: Vec<PathBuf> = journals.filter(|journal| journal.exists()).collect();
        let inputs = self.parts.iter().chain(&journals).map(PathBuf::as_path);
        let exports = self.results.open(plan)?;
        let silent = exports.take_stdout();
        let files = Files::new(exports, inputs, existing, &mut merged);
        let mut files = files.map_err(|error| match error {
            FilesError::Store(StoreError::Existing(path)) => {
                anyhow!("{} holds earlier results: use --overwrite to replace them", path.display())
            }
            other => other.into(),
        })?;
        let count = |count: usize, one| counted(count as u64, one);
        notes.say(&format!(
            "{}: {}, {} from {}",
            plan.name,
            count(plan.cells.len(), "cell"),
            count(merged.finished().count(), "run"),
            count(self.parts.len(), "file")
        ));
        let printed = if silent { Ok(true) } else { print(&tables(&mut merged, notes)) };
        tell(files.end(&mut merged)?);
        printed?;
        Ok(exit_of(files.failed()))
    }
}
