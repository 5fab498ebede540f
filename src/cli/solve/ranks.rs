//! `solve` over the ranks of an MPI job, which share the runs of a list or the islands of one run. Rank 0 alone
//! decides, prints and writes.
//!
//! Several adapters of one process are ranks that are threads of it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::Scope;

use anyhow::{Error, Result, bail};
use serde::{Deserialize, Serialize};

use crate::board::{Puzzle, SearchSpace};
use crate::cli::output::Logger;
use crate::ga::islands::sizes;
use crate::ga::{Config, Observer, Outcome, Run, RunError, RunSettings};
use crate::mpi::{
    Communicator, JobStream, Mailbox, Message, MpiMigrationChannel, NodeKind, RankEngine,
    RootEngine, SharedSettings, refuse, shared_settings,
};
use crate::run::{
    BackendInfo, Executor, IslandExecutor, Jobs, RemoteReply, RunJob, SolveError, Solver, Worker,
};
use crate::store::{FitnessHistory, Series};
use crate::util::interrupt::INTERRUPT;
use crate::util::lock;
use crate::util::ordered_parallel::ResultOrder;
use crate::util::threads::{pool_of_at_most, spawn_scoped};

/// Adds to an error which run it is of.
pub fn of_run(error: Error, run: &Run<'_>) -> Error {
    error.context(format!("{}, seed {}", run.space.puzzle.name, run.seed))
}

/// The result of a run on another rank.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunReply {
    pub outcome: Outcome,
    /// The fitness by generation.
    pub series: Series,
    pub backend: BackendInfo,
}

/// The run of a puzzle that another rank carries out, as text.
pub fn job_text(puzzle: &Puzzle, seed: u64) -> String {
    // Every key is a string and every number finite: nothing here can fail.
    serde_json::to_string(&(puzzle, seed)).unwrap_or_default()
}

/// Reads the text of a run, and prepares it.
///
/// # Errors
/// When it is none, or is impossible.
fn read_job<O>(text: &str, solver: &Solver, observer: O) -> Result<RunJob<O>> {
    let (puzzle, seed): (Puzzle, u64) = serde_json::from_str(text)?;
    let (space, config) = solver.prepare(&puzzle)?;
    Ok(RunJob::new(Arc::new(space), Arc::new(config), seed, observer))
}

/// The settings that must be the same on all ranks.
pub fn settings_of(settings: &RunSettings, runs: u32) -> SharedSettings {
    shared_settings(&[
        ("preset", settings.preset.to_string()),
        ("parameters", format!("'{}'", settings.overrides)),
        ("--runs", runs.to_string()),
    ])
}

/// Carries out the runs that rank 0 sends, until it sends no more.
///
/// # Errors
/// When the system gives no threads.
pub fn serve_runs(
    solver: &Solver,
    ranks: &Communicator,
    executor: &mut Executor<'_>,
) -> Result<(), SolveError> {
    let interrupted = INTERRUPT.flag();
    let stream = &JobStream::new(ranks, interrupted);
    let (order, jobs) = (ResultOrder::AsCompleted, RankJobs { solver, interrupted });
    let reply = |job, reply| {
        stream.reply(job, reply);
        ControlFlow::Continue(())
    };
    executor.execute(Vec::new(), stream, order, interrupted, &jobs, reply).map(drop)
}

/// The jobs of another rank than 0: texts of runs, to which a [`RunReply`] is the reply.
struct RankJobs<'s> {
    solver: &'s Solver,
    interrupted: &'s AtomicBool,
}

impl Jobs for RankJobs<'_> {
    type Item = String;
    type Observer = FitnessHistory;
    type Result = RemoteReply;

    fn prepare(&self, text: String) -> Result<RunJob<FitnessHistory>, RemoteReply> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Ok(None));
        }
        let job = read_job(&text, self.solver, FitnessHistory::new(false));
        job.map_err(|error| Err(format!("{error:#}")))
    }

    fn finish(
        &self,
        job: RunJob<FitnessHistory>,
        outcome: Result<Outcome, SolveError>,
        threads: usize,
    ) -> RemoteReply {
        let failed =
            |error: SolveError| format!("{:#}", of_run(error.into(), &job.run(self.interrupted)));
        let outcome = outcome.map_err(failed)?;
        let backend = self.solver.backend.info_for(&job.config, threads);
        let series = Series::of(&job.observer.finish());
        let reply = RunReply { outcome, series, backend };
        serde_json::to_string(&reply).map(Some).map_err(|error| error.to_string())
    }
}

/// The ranks that breed the islands of each run together, seen by rank 0.
pub struct RootIslands<'a> {
    pub mailbox: Mailbox<'a>,
    /// The number of the last run. One run is under way at a time.
    pub last: Mutex<u32>,
    /// Where it is said how the first run is shared.
    pub notes: Logger,
}

/// Islands of a run, and ranks that have some of them.
fn split(ranks: usize, space: &SearchSpace, config: &Config) -> Result<(usize, usize), RunError> {
    let islands = sizes(space.geometry(), config)?.len();
    Ok((islands, islands.min(ranks)))
}

/// Refuses a run that only one of several ranks or adapters would do something for.
///
/// # Errors
/// A sentence on what to do.
pub fn check(ranks: &Communicator, space: &SearchSpace, config: &Config) -> Result<()> {
    if space.free.is_empty() || split(ranks.size, space, config)?.1 > 1 {
        return Ok(());
    }
    let (size, kind) = (ranks.size, ranks.kind);
    bail!(
        "{size} {kind}s cannot work on one run without islands: use --set islands=N. Several runs (a list, or \
         experiment --seeds) are divided among {kind}s, but not with --trace, --record, --slow or --watch"
    );
}

impl IslandExecutor for RootIslands<'_> {
    fn evolve(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SolveError> {
        let ranks = self.mailbox.ranks;
        let (islands, members) = split(ranks.size, run.space, run.config)?;
        let mut last = lock(&self.last);
        *last += 1;
        let number = *last;
        if number == 1 {
            self.notes.say(&distribution(ranks.kind, islands, members, ranks.size));
        }
        if members == 1 {
            return Ok(run.execute_on(|| worker.engine(run), observer)?);
        }
        let replays = !worker.backend.is_on_cpu(run.config);
        let channel = MpiMigrationChannel::new(&self.mailbox, number, run, replays)?;
        let part = channel.part();
        let run = Run { partition: Some(&part), ..*run };
        let job = job_text(&run.space.puzzle, run.seed);
        let begin = || {
            let own = RankEngine::new(&run, &channel, Ok(worker.engine(&run)?));
            Ok(RootEngine::begin(own, job, None))
        };
        Ok(run.execute_on(begin, observer)?)
    }
}

/// How islands are shared.
fn distribution(kind: NodeKind, islands: usize, members: usize, ranks: usize) -> String {
    if members > 1 {
        return format!("{islands} islands on {members} of {ranks} {kind}s");
    }
    format!(
        "only {kind} 0 of {ranks} is used: neither a run without islands nor a list with --trace, --record, --slow \
         or --watch can be divided"
    )
}

/// Has islands bred on so many threads for each adapter but the first, which leads them until it drops the
/// guard.
///
/// # Errors
/// When the system gives no threads.
pub fn serve_adapters<'s>(
    scope: &'s Scope<'s, '_>,
    solver: &'s Solver,
    adapters: &'s [Communicator],
    threads: usize,
) -> Result<EndOnDrop<'s>, SolveError> {
    let end = EndOnDrop(&adapters[0]);
    for ranks in &adapters[1..] {
        let pool = pool_of_at_most(threads)?;
        spawn_scoped(scope, "adapter", move || pool.install(|| serve_islands(solver, ranks)))?;
    }
    Ok(end)
}

/// Says that nothing more will come, also when it ends in a panic.
pub struct EndOnDrop<'a>(&'a Communicator);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.broadcast(&Message::End);
    }
}

/// Breeds islands on another rank than 0, run after run, on the threads of the current rayon pool; rank 0
/// reports the errors of runs that cannot start.
pub fn serve_islands(solver: &Solver, ranks: &Communicator) {
    let mailbox = Mailbox::new(ranks);
    let backend = match ranks.kind {
        NodeKind::Rank => &solver.backend,
        NodeKind::Adapter => solver.backend.member(ranks.rank),
    };
    let mut worker = Worker::new(backend);
    while let Some((number, job)) = mailbox.next_run() {
        if let Err(error) = serve_run(solver, &mailbox, &mut worker, number, &job) {
            refuse(&mailbox, number, &format!("{error:#}"));
        }
    }
}

fn serve_run(
    solver: &Solver,
    mailbox: &Mailbox<'_>,
    worker: &mut Worker<'_>,
    number: u32,
    job: &str,
) -> Result<()> {
    let job = read_job(job, solver, ())?;
    let run = job.run(INTERRUPT.flag());
    let replays = !worker.backend.is_on_cpu(run.config);
    let channel = MpiMigrationChannel::new(mailbox, number, &run, replays)?;
    let part = channel.part();
    let run = Run { partition: Some(&part), ..run };
    RankEngine::new(&run, &channel, worker.engine(&run)).serve(INTERRUPT.flag());
    Ok(())
}
