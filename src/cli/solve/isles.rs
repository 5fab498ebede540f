//! One run over ranks: its islands are shared among them, and rank 0 decides, prints and writes.
//!
//! Several adapters of one process are ranks that are threads of it.

use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use super::away::PuzzleJob;
use crate::board::SearchSpace;
use crate::cli::output::Logger;
use crate::fitness::Place;
use crate::ga::islands::sizes;
use crate::ga::{Config, CpuEngine, IslandPartition, Observer, Outcome, Run, RunError, parts};
use crate::interrupt::INTERRUPT;
use crate::ranks::islands::{Archipelago, Batch, Member, Post, PostedStrait, follow};
use crate::ranks::{Letter, Purpose, Ranks};
use crate::solver::{SolveError, Solver, Worker};

/// The ranks that breed the islands of each run together, seen by rank 0.
pub struct Isles<'a> {
    post: Post<'a>,
    numbers: Mutex<Numbers>,
}

/// The numbers of the last run and of the last wish.
#[derive(Debug, Default)]
struct Numbers {
    run: u32,
    wish: u64,
}

/// Islands of a run, and ranks that have some of them.
fn split(ranks: &Ranks, space: &SearchSpace, config: &Config) -> Result<(usize, usize), RunError> {
    let islands = sizes(space.geometry(), config)?.len();
    Ok((islands, islands.min(ranks.size())))
}

/// Refuses a run that only one of several ranks or adapters would do something for.
///
/// # Errors
/// In a sentence, what to do.
pub fn check(ranks: &Ranks, space: &SearchSpace, config: &Config) -> Result<()> {
    if space.free.is_empty() || split(ranks, space, config)?.1 > 1 {
        return Ok(());
    }
    let size = ranks.size();
    match ranks.place() {
        Place::Rank(_) => bail!(
            "{size} ranks, but a run that is not split is done by one process: --set islands=N shares it \
             among ranks, and experiment --seeds shares runs"
        ),
        Place::Adapter(_) => bail!(
            "{size} adapters, but a run that is not split is done by one: --set islands=N shares it among \
             them, and --runs or a list shares runs if no --trace, --record, --slow or --watch is given"
        ),
    }
}

impl<'a> Isles<'a> {
    /// Those of ranks that agreed to share islands.
    pub fn new(ranks: &'a Ranks) -> Self {
        Self { post: Post::new(ranks), numbers: Mutex::default() }
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
        let ranks = self.post.ranks();
        let (islands, members) = split(ranks, run.space, run.config)?;
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.run += 1;
        let number = numbers.run;
        if number == 1 {
            let noun = ranks.place().noun();
            said(noun, islands, members, ranks.size()).iter().for_each(|line| notes.say(line));
        }
        if members == 1 {
            return worker.evolve(run, observer);
        }
        let keeps = !worker.backend().is_on_cpu(run.config);
        let channel = PostedStrait::new(&self.post, number, 1, keeps);
        let part =
            IslandPartition { islands: parts(islands, members).swap_remove(0), channel: &channel };
        let run = Run { part: Some(&part), ..*run };
        let job = PuzzleJob::of(&run.space.puzzle, run.seed, 1).to_string();
        let wish = &mut numbers.wish;
        let outcome = worker.with_engine(&run, |make| {
            let begin = || {
                let engine = make()?;
                for rank in 1..members {
                    ranks.send(rank, Letter::Run { run: number, job: job.clone() });
                }
                let member = Member::new(&run, &self.post, &channel, members, Ok(engine));
                Ok(Archipelago::new(member, number, wish, Batch::Timed))
            };
            run.evolve_on(begin, observer)
        })??;
        notes.detail(&self.sent());
        Ok(outcome)
    }

    /// What rank 0 has sent so far.
    fn sent(&self) -> String {
        let of = |purpose| self.post.ranks().traffic().of(purpose);
        let (reduction, migration) = (of(Purpose::Reduction), of(Purpose::Migration));
        format!(
            "{} sent {} letters of {} bytes to sum up, and {} of {} bytes with migrants",
            self.post.ranks().place(),
            reduction.letters,
            reduction.bytes,
            migration.letters,
            migration.bytes
        )
    }
}

/// How islands are shared.
fn said(noun: &str, islands: usize, members: usize, ranks: usize) -> Option<String> {
    let (least, most) = (islands / members, islands.div_ceil(members));
    match (members, ranks - members) {
        (1, _) => Some(format!(
            "{noun} 0 solves alone: without islands a run is not shared, and with --trace, --record, \
             --slow and --watch neither is a list among {ranks} {noun}s"
        )),
        (_, 0) if most == 1 => Some(format!("an island on each of {ranks} {noun}s")),
        (_, 0) if least == most => Some(format!("{most} islands on each of {ranks} {noun}s")),
        (_, 0) => Some(format!("{least} to {most} islands on each of {ranks} {noun}s")),
        (_, 1) => Some(format!("{islands} islands: {noun} {members} has nothing to do")),
        _ => {
            let last = ranks - 1;
            Some(format!("{islands} islands: {noun}s {members} to {last} have nothing to do"))
        }
    }
}

/// Has islands bred on a thread for each adapter but the first, as long as `body` leads them.
///
/// # Errors
/// When there are no threads, and what `body` says.
pub fn beside<R>(
    solver: &Solver,
    ranks: &[Ranks],
    threads: usize,
    body: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let Some((first, others)) = ranks.split_first() else { return body() };
    let worker = |ranks: &Ranks| Worker::new(solver.backend().part(ranks.rank()), threads);
    let mut workers = others.iter().map(worker).collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        for (ranks, worker) in others.iter().zip(&mut workers) {
            scope.spawn(move || follow_runs(solver, ranks, worker));
        }
        let _over = Over(first);
        body()
    })
}

/// Says that nothing more will come, also when it ends in a panic.
struct Over<'a>(&'a Ranks);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.send_all(&Letter::End);
    }
}

/// Does on another rank what is wanted of its islands, run after run; what keeps a run from beginning
/// rank 0 tells.
pub fn follow_runs(solver: &Solver, ranks: &Ranks, worker: &mut Worker<'_>) {
    let post = Post::new(ranks);
    while let Some((number, job)) = post.next_run() {
        if let Err(error) = follow_run(solver, &post, worker, number, &job) {
            let channel = PostedStrait::new(&post, number, 0, false);
            let mut member = Member::refusing(&post, &channel, format!("{error:#}"));
            follow::<CpuEngine<'_>>(&mut member, number, INTERRUPT.flag());
        }
    }
}

fn follow_run(
    solver: &Solver,
    post: &Post<'_>,
    worker: &mut Worker<'_>,
    number: u32,
    job: &str,
) -> Result<()> {
    let job = PuzzleJob::read(job)?;
    let (space, config) = solver.prepare(&job.puzzle()?)?;
    let rank = post.ranks().rank();
    let (islands, members) = split(post.ranks(), &space, &config)?;
    let keeps = !worker.backend().is_on_cpu(&config);
    let channel = PostedStrait::new(post, number, (rank + 1) % members, keeps);
    let part =
        IslandPartition { islands: parts(islands, members).swap_remove(rank), channel: &channel };
    let run = solver.run(&space, &config, job.seed, INTERRUPT.flag());
    let run = Run { part: Some(&part), ..run };
    Ok(worker.with_engine(&run, |make| {
        let mut member = Member::new(&run, post, &channel, members, make());
        follow(&mut member, number, INTERRUPT.flag());
    })?)
}
