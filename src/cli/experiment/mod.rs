//! `evodoku experiment`: methods compared on puzzles, over parameter values and seeds.

mod merge;
mod results_args;
mod run;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use merge::Merge;
use results_args::ResultsArgs;
pub use results_args::experiment_table;

use super::backend::BackendArgs;
use super::exit::Exit;
use super::output::Logger;
use super::value_parsers::{every, whole};
use crate::exact::RemovalOrder;
use crate::experiment::{Located, Method, Plan, RawBlock, Shard, Spec, SpecPlace, SpecValues};
use crate::ga::Preset;
use crate::mpi::Communicator;
use crate::util::quantity::Interval;

/// Compare methods on puzzles, over parameter values and seeds
///
/// The runs are given by SPEC.toml, or by flags of the same names. Every combination of puzzle,
/// method and parameter values is a row of the table on stdout. Exit code 0: all runs are
/// finished, solved or not; 2: bad input or a failure; 130: interrupted.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Experiment {
    #[command(subcommand)]
    command: Option<ExperimentCommand>,
    /// The spec: see experiments/ for examples
    #[arg(value_name = "SPEC.toml", required_unless_present = "puzzle")]
    spec: Option<PathBuf>,
    /// Puzzles: files, names of shipped puzzles, or grids
    #[arg(long, value_name = "PUZZLE", num_args = 1.., conflicts_with = "spec")]
    puzzle: Vec<OsString>,
    /// Methods: presets, backtracking or integer-program (default: memetic)
    #[arg(long, visible_alias = "method", value_name = "NAME", num_args = 1.., conflicts_with = "spec")]
    #[arg(value_parser = PossibleValuesParser::new(Method::all().map(Method::name)))]
    preset: Vec<String>,
    /// Parameters and their values; may be given several times
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 1.., conflicts_with = "spec")]
    set: Vec<String>,
    /// Rows and columns of a box, as in 2x3 (default: those that are drawn, or the squarest that fits)
    #[arg(long = "box", value_name = "RxC", conflicts_with = "spec")]
    shape: Option<String>,
    /// Characters of the values 1, 2, ... where each cell is one character, as in 0123456789ABCDEF
    #[arg(long, value_name = "CHARS", conflicts_with = "spec")]
    alphabet: Option<String>,
    /// Runs of each cell (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    seeds: Option<String>,
    /// The seed of each cell's first run (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    first_seed: Option<String>,
    /// End each run after so long, in seconds or as in 500ms; such a run is not reproducible
    #[arg(long, value_name = "TIME", conflicts_with = "spec")]
    time_limit: Option<String>,
    /// Remove givens, step by step: rows (one of each row but the first) or any
    #[arg(long, value_name = "HOW", conflicts_with = "spec")]
    #[arg(value_parser = PossibleValuesParser::new(RemovalOrder::NAMES), hide_possible_values = true)]
    dig: Option<String>,
    /// Givens that each step removes (default: the side less 1)
    #[arg(long, value_name = "N", requires = "dig")]
    step: Option<String>,
    /// Givens that the last step leaves
    #[arg(long, value_name = "N", requires = "dig")]
    until: Option<String>,
    /// Runs at a time, which share the threads (default: one for each thread)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=4096))]
    jobs: Option<u32>,
    /// Carry out only the runs that the file of --export-json lacks, and resume long ones from their
    /// checkpoints; the spec may have grown since
    #[arg(long, requires = "export-json")]
    resume: bool,
    /// Discard the results in the file of --export-json; with --resume, only those that the spec no
    /// longer has
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    /// How often a run that takes longer is stored next to the file of --export-json, for --resume: a
    /// time, as in 30s, or generations, as in 100g (default: 1min)
    #[arg(long, value_name = "EVERY", value_parser = every, requires = "export-json")]
    checkpoint_every: Option<Interval>,
    /// Carry out part K of N, which together have each run once: see merge
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Run only the first seeds of each cell, and leave the others for --resume
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64))]
    first_seeds: Option<u32>,
    /// Leave out cells whose method does not fit their puzzle or parameters, and run the others
    #[arg(long)]
    skip_unfit: bool,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    results: ResultsArgs,
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
            None => Spec::of("experiment".to_owned(), vec![self.block()?], None)?,
        })
    }

    /// The flags as a block of a spec.
    fn block(&self) -> Result<RawBlock> {
        fn at<T>(flag: &'static str, value: T) -> Located<T> {
            Located { value, place: SpecPlace(flag.to_owned()) }
        }
        let puzzles = self.puzzle.iter().map(|name| at("--puzzle", name.clone())).collect();
        let default = [Preset::Memetic.name().to_owned()];
        let methods = if self.preset.is_empty() { &default[..] } else { &self.preset };
        let mut values = SpecValues::default();
        values.set("methods", methods.iter().map(|name| at("--preset", name.clone())).collect());
        for (key, flag, text) in [
            ("box", "--box", &self.shape),
            ("alphabet", "--alphabet", &self.alphabet),
            ("seeds", "--seeds", &self.seeds),
            ("first_seed", "--first-seed", &self.first_seed),
            ("dig", "--dig", &self.dig),
            ("step", "--step", &self.step),
            ("until", "--until", &self.until),
        ] {
            text.iter().for_each(|text| values.set(key, vec![at(flag, text.clone())]));
        }
        let mut parameters = Vec::new();
        for setting in &self.set {
            let (name, values) = setting.split_once('=').ok_or_else(|| {
                anyhow!("--set takes name=value or name=value,value,..., not '{setting}'")
            })?;
            let values = values.split(',').map(|value| at("--set", value.to_owned())).collect();
            parameters.push((at("--set", name.to_owned()), values));
        }
        if let Some(limit) = &self.time_limit {
            let name = at("--time-limit", "time_limit".to_owned());
            parameters.push((name, vec![at("--time-limit", limit.clone())]));
        }
        let place = SpecPlace("--puzzle".to_owned());
        Ok(RawBlock { place, values, puzzles: Some(puzzles), parameters })
    }

    fn plan(&self, spec: &Spec) -> Result<Plan> {
        let plan = Plan::with(spec, self.skip_unfit)?;
        self.results.check_only(&plan)?;
        Ok(plan)
    }
}
