//! `evodoku tune`: parameters tuned by iterated racing.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::backend::BackendArgs;
use super::experiment::experiment_table;
use super::exports::{PlotlessExportArgs, tell};
use super::output::{Logger, print, wrapped};
use super::{Exit, progress};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::whole;
use crate::report::{OutputFile, keep_apart};
use crate::tune::{
    ExistingOutput, Resources, TuneError, TuneEvent, TuneSpec, TuneSummary, Tuned, Tuning,
};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::counted as count;

/// Tune parameters of a method on some puzzles, and validate what wins on others
///
/// Iterated racing: configurations are sampled, raced over training puzzles and seeds, and sampled anew
/// around those that are left, until the budget is spent. What wins meets the default configuration on the
/// validation puzzles. The same spec and seed tune the same on any number of threads. Exit code 0: done,
/// whatever was gained; 2: bad input or a failure; 130: interrupted, which --journal and --resume go on from.
#[derive(Debug, Args)]
pub struct Tune {
    /// What to tune: see experiments/ for an example
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// Keep every finished run in this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Take in the runs that the journal holds, and do the others
    #[arg(long, requires = "journal", conflicts_with = "overwrite")]
    resume: bool,
    /// Throw away the runs that the journal holds
    #[arg(long, requires = "journal")]
    overwrite: bool,
    /// Runs at a time, which share the threads (default: one for each thread)
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=4096))]
    jobs: Option<u32>,
    /// Write what wins as a file for --config
    #[arg(long, value_name = "FILE.toml")]
    export_config: Option<PathBuf>,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    exports: PlotlessExportArgs,
}

impl Tune {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let tuning = Tuning::new(TuneSpec::read(&self.spec)?)?;
        let mut exports = self.exports.open()?;
        let config = self.export_config.as_deref().map(OutputFile::new).transpose()?;
        let journal = self.journal.as_deref().map(OutputFile::named);
        let read =
            || [&self.spec].into_iter().chain(&tuning.spec.puzzles.files).map(PathBuf::as_path);
        keep_apart(&journal, read())?;
        let outputs = exports.outputs().chain(&config);
        keep_apart(outputs, read().chain(self.journal.as_deref()))?;
        install_interrupt_handler()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;
        let least = threads.max(backend.members().len());
        let jobs = self.jobs.map_or(least, |jobs| jobs as usize);
        let means = Resources { backend: &backend, jobs, threads, interrupted: INTERRUPT.flag() };
        let existing = match (self.resume, self.overwrite) {
            (true, _) => ExistingOutput::Resume,
            (_, true) => ExistingOutput::Overwrite,
            _ => ExistingOutput::Refuse,
        };
        let bar = progress::bar(notes.quiet, None);
        let mut watcher = |progress: TuneEvent<'_>| match progress {
            TuneEvent::Runs(runs) => bar.set_message(format!("{} done", count(runs as u64, "run"))),
            TuneEvent::Iteration(one) => {
                let (number, left) = (one.number, one.elites.len());
                let said = format!(
                    "iteration {number}: {}, {}, {left} left",
                    count(one.candidates as u64, "candidate"),
                    count(one.runs, "run")
                );
                bar.suspend(|| notes.say(&said));
            }
            TuneEvent::Validation(runs) => {
                bar.suspend(|| notes.say(&format!("validation: {}", count(runs as u64, "run"))));
            }
        };
        let ended = tuning.run(&means, self.journal.as_deref(), existing, &mut watcher);
        bar.finish_and_clear();
        let tuned = match ended {
            Err(TuneError::Interrupted) => return Ok(Exit::Interrupted),
            Err(error) => return Err(anyhow!(error)),
            Ok(None) => bail!("the budget pays no race: give it more runs or work"),
            Ok(Some(tuned)) => tuned,
        };
        self.write(&tuning, &tuned, &mut exports, config.as_ref())
    }

    fn write(
        &self,
        tuning: &Tuning,
        tuned: &Tuned,
        exports: &mut crate::report::ExportSet,
        config: Option<&OutputFile>,
    ) -> Result<Exit> {
        let summary = TuneSummary { tuning, tuned };
        let is_stdout = config.is_some_and(OutputFile::is_stdout);
        if !exports.take_stdout() && !is_stdout {
            let tables: Vec<String> = summary.tables().into_iter().map(experiment_table).collect();
            // What was gained stands below the tables.
            let won: String = summary.answer().iter().take(1).map(|it| wrapped(it, "")).collect();
            print(&format!("{}\n\n{won}", tables.join("\n")))?;
        }
        tell(exports.write_all(&summary.report()));
        if let Some(config) = config {
            config.replace(summary.config()?.as_bytes())?;
        }
        Ok(match exports.failed(None) {
            // A pipe that nobody came to read.
            true if INTERRUPT.is_requested() => Exit::Interrupted,
            true => Exit::Failure,
            false => Exit::Done,
        })
    }
}
