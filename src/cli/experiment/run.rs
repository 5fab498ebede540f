//! An experiment is carried out: the missing runs, on one rank or several.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use indicatif::ProgressBar;

use super::Experiment;
use super::results_args::tables;
use crate::cli::exit::{Exit, install_interrupt_handler};
use crate::cli::exports::{existing_output, exit_of, tell};
use crate::cli::output::{Logger, print};
use crate::cli::progress;
use crate::experiment::{
    Cell, Checkpoints, Completion, Files, Method, Plan, Results, RunSubset, Runner, RunnerError,
    StopCause,
};
use crate::ga::Config;
use crate::mpi::{Communicator, JobQueue, JobStream, SharedSettings, SharingMode, shared_settings};
use crate::run::Backend;
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;
use crate::util::quantity::{Interval, counted};

/// How often a long run is stored by default; an experiment of short runs stores none.
const EVERY: Duration = Duration::from_secs(60);

impl Experiment {
    /// Carries out the missing runs.
    ///
    /// # Errors
    /// Bad input, or a failure.
    pub fn conduct(self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        let spec = self.spec()?;
        spec.remarks.iter().for_each(|remark| notes.say(remark));
        let plan = self.plan(&spec)?;
        let mut results = Results::new(&plan).viewed(self.results.view());
        results.shard = self.shard;
        let inputs = self.spec.iter().chain(&spec.files).map(PathBuf::as_path);
        let exports = self.results.open(&plan)?;
        let silent = exports.take_stdout();
        let existing = existing_output(self.resume, self.overwrite);
        let mut files = Files::new(exports, inputs, existing, &mut results)?;
        ensure!(
            files.json.is_some() || !(self.resume || self.checkpoint_every.is_some()),
            "--resume and --checkpoint-every need --export-json with a file, not stdout or a pipe"
        );
        install_interrupt_handler()?;
        let threads = self.backend.work.threads();
        let backend = self.backend.choose(notes)?;
        say_reason(&plan, &backend, notes);
        say_settings(&plan, notes);
        let runner = self.runner(&plan, &backend, threads, notes);
        let queue = match ranks {
            None => None,
            Some(ranks) => {
                let settings = settings_of(&plan);
                let (jobs, _) = ranks.handshake(settings, runner.seats(), SharingMode::Runs)?;
                Some(JobQueue::new(ranks, jobs))
            }
        };
        files.begin(&mut results)?;

        let missing = runner.missing(&results);
        let mut progress = ExperimentBar::new(missing.len(), &results, notes);
        let bar = progress.bar.clone();
        let warn = |what: &str| bar.suspend(|| notes.warn(what));
        let every = self.checkpoint_every.unwrap_or(Interval::Time(EVERY));
        let checkpoints = files.json.as_deref().map(|json| Checkpoints::next_to(json, every, warn));
        if let Some(checkpoints) = checkpoints.as_ref().filter(|_| !self.resume) {
            checkpoints.clear();
        }
        let runner = Runner { checkpoints: checkpoints.as_ref(), ..runner };
        let resumed = |missing: &[usize]| {
            checkpoints.as_ref().map_or(0, |checkpoints| checkpoints.count(&plan, missing))
        };
        bar.suspend(|| {
            notes.say(&format!(
                "{}: {}, {}{}{}, {} at a time{}",
                plan.name,
                counted(plan.cells.len() as u64, "cell"),
                counted(plan.runs() as u64, "run"),
                self.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default(),
                earlier_runs(results.finished().count(), resumed(&missing)),
                (runner.jobs + queue.as_ref().map_or(0, JobQueue::workers))
                    .clamp(1, missing.len().max(1)),
                ranks
                    .map(|ranks| format!(" on {}", counted(ranks.size as u64, "rank")))
                    .or(backend.info(0).adapter.map(|adapter| format!(" on {adapter}")))
                    .unwrap_or_default(),
            ));
            if ranks.is_some() && (self.checkpoint_every.is_some() || resumed(&missing) > 0) {
                notes.say("only the runs of rank 0 have checkpoints and resume from them");
            }
        });
        let mut finished = |results: &mut Results<'_>, run: usize| {
            let failed = files.finished(results, run)?;
            if let Some(checkpoints) = &checkpoints {
                checkpoints.ended(&plan, run);
            }
            progress.bar.suspend(|| tell(failed));
            progress.finished(results, run);
            Ok(())
        };
        let ended = match queue {
            None => runner.run(&mut results, &mut finished),
            Some(queue) => queue
                .run(runner.interrupted, |workers| {
                    runner.run_with(workers, &mut results, &mut finished)
                })
                .map_err(|error| RunnerError::Threads(error.into()))
                .flatten(),
        };
        progress.bar.finish_and_clear();
        let is_shown = ended.is_ok() && !silent;
        let printed = if is_shown { print(&tables(&mut results, notes)) } else { Ok(true) };
        // The exports are completed even if the experiment failed.
        tell(files.end(&mut results)?);
        if let Some(checkpoints) = &checkpoints {
            self.leave(checkpoints, &ended, resumed(&runner.missing(&results)), notes);
        }
        let ended = ended?;
        printed?;
        Ok(match ended {
            Completion::Interrupted => Exit::Interrupted,
            Completion::Complete => exit_of(files.failed()),
        })
    }

    /// Carries out on another rank the runs that rank 0 sends, and prints nothing.
    ///
    /// # Errors
    /// An error before the first run, which rank 0 prints.
    pub fn follow(self, ranks: &Communicator) -> Result<Exit> {
        if self.command.is_some() {
            // Rank 0 merges alone.
            return Ok(Exit::Done);
        }
        let notes = Logger::NONE;
        let plan = self.plan(&self.spec()?)?;
        install_interrupt_handler()?;
        let threads = self.backend.work.threads();
        let backend = self.backend.choose(notes)?;
        let runner = self.runner(&plan, &backend, threads, notes);
        let runner = Runner { jobs: runner.seats(), ..runner };
        ranks.handshake(settings_of(&plan), runner.jobs, SharingMode::Runs)?;
        let jobs = JobStream::new(ranks, INTERRUPT.flag());
        runner.serve(&jobs, |job, reply| jobs.reply(job, reply))?;
        Ok(Exit::Done)
    }

    /// Keeps the checkpoints of runs that can be resumed, or removes them if no run is missing.
    fn leave(
        &self,
        checkpoints: &Checkpoints<'_>,
        ended: &Result<Completion, RunnerError>,
        runs: usize,
        notes: Logger,
    ) {
        let is_whole =
            self.results.only.is_empty() && (self.first_seeds, self.shard) == (None, None);
        match ended {
            Ok(Completion::Complete) if is_whole => checkpoints.clear(),
            _ => checkpoints.remove_if_empty(),
        }
        if runs > 0 {
            let folder = checkpoints.folder.display();
            let runs = counted(runs as u64, "run");
            notes.say(&format!("--resume continues {runs} from the checkpoints in {folder}"));
        }
    }

    /// A runner of as many runs at a time as `--jobs` says, or as there are threads, if memory holds them.
    fn runner<'a>(
        &self,
        plan: &'a Plan,
        backend: &'a Backend,
        threads: usize,
        notes: Logger,
    ) -> Runner<'a> {
        let least = threads.max(backend.members().len());
        let wanted = self.jobs.map_or(least, |jobs| jobs as usize);
        let jobs = wanted.min(memory::fitting(plan.memory())).max(1);
        if jobs < wanted {
            notes.say(&format!(
                "there is enough memory for only {} at a time, not {wanted}",
                counted(jobs as u64, "run")
            ));
        }
        let (seeds, only, shard) = (self.first_seeds, self.results.only.clone(), self.shard);
        let (interrupted, part) = (INTERRUPT.flag(), RunSubset { seeds, only, shard });
        Runner { plan, backend, jobs, threads, interrupted, part, checkpoints: None }
    }
}

/// ` (12 finished, 3 resumed)`, without zeros.
fn earlier_runs(finished: usize, resumed: usize) -> String {
    let runs = [(finished, "finished"), (resumed, "resumed")].into_iter();
    let texts = runs.filter(|(count, _)| *count > 0).map(|(count, text)| format!("{count} {text}"));
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) }
}

/// Says where runs are executed, and why, if a GPU could carry out any of them.
fn say_reason(plan: &Plan, backend: &Backend, notes: Logger) {
    let of_cell = |cell: &Cell| match cell.method {
        Method::Preset(_) => backend.reason_for(&cell.config),
        Method::Exact(_) => None,
    };
    plan.cells.iter().find_map(of_cell).into_iter().for_each(|reason| notes.say(reason));
}

/// Names a method without any limit, and each parameter that no cell uses: its values give the same runs.
fn say_settings(plan: &Plan, notes: Logger) {
    let evolves = |cell: &&Cell| matches!(cell.method, Method::Preset(_));
    let is_endless = |cell: &&Cell| {
        let config = &cell.config;
        evolves(cell)
            && (config.max_work, config.max_generations) == (0, 0)
            && config.time_limit == 0.0
    };
    if let Some(cell) = plan.cells.iter().find(is_endless) {
        notes.say(&format!(
            "{} has no max_work, max_generations or time_limit: an unsolved run never ends",
            cell.method
        ));
    }
    for name in &plan.parameters {
        let Ok(parameter) = Config::parameter(name) else { continue };
        let mut cells = plan.cells.iter().filter(evolves);
        if let Some(first) = cells.clone().next()
            && !cells.any(|cell| (parameter.applies)(&cell.config))
        {
            notes.say(&parameter.no_effect(&first.config));
        }
    }
}

/// The settings that must be equal on all ranks.
fn settings_of(plan: &Plan) -> SharedSettings {
    shared_settings(&[("spec fingerprint", plan.fingerprint.clone())])
}

/// The progress bar of an experiment: runs done, time left and runs solved.
struct ExperimentBar {
    bar: ProgressBar,
    solved: usize,
    /// Whether a fault of the device was reported; further ones are not.
    warned: bool,
    notes: Logger,
}

impl ExperimentBar {
    fn new(missing: usize, results: &Results<'_>, notes: Logger) -> Self {
        let done = results.finished().count();
        let bar = progress::bar(notes.quiet, Some((done + missing) as u64));
        progress::style(
            &bar,
            "{pos}/{len} {wide_msg}",
            "[{bar:24}] {pos} of {len} runs, {elapsed} so far, {eta} left, {wide_msg}",
        );
        let solved = results.finished().filter(|run| run.figures.solved()).count();
        // Runs of an earlier process tell nothing about the time that is left.
        bar.set_position(done as u64);
        bar.reset_eta();
        let progress = Self { bar, solved, warned: false, notes };
        progress.show();
        progress
    }

    fn finished(&mut self, results: &Results<'_>, run: usize) {
        let Some(result) = results.run(run) else { return };
        self.solved += usize::from(result.figures.solved());
        if let (false, Some(fault)) = (self.warned, &result.figures.fault) {
            self.warned = true;
            let notes = self.notes;
            let warning = match result.figures.end {
                // The solver of an exact method failed.
                StopCause::Failed => fault.clone(),
                _ => format!("{fault}; the run continued on the CPU"),
            };
            self.bar.suspend(|| notes.warn(&warning));
        }
        self.bar.inc(1);
        self.show();
    }

    fn show(&self) {
        self.bar.set_message(format!("solved {} of {}", self.solved, self.bar.position()));
    }
}
