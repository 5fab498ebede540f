//! `evodoku experiment`: methods compared on puzzles, over parameter values and seeds.

mod progress;
mod run;
mod spec_from_args;
mod tables;

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
pub use tables::{text, text_of};

use super::Exit;
use super::backend::BackendArgs;
use super::compare_args::CompareArgs;
use super::exports::{ExperimentExportArgs, PlotArgs};
use super::merge::Merge;
use super::named_value_parser::known;
use super::output::Logger;
use crate::cli::value_parsers::{counted, every};
use crate::exact::RemovalOrder;
use crate::experiment::{
    Cell, CellFilter, ExistingOutput, Method, MisfitPolicy, Plan, RunSubset, Shard, Spec,
};
use crate::mpi::Communicator;
use crate::util::quantity::Interval;

/// Compare methods on puzzles, over parameter values and seeds
///
/// What to run is in SPEC.toml, or in flags of the same names. Every combination of puzzle,
/// method and parameter values is a row of the table on stdout. Exit code 0: all runs are
/// finished, whatever they found; 2: bad input or a failure; 130: interrupted.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Experiment {
    #[command(subcommand)]
    command: Option<ExperimentCommand>,
    /// What to run: see experiments/ for examples
    #[arg(value_name = "SPEC.toml", required_unless_present = "puzzle")]
    spec: Option<PathBuf>,
    /// Puzzles: files, names of shipped puzzles, or grids
    #[arg(long, value_name = "PUZZLE", num_args = 1.., conflicts_with = "spec")]
    puzzle: Vec<OsString>,
    /// Methods: presets, backtracking or integer-program (default: memetic)
    #[arg(long, visible_alias = "method", value_name = "NAME", num_args = 1.., conflicts_with = "spec")]
    #[arg(value_parser = known(String::from_str, Method::all().map(Method::name)))]
    preset: Vec<String>,
    /// Parameters and their values; may be given several times
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 1.., conflicts_with = "spec")]
    set: Vec<String>,
    /// Runs of each cell (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    seeds: Option<String>,
    /// The seed of each cell's first run (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    first_seed: Option<String>,
    /// End each run after so long, in seconds or as in 500ms; such a run is not reproducible
    #[arg(long, value_name = "TIME", conflicts_with = "spec")]
    time_limit: Option<String>,
    /// Take givens away, rung by rung: rows (one of each row but the first) or any
    #[arg(long, value_name = "HOW", conflicts_with = "spec")]
    #[arg(value_parser = known(String::from_str, RemovalOrder::names()), hide_possible_values = true)]
    dig: Option<String>,
    /// Givens that each rung takes away (default: the side less 1)
    #[arg(long, value_name = "N", requires = "dig")]
    step: Option<String>,
    /// Givens that the last rung has left
    #[arg(long, value_name = "N", requires = "dig")]
    until: Option<String>,
    /// Runs at a time, which share the threads (default: one for each thread)
    #[arg(long, value_name = "N", value_parser = counted(1..=4096))]
    jobs: Option<u32>,
    /// Do only the runs that the file of --export-json lacks, and go on with those that take long where
    /// they stood; the spec may have grown since
    #[arg(long, requires = "export-json")]
    resume: bool,
    /// Throw away the results that the file of --export-json holds; with --resume, only those that
    /// are not asked for any more
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    /// How often a run that takes longer than this is kept beside the file of --export-json, for
    /// --resume: a time, as in 30s, or generations, as in 100g (default: 1min)
    #[arg(long, value_name = "EVERY", value_parser = every, requires = "export-json")]
    checkpoint_every: Option<Interval>,
    /// Do one of N parts, the K-th from 1, which together have each run once: see merge
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Do only the first seeds of each cell, and leave the others for --resume
    #[arg(long, value_name = "N", value_parser = counted(1..=u32::MAX))]
    first_seeds: Option<u32>,
    /// Leave out cells whose method does not fit their puzzle or parameters, and run the others
    #[arg(long)]
    skip_unfit: bool,
    #[command(flatten)]
    compare: CompareArgs,
    /// Do and plot only cells with this: block=NAME, puzzle=NAME, method=NAME or a value of a parameter;
    /// of several for the same name a cell has one, of others each
    #[arg(long, value_name = "NAME=VALUE")]
    only: Vec<CellFilter>,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    exports: ExperimentExportArgs,
}

#[derive(Debug, Subcommand)]
enum ExperimentCommand {
    Merge(Merge),
}

impl Experiment {
    pub fn run(mut self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        match self.command.take() {
            Some(ExperimentCommand::Merge(merge)) => merge.run(notes),
            None => self.conduct(notes, ranks),
        }
    }

    fn spec(&self) -> Result<Spec> {
        Ok(match &self.spec {
            Some(path) => Spec::read(path)?,
            None => Spec::from_draft(self.draft()?)?,
        })
    }

    fn misfits(&self) -> MisfitPolicy {
        if self.skip_unfit { MisfitPolicy::Skipped } else { MisfitPolicy::Refused }
    }

    fn existing(&self) -> ExistingOutput {
        match (self.resume, self.overwrite) {
            (true, false) => ExistingOutput::Resume,
            (true, true) => ExistingOutput::Trim,
            (_, true) => ExistingOutput::Overwrite,
            _ => ExistingOutput::Refuse,
        }
    }

    /// What is done this time.
    fn part(&self, plan: &Plan) -> Result<RunSubset> {
        check_only(plan, &self.only)?;
        Ok(RunSubset { seeds: self.first_seeds, only: self.only.clone(), shard: self.shard })
    }
}

/// Finds that everything that is to be done alone is there.
///
/// # Errors
/// On the first that is not.
pub fn check_only(plan: &Plan, only: &[CellFilter]) -> Result<()> {
    for one in only {
        // An exact method has whatever value a parameter is given.
        let evolves = |cell: &&Cell| {
            !matches!((one, cell.method), (CellFilter::Parameter(_), Method::Exact(_)))
        };
        if !plan.cells.iter().filter(evolves).any(|cell| one.holds(cell)) {
            bail!("--only {one}: no cell of {} has this", plan.name);
        }
    }
    Ok(())
}
