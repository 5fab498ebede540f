//! One run over ranks: its islands are shared among them, and rank 0 decides, prints and writes.
//!
//! Several adapters of one process are ranks that are threads of it.

use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::board::{Puzzle, SearchSpace};
use crate::cli::output::Logger;
use crate::format;
use crate::ga::islands::sizes;
use crate::ga::{Config, Observer, Outcome, Run, RunError};
use crate::mpi::{
    Communicator, Mailbox, Message, MpiMigrationChannel, NodeKind, RankEngine, RootEngine, refuse,
};
use crate::run::{SolveError, Solver, Worker};
use crate::util::interrupt::INTERRUPT;

/// A puzzle that another rank runs with some seeds, from the first on.
#[derive(Debug, Serialize, Deserialize)]
pub struct PuzzleJob {
    name: String,
    shape: String,
    puzzle: String,
    pub seed: u64,
    pub runs: u32,
}

impl PuzzleJob {
    /// The text of the job of a puzzle.
    pub fn text(puzzle: &Puzzle, seed: u64, runs: u32) -> String {
        let job = Self {
            name: puzzle.name.clone(),
            shape: puzzle.geometry.to_string(),
            puzzle: format::line(puzzle.geometry, &puzzle.givens),
            seed,
            runs,
        };
        // Every key is a string and every number finite: nothing here can fail.
        serde_json::to_string(&job).unwrap_or_default()
    }

    /// Reads the job, and its puzzle.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<(Self, Puzzle)> {
        let job: Self = serde_json::from_str(text)?;
        let puzzle = format::read(&job.puzzle, &job.name, Some(job.shape.parse()?))?.puzzle;
        let puzzle = Puzzle { name: job.name.clone(), ..puzzle };
        Ok((job, puzzle))
    }
}

/// The ranks that breed the islands of each run together, seen by rank 0.
pub struct RootIslands<'a> {
    mailbox: Mailbox<'a>,
    /// The number of the last run. One run is under way at a time.
    last: Mutex<u32>,
}

/// Islands of a run, and ranks that have some of them.
fn split(
    ranks: &Communicator,
    space: &SearchSpace,
    config: &Config,
) -> Result<(usize, usize), RunError> {
    let islands = sizes(space.geometry(), config)?.len();
    Ok((islands, islands.min(ranks.size())))
}

/// Refuses a run that only one of several ranks or adapters would do something for.
///
/// # Errors
/// In a sentence, what to do.
pub fn check(ranks: &Communicator, space: &SearchSpace, config: &Config) -> Result<()> {
    if space.free.is_empty() || split(ranks, space, config)?.1 > 1 {
        return Ok(());
    }
    let size = ranks.size();
    match ranks.kind() {
        NodeKind::Rank => bail!(
            "{size} ranks, but a run that is not split is done by one process: --set islands=N shares it \
             among ranks, and experiment --seeds shares runs"
        ),
        NodeKind::Adapter => bail!(
            "{size} adapters, but a run that is not split is done by one: --set islands=N shares it among \
             them, and --runs or a list shares runs if no --trace, --record, --slow or --watch is given"
        ),
    }
}

impl<'a> RootIslands<'a> {
    /// The ranks that agreed to share islands.
    pub fn new(ranks: &'a Communicator) -> Self {
        Self { mailbox: Mailbox::new(ranks), last: Mutex::default() }
    }

    /// Evolves on all ranks that have islands.
    ///
    /// # Errors
    /// As [`Worker::evolve`], and what keeps another rank from it.
    pub fn evolve(
        &self,
        worker: &mut Worker<'_>,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
        notes: Logger,
    ) -> Result<Outcome, SolveError> {
        let ranks = self.mailbox.ranks();
        let (islands, members) = split(ranks, run.space, run.config)?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        let number = *last;
        if number == 1 {
            let kind = ranks.kind();
            let said = distribution(kind, islands, members, ranks.size());
            said.iter().for_each(|line| notes.say(line));
        }
        if members == 1 {
            return worker.run(run, observer);
        }
        let replays = !worker.backend().is_on_cpu(run.config);
        let channel = MpiMigrationChannel::new(&self.mailbox, number, run, replays)?;
        let part = channel.part();
        let run = Run { partition: Some(&part), ..*run };
        let job = PuzzleJob::text(&run.space.puzzle, run.seed, 1);
        Ok(worker.with_engine(&run, |make| {
            let begin = || {
                let own = RankEngine::new(&run, &channel, Ok(make()?));
                Ok(RootEngine::begin(own, job, None))
            };
            run.execute_on(begin, observer)
        })??)
    }
}

/// How islands are shared.
fn distribution(kind: NodeKind, islands: usize, members: usize, ranks: usize) -> Option<String> {
    let (least, most) = (islands / members, islands.div_ceil(members));
    match (members, ranks - members) {
        (1, _) => Some(format!(
            "{kind} 0 solves alone: without islands a run is not shared, and with --trace, --record, \
             --slow and --watch neither is a list among {ranks} {kind}s"
        )),
        (_, 0) if most == 1 => Some(format!("an island on each of {ranks} {kind}s")),
        (_, 0) if least == most => Some(format!("{most} islands on each of {ranks} {kind}s")),
        (_, 0) => Some(format!("{least} to {most} islands on each of {ranks} {kind}s")),
        (_, 1) => Some(format!("{islands} islands: {kind} {members} has nothing to do")),
        _ => {
            let last = ranks - 1;
            Some(format!("{islands} islands: {kind}s {members} to {last} have nothing to do"))
        }
    }
}

/// Has islands bred on a thread for each adapter but the first, as long as `body` leads them.
///
/// # Errors
/// When there are no threads, and what `body` says.
pub fn beside<R>(
    solver: &Solver,
    ranks: &[Communicator],
    threads: usize,
    body: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let Some((first, others)) = ranks.split_first() else { return body() };
    let worker = |ranks: &Communicator| Worker::new(solver.backend().member(ranks.rank()), threads);
    let mut workers = others.iter().map(worker).collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        for (ranks, worker) in others.iter().zip(&mut workers) {
            scope.spawn(move || serve_islands(solver, ranks, worker));
        }
        let _end = EndOnDrop(first);
        body()
    })
}

/// Says that nothing more will come, also when it ends in a panic.
struct EndOnDrop<'a>(&'a Communicator);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.broadcast(&Message::End);
    }
}

/// Breeds islands on another rank than 0, run after run; rank 0 tells what keeps a run from beginning.
pub fn serve_islands(solver: &Solver, ranks: &Communicator, worker: &mut Worker<'_>) {
    let mailbox = Mailbox::new(ranks);
    while let Some((number, job)) = mailbox.next_run() {
        if let Err(error) = serve_run(solver, &mailbox, worker, number, &job) {
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
    let (job, puzzle) = PuzzleJob::read(job)?;
    let (space, config) = solver.prepare(&puzzle)?;
    let replays = !worker.backend().is_on_cpu(&config);
    let run = solver.run(&space, &config, job.seed, INTERRUPT.flag());
    let channel = MpiMigrationChannel::new(mailbox, number, &run, replays)?;
    let part = channel.part();
    let run = Run { partition: Some(&part), ..run };
    Ok(worker.with_engine(&run, |make| {
        RankEngine::new(&run, &channel, make()).serve(INTERRUPT.flag());
    })?)
}
