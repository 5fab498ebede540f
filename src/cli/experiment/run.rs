//! How an experiment is carried out: what is missing, run by run, on one rank or several.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::Experiment;
use super::progress::ExperimentBar;
use super::tables::text;
use crate::cli::Exit;
use crate::cli::exports::{check_plot, tell};
use crate::cli::output::{Logger, print};
use crate::cli::signals::install_interrupt_handler;
use crate::experiment::{
    Cell, Checkpoints, Completion, Files, Method, Plan, RemoteRunner, Results, ResultsView,
    RunSubset, Runner, RunnerError,
};
use crate::ga::Config;
use crate::mpi::{Communicator, JobQueue, JobStream, RemoteWorker, SharedSettings, SharingMode};
use crate::run::{Backend, Pool};
use crate::util::RESULTS_VERSION;
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;
use crate::util::plural::counted;
use crate::util::quantity::Interval;

/// How often a run is kept that takes long, where that is not said: an experiment of short ones keeps
/// none.
const EVERY: Duration = Duration::from_secs(60);

impl Experiment {
    /// Does the runs that are missing.
    ///
    /// # Errors
    /// What keeps it from its end.
    pub fn conduct(self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        let spec = self.spec()?;
        let plan = Plan::with(&spec, self.misfits())?;
        let part = self.part(&plan)?;
        let view = ResultsView {
            only: self.only.clone(),
            scaling: self.plot.scaling(),
            compare: self.compare.aspect(),
        };
        let mut results = Results::new(&plan).of(self.shard).viewed(view);
        let inputs = self.spec.iter().chain(&spec.files).map(PathBuf::as_path);
        let exports = self.exports.open()?;
        check_plot(&exports, &plan, &self.only)?;
        self.compare.check(&exports, &plan)?;
        let silent = exports.take_stdout();
        let mut files = Files::new(exports, inputs, self.existing(), &mut results)?;
        install_interrupt_handler()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;
        say_reason(&plan, &backend, notes);
        say_idle(&plan, notes);
        let runner = self.runner(&plan, &backend, threads, notes, part);
        let queue = match ranks {
            None => None,
            Some(ranks) => {
                let settings = shared_settings(&plan);
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
        let checkpoints = files.json().map(|json| Checkpoints::next_to(json, every, warn));
        if let Some(checkpoints) = checkpoints.as_ref().filter(|_| !self.resume) {
            checkpoints.clear();
        }
        let runner = Runner { checkpoints: checkpoints.as_ref(), ..runner };
        let there = [
            (results.finished().count(), ["is there", "are there"]),
            (runner.resumed(&missing), ["goes on where it stood", "go on where they stood"]),
        ];
        bar.suspend(|| {
            notes.say(&format!(
                "{}: {}, {}{}{}, {} at a time{}",
                plan.name,
                counted(plan.cells.len() as u64, "cell"),
                counted(plan.runs() as u64, "run"),
                self.shard.map(|shard| format!(", of which shard {shard}")).unwrap_or_default(),
                counts(&there),
                (runner.jobs + queue.as_ref().map_or(0, JobQueue::workers))
                    .clamp(1, missing.len().max(1)),
                ranks
                    .map(|ranks| format!(" on {}", counted(ranks.size() as u64, "rank")))
                    .unwrap_or_default(),
            ));
            if ranks.is_some() && self.checkpoint_every.is_some() {
                notes.say("checkpoints are kept of the runs of rank 0 alone");
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
            Some(queue) => queue.run(runner.interrupted, |workers| {
                let remote = workers.into_iter().map(remote_runner).collect();
                runner.run_with(remote, &mut results, &mut finished)
            }),
        };
        progress.bar.finish_and_clear();
        let printed =
            if ended.is_ok() && !silent { print(&text(&mut results)).map(drop) } else { Ok(()) };
        // What is finished is kept, however it ended.
        tell(files.end(&mut results)?);
        if let Some(checkpoints) = &checkpoints {
            self.leave(checkpoints, &ended, runner.resumed(&runner.missing(&results)), notes);
        }
        let ended = ended.map_err(|error| anyhow!(error))?;
        printed?;
        Ok(match ended {
            Completion::Interrupted => Exit::Interrupted,
            // A pipe that nobody came to read.
            Completion::Complete if files.failed() && INTERRUPT.asked() => Exit::Interrupted,
            Completion::Complete if files.failed() => Exit::Failure,
            Completion::Complete => Exit::Done,
        })
    }

    /// Does on another rank what rank 0 wants, and says nothing.
    ///
    /// # Errors
    /// What keeps it from beginning, which rank 0 tells.
    pub fn follow(self, ranks: &Communicator) -> Result<Exit> {
        if self.command.is_some() {
            // Rank 0 merges alone.
            return Ok(Exit::Done);
        }
        let notes = Logger::NONE;
        let plan = Plan::with(&self.spec()?, self.misfits())?;
        let part = self.part(&plan)?;
        install_interrupt_handler()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;
        let runner = self.runner(&plan, &backend, threads, notes, part);
        let runner = Runner { jobs: runner.seats(), ..runner };
        ranks.handshake(shared_settings(&plan), runner.jobs, SharingMode::Runs)?;
        let mut pool = Pool::new(&backend, runner.jobs, threads)?;
        let jobs = JobStream::new(ranks, INTERRUPT.flag());
        jobs.serve(&mut pool, |worker, job| runner.do_remote(worker, job));
        Ok(Exit::Done)
    }

    /// Leaves checkpoints of so many runs that may go on, or none where nothing is missing.
    fn leave(
        &self,
        checkpoints: &Checkpoints<'_>,
        ended: &Result<Completion, RunnerError>,
        runs: usize,
        notes: Logger,
    ) {
        let is_whole = self.only.is_empty() && self.first_seeds.is_none();
        match ended {
            Ok(Completion::Complete) if is_whole => checkpoints.clear(),
            _ => checkpoints.remove_if_empty(),
        }
        if runs > 0 {
            let folder = checkpoints.folder().display();
            let runs = counted(runs as u64, "run");
            notes.say(&format!("--resume goes on with {runs} kept in {folder}"));
        }
    }

    /// As many runs at a time as were asked for, or as there are threads and memory for.
    fn runner<'a>(
        &self,
        plan: &'a Plan,
        backend: &'a Backend,
        threads: usize,
        notes: Logger,
        part: RunSubset,
    ) -> Runner<'a> {
        let fitting = memory::available() / plan.memory().max(1);
        let least = threads.max(backend.members().len());
        let wanted = self.jobs.map_or(least, |jobs| jobs as usize);
        let jobs = wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1);
        if jobs < wanted {
            notes.say(&format!(
                "memory holds the populations of {} at a time, not {wanted}",
                counted(jobs as u64, "run")
            ));
        }
        let interrupted = INTERRUPT.flag();
        Runner { plan, backend, jobs, threads, interrupted, part, checkpoints: None }
    }
}

/// ` (12 are there, 3 go on where they stood)`, without what is none.
fn counts(there: &[(usize, [&str; 2])]) -> String {
    let some = there.iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = some
        .map(|(count, [one, more])| format!("{count} {}", if *count == 1 { one } else { more }))
        .collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

/// Says where runs happen, and why, if a GPU comes into question for any of them.
fn say_reason(plan: &Plan, backend: &Backend, notes: Logger) {
    let of_cell = |cell: &Cell| match cell.method {
        Method::Preset(_) => backend.reason_for(&cell.config),
        Method::Exact(_) => None,
    };
    plan.cells.iter().find_map(of_cell).into_iter().for_each(|reason| notes.say(reason));
}

/// Tells of each parameter that no cell makes use of: its values give the same runs.
fn say_idle(plan: &Plan, notes: Logger) {
    let evolves = |cell: &&Cell| matches!(cell.method, Method::Preset(_));
    for name in &plan.parameters {
        let Ok(parameter) = Config::parameter(name) else { continue };
        let mut cells = plan.cells.iter().filter(evolves).peekable();
        if cells.peek().is_some() && !cells.any(|cell| (parameter.applies)(&cell.config)) {
            notes.say(&format!("{name} was set, but means nothing with the other parameters"));
        }
    }
}

/// A worker on another rank, as a runner sees it.
fn remote_runner(mut worker: RemoteWorker<'_>) -> RemoteRunner<'_> {
    let node = format!("rank {}", worker.rank());
    RemoteRunner { node, run: Box::new(move |run| worker.run(run.to_string())) }
}

/// What must be the same on all ranks.
fn shared_settings(plan: &Plan) -> SharedSettings {
    let setting = |name: &str, value: String| (name.to_owned(), value);
    vec![
        setting("version", env!("CARGO_PKG_VERSION").to_owned()),
        setting("results version", RESULTS_VERSION.to_string()),
        setting("a spec of fingerprint", plan.fingerprint.clone()),
    ]
}
