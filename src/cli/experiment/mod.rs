//! `evodoku experiment`: methods compared on puzzles, over parameter values and seeds.

mod merge;
mod results_args;
mod run;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use merge::Merge;
use results_args::ResultsArgs;
pub use results_args::experiment_table;

use super::backend::BackendArgs;
use super::exit::Exit;
use super::output::{Logger, print_unchanged};
use super::value_parsers::{every, whole};
use crate::exact::RemovalOrder;
use crate::experiment::{Located, Method, Plan, RawBlock, Shard, Spec, SpecPlace, SpecValues};
use crate::format;
use crate::ga::Preset;
use crate::mpi::Communicator;
use crate::util::quantity::{Interval, items};

/// What `--init` prints.
const TEMPLATE: &str = include_str!("template.toml");

/// Compare methods on puzzles, over parameter values and seeds
///
/// The experiment is described by SPEC.toml or, without a file, by flags. With a file, --seeds, --first-seed,
/// --set and --time-limit replace its values. Each combination of puzzle, method and parameter values is a cell
/// of the experiment and a row of the table. Exit codes: 0, all runs have ended, solved or not; 2, bad input or
/// a failure; 130, interrupted.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Experiment {
    #[command(subcommand)]
    command: Option<ExperimentCommand>,
    /// Description of the experiment; --init prints one to start from
    #[arg(value_name = "SPEC.toml", required_unless_present_any = ["puzzle", "init"])]
    spec: Option<PathBuf>,
    /// Print a commented spec as a starting point
    #[arg(long, exclusive = true)]
    init: bool,
    /// Puzzles: files, names of shipped puzzles, or grids
    #[arg(long, value_name = "PUZZLE", num_args = 1.., conflicts_with = "spec")]
    puzzle: Vec<OsString>,
    /// Methods: presets, backtracking or integer-program (default: memetic)
    #[arg(long)]
    #[arg(visible_alias = "method", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    #[arg(conflicts_with = "spec", value_parser = PossibleValuesParser::new(Method::all().map(Method::name)))]
    preset: Vec<String>,
    /// A parameter and the values to try; repeat the flag for more parameters
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 1..)]
    set: Vec<String>,
    /// Rows and columns of a box, as in 2x3 (default: as drawn in the puzzle, or else the squarest shape)
    #[arg(long = "box", value_name = "RxC", conflicts_with = "spec")]
    shape: Option<String>,
    /// Characters for the values 1, 2, and so on, for puzzles with one character per cell
    #[arg(long, value_name = "CHARS", conflicts_with = "spec")]
    alphabet: Option<String>,
    /// Number of runs of each cell, each with its own seed (default: 1)
    #[arg(long, value_name = "N")]
    seeds: Option<String>,
    /// Seed of the first run of each cell (default: 1)
    #[arg(long, value_name = "N")]
    first_seed: Option<String>,
    /// Stop each run after this time, as in 10s or 500ms; a run that is stopped by time is not reproducible
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// Make harder puzzles by removing random givens: rows (one from each row except the first) or any (from
    /// the whole board)
    #[arg(long, value_name = "HOW", conflicts_with = "spec")]
    #[arg(value_parser = PossibleValuesParser::new(RemovalOrder::NAMES))]
    dig: Option<String>,
    /// Number of givens that each step of --dig removes (default: the side of the board minus 1)
    #[arg(long, value_name = "N", requires = "dig")]
    step: Option<String>,
    /// Number of givens that are left after the last step of --dig
    #[arg(long, value_name = "N", requires = "dig")]
    until: Option<String>,
    /// Number of runs at the same time; they share the threads (default: one run per thread)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=4096))]
    jobs: Option<u32>,
    /// Continue the experiment in the --export-json file: its finished runs are skipped, and the spec may
    /// contain new runs
    #[arg(long, requires = "export-json")]
    resume: bool,
    /// Replace the results in the --export-json file; with --resume, drop only the runs that the spec no
    /// longer contains
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    /// How often to save unfinished runs beside the --export-json file: a time, as in 30s, or a number of
    /// generations, as in 100g (default: 1min)
    #[arg(long, value_name = "EVERY", value_parser = every, requires = "export-json")]
    checkpoint_every: Option<Interval>,
    /// Run part K of N; `evodoku experiment merge` merges the parts
    #[arg(long, value_name = "K/N", requires = "export-json")]
    shard: Option<Shard>,
    /// Run only the first N seeds of each cell; a later --resume runs the other seeds
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX as u64))]
    first_seeds: Option<u32>,
    /// Skip cells whose method does not fit their puzzle or parameters
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

/// A value of a flag.
fn at<T>(flag: &'static str, value: T) -> Located<T> {
    Located { value, place: SpecPlace(flag.to_owned()) }
}

impl Experiment {
    pub fn run(mut self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        match self.command.take() {
            Some(ExperimentCommand::Merge(merge)) => merge.run(notes),
            None if self.init => {
                print_unchanged(TEMPLATE.as_bytes())?;
                Ok(Exit::Done)
            }
            None => self.conduct(notes, ranks),
        }
    }

    fn spec(&self) -> Result<Spec> {
        Ok(match &self.spec {
            Some(path)
                if !path.exists() && path.to_str().is_some_and(|it| format::find(it).is_some()) =>
            {
                let name = path.display();
                bail!("{name} is a puzzle, not a spec: use --puzzle {name}")
            }
            Some(path) => Spec::read(path, &self.block()?)?,
            None => {
                let mut block = self.block()?;
                if self.preset.is_empty() {
                    let memetic = Preset::Memetic.name().to_owned();
                    block.values.set("methods", vec![at("--preset", memetic)]);
                }
                Spec::of("experiment".to_owned(), vec![block], None)?
            }
        })
    }

    /// The flags as a block of a spec.
    fn block(&self) -> Result<RawBlock> {
        let puzzles: Vec<_> = self.puzzle.iter().map(|name| at("--puzzle", name.clone())).collect();
        let mut values = SpecValues::default();
        if !self.preset.is_empty() {
            let methods = self.preset.iter().map(|name| at("--preset", name.clone()));
            values.set("methods", methods.collect());
        }
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
            let values = items(values).map_err(|error| anyhow!("--set {name}: {error}"))?;
            let values = values.into_iter().map(|value| at("--set", value.to_owned())).collect();
            parameters.push((at("--set", name.to_owned()), values));
        }
        if let Some(limit) = &self.time_limit {
            let name = at("--time-limit", "time_limit".to_owned());
            parameters.push((name, vec![at("--time-limit", limit.clone())]));
        }
        let place = SpecPlace("--puzzle".to_owned());
        let puzzles = Some(puzzles).filter(|puzzles| !puzzles.is_empty());
        Ok(RawBlock { place, values, puzzles, parameters })
    }

    fn plan(&self, spec: &Spec) -> Result<Plan> {
        let plan = Plan::with(spec, self.skip_unfit)?;
        self.results.check_only(&plan)?;
        Ok(plan)
    }
}
