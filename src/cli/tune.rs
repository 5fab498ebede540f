//! `evodoku tune`: parameters tuned by iterated racing.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::backend::BackendArgs;
use super::experiment::experiment_table;
use super::exports::{ExportArgs, existing_output, finish};
use super::output::{Logger, print_unchanged};
use super::table::paragraphs;
use super::{Exit, progress};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::whole;
use crate::report::{OutputFile, keep_apart};
use crate::tune::{Resources, TuneError, TuneEvent, TuneSpec, TuneSummary, Tuning};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::counted as count;

/// What `--init` prints.
const TEMPLATE: &str = include_str!("tune.toml");

/// Find good parameters on some puzzles, and validate them on others
///
/// The method is iterated racing: tune samples configurations, races them over training puzzles and seeds,
/// and samples new ones around the survivors, until the budget is spent. Then it compares the winner with the
/// default configuration on the validation puzzles. The same spec and seed give the same winner on any number
/// of threads. Exit codes: 0, done, with or without a gain; 2, bad input or a failure; 130, interrupted (with
/// --journal, the tuning can be continued by --resume).
#[derive(Debug, Args)]
pub struct Tune {
    /// Description of the tuning (puzzles, parameters and budget); --init prints one to start from
    #[arg(value_name = "SPEC.toml", required_unless_present = "init")]
    spec: Option<PathBuf>,
    /// Print a commented spec as a starting point
    #[arg(long, exclusive = true)]
    init: bool,
    /// Save every finished run to this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue an earlier tuning: skip the runs that are in the journal
    #[arg(long, requires = "journal", conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the journal
    #[arg(long, requires = "journal")]
    overwrite: bool,
    /// Number of runs at the same time; they share the threads (default: one run per thread)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=4096))]
    jobs: Option<u32>,
    /// Write the winning configuration to a file that --config reads
    #[arg(long, value_name = "FILE.toml")]
    export_config: Option<PathBuf>,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    exports: ExportArgs,
}

impl Tune {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let Some(spec) = &self.spec else {
            print_unchanged(TEMPLATE.as_bytes())?;
            return Ok(Exit::Done);
        };
        let tuning = Tuning::new(TuneSpec::read(spec)?)?;
        tuning.spec.puzzles.remarks.iter().for_each(|remark| notes.say(remark));
        let mut exports = self.exports.open()?;
        let config = self.export_config.as_deref().map(OutputFile::new).transpose()?;
        let journal = self.journal.as_deref().map(OutputFile::named);
        let read = || [spec].into_iter().chain(&tuning.spec.puzzles.files).map(PathBuf::as_path);
        keep_apart(exports.outputs().chain(&config).chain(&journal), read())?;
        install_interrupt_handler()?;
        let threads = self.backend.work.threads();
        let backend = self.backend.choose(notes)?;
        let least = threads.max(backend.members().len());
        let jobs = self.jobs.map_or(least, |jobs| jobs as usize);
        let resources =
            Resources { backend: &backend, jobs, threads, interrupted: INTERRUPT.flag() };
        let existing = existing_output(self.resume, self.overwrite);
        let bar = progress::bar(notes.quiet, None);
        progress::style(&bar, "{wide_msg}", "{elapsed} {wide_msg}");
        let watcher = |progress: TuneEvent<'_>| match progress {
            TuneEvent::Runs(runs) => bar.set_message(format!("{} done", count(runs as u64, "run"))),
            TuneEvent::Iteration(one) => {
                let candidates = count(one.candidates as u64, "candidate");
                let (number, runs, left) = (one.number, count(one.runs, "run"), one.elites.len());
                let text = format!("iteration {number}: {runs}, {left} of {candidates} left");
                bar.suspend(|| notes.say(&text));
            }
            TuneEvent::Validation(runs) => {
                bar.suspend(|| notes.say(&format!("validation: {}", count(runs as u64, "run"))));
            }
        };
        let ended = tuning.run(&resources, self.journal.as_deref(), existing, &watcher);
        bar.finish_and_clear();
        let tuned = match ended {
            Err(TuneError::Interrupted) => {
                if self.journal.is_some() {
                    notes.say("interrupted; the same command with --resume continues");
                }
                return Ok(Exit::Interrupted);
            }
            Err(error) => return Err(error.into()),
            Ok(None) => bail!("the budget is too small for a race: allow more runs or work"),
            Ok(Some(tuned)) => tuned,
        };
        let set = &tuned.settings.overrides;
        let winner = tuning.plan.cells[0].config.clone().with(set);
        let idle = set.parameters().filter(|parameter| !(parameter.applies)(&winner));
        idle.for_each(|parameter| notes.say(&parameter.no_effect(&winner)));
        let summary = TuneSummary { tuning: &tuning, tuned: &tuned };
        let is_stdout = config.as_ref().is_some_and(OutputFile::is_stdout);
        let tables: Vec<String> = summary.tables().into_iter().map(experiment_table).collect();
        let text = format!("{}\n{}", paragraphs(&summary.answer()), tables.join("\n"));
        let exit = finish(&mut exports, &summary.report(), (!is_stdout).then_some(text))?;
        if let Some(config) = config {
            config.replace(summary.config()?.as_bytes())?;
        }
        Ok(exit)
    }
}
