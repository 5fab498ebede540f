//! `evodoku experiment merge`: the parts of an experiment put together.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::Exit;
use super::compare_args::CompareArgs;
use super::experiment::{check_only, text};
use super::exports::{ExperimentExportArgs, PlotArgs, check_plot, tell};
use super::output::{Logger, print};
use crate::experiment::{CellFilter, ExistingOutput, Files, Parts, ResultsView};
use crate::util::plural::counted;

/// Put the parts of an experiment together: the JSON exports of its shards
///
/// Tables, exports and plots are those of one process that did all runs, but for times. A part whose
/// process was killed counts with its journal. Exit code 0: merged; 2: bad input, a shard or a run is
/// missing, or a failure.
#[derive(Debug, Args)]
pub struct Merge {
    /// The parts, as --export-json wrote them
    #[arg(required = true, value_name = "PART.json")]
    parts: Vec<PathBuf>,
    /// Merge what there is, though shards or runs are missing
    #[arg(long)]
    incomplete: bool,
    /// Throw away the results that the file of --export-json holds
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    #[command(flatten)]
    compare: CompareArgs,
    /// Plot only cells with this: block=NAME, puzzle=NAME, method=NAME or a value of a parameter; of
    /// several for the same name a cell has one, of others each
    #[arg(long, value_name = "NAME=VALUE")]
    only: Vec<CellFilter>,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    exports: ExperimentExportArgs,
}

impl Merge {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let parts = Parts::read(&self.parts)?;
        check_only(parts.plan(), &self.only)?;
        let view = ResultsView {
            only: self.only.clone(),
            scaling: self.plot.scaling(),
            compare: self.compare.aspect(),
        };
        let mut merged = parts.results()?.viewed(view);
        if let Some(missing) = parts.missing(&merged) {
            if !self.incomplete {
                bail!("{missing}: --incomplete merges the rest");
            }
            notes.say(&missing);
        }
        let existing =
            if self.overwrite { ExistingOutput::Overwrite } else { ExistingOutput::Refuse };
        let inputs = self.parts.iter().map(PathBuf::as_path);
        let exports = self.exports.open()?;
        check_plot(&exports, parts.plan(), &self.only)?;
        self.compare.check(&exports, parts.plan())?;
        let silent = exports.take_stdout();
        let mut files = Files::new(exports, inputs, existing, &mut merged)?;
        let (plan, runs) = (parts.plan(), merged.finished().count());
        let count = |count: usize, one| counted(count as u64, one);
        notes.say(&format!(
            "{}: {}, {} out of {}",
            plan.name,
            count(plan.cells.len(), "cell"),
            count(runs, "run"),
            count(self.parts.len(), "file")
        ));
        let printed = if silent { Ok(true) } else { print(&text(&mut merged)) };
        tell(files.end(&mut merged)?);
        printed?;
        Ok(if files.failed() { Exit::Failure } else { Exit::Done })
    }
}
