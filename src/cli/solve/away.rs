//! A list over ranks: puzzles are run on other ranks too, and the outcomes come back to rank 0,
//! which alone prints and writes.

use std::fmt::{self, Display, Formatter};
use std::ops::ControlFlow;

use anyhow::{Error, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::Solve;
use super::context::{PreparedPuzzle, PuzzleOutcome, SolveContext, of_run};
use super::isles;
use crate::RESULTS_VERSION;
use crate::board::Puzzle;
use crate::cli::output::Logger;
use crate::cli::{Exit, install_interrupt_handler};
use crate::experiment::{Collector, Series};
use crate::format::{self, ParsedPuzzle};
use crate::ga::{Outcome, RunSettings, StopReason};
use crate::interrupt::INTERRUPT;
use crate::ranks::{Away, Fact, Orders, Ranks, Reply, Sharing};
use crate::solver::{Elsewhere, Pool, Solver, Worker};
use crate::spread::Delivery;

/// A puzzle that is to be run with as many seeds, from the first on.
#[derive(Debug, Serialize, Deserialize)]
pub struct PuzzleJob {
    name: String,
    shape: String,
    puzzle: String,
    pub seed: u64,
    runs: u32,
}

impl PuzzleJob {
    /// That of a puzzle.
    pub fn of(puzzle: &Puzzle, seed: u64, runs: u32) -> Self {
        Self {
            name: puzzle.name.clone(),
            shape: puzzle.geometry.to_string(),
            puzzle: format::line(puzzle.geometry, &puzzle.givens),
            seed,
            runs,
        }
    }

    /// As it was written.
    ///
    /// # Errors
    /// When it was not.
    pub fn read(text: &str) -> Result<Self> {
        Ok(serde_json::from_str(text)?)
    }

    /// The puzzle.
    ///
    /// # Errors
    /// When it is none.
    pub fn puzzle(&self) -> Result<Puzzle> {
        let puzzle = format::read(&self.puzzle, &self.name, Some(self.shape.parse()?))?.puzzle;
        Ok(Puzzle { name: self.name.clone(), ..puzzle })
    }
}

impl Display for PuzzleJob {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Every key is a string and every number finite: nothing here can fail.
        f.write_str(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
struct PuzzleReply {
    /// Its runs, each with its curve.
    runs: Vec<(Outcome, Series)>,
    /// What kept it from more runs.
    failure: Option<String>,
    adapter: Option<String>,
    driver: Option<String>,
    threads: usize,
}

/// What must be the same on all ranks.
pub fn facts(settings: &RunSettings, runs: u32) -> Vec<Fact> {
    let fact = |name: &str, value: String| Fact(name.to_owned(), value);
    vec![
        fact("version", env!("CARGO_PKG_VERSION").to_owned()),
        fact("results version", RESULTS_VERSION.to_string()),
        fact("preset", settings.preset.to_string()),
        fact("parameters", format!("'{}'", settings.overrides)),
        fact("--runs", runs.to_string()),
    ]
}

impl Solve {
    /// Does on another rank than 0 what rank 0 wants, and says nothing.
    ///
    /// # Errors
    /// What keeps it from beginning, which rank 0 tells.
    pub fn follow(self, ranks: &Ranks) -> Result<Exit> {
        let (this, resumed) = self.resumed()?;
        let settings = this.settings(resumed.as_ref())?;
        let threads = this.backend.work.threads()?.current_num_threads();
        let backend = this.backend.choose(Logger::NONE)?;
        install_interrupt_handler()?;
        // Of a list each thread solves one, and whatever has a GPU one after the other.
        let on_cpu = backend.info(threads).backend == "cpu";
        let jobs = if on_cpu { threads } else { backend.parts().len() };
        let facts = facts(&settings, this.runs(resumed.as_ref()));
        let solver = Solver::with(settings).on(backend);
        let mut pool = Pool::new(solver.backend(), jobs, threads)?;
        let (_, sharing) = ranks.agree(facts, jobs, Sharing::Runs)?;
        if sharing == Sharing::Islands {
            drop(pool);
            isles::follow_runs(&solver, ranks, &mut Worker::new(solver.backend(), threads)?);
            return Ok(Exit::Done);
        }
        let orders = Orders::new(ranks, INTERRUPT.flag());
        let work = |worker: &mut Worker<'_>, (seat, job): (usize, String)| {
            (seat, reply(&solver, worker, &job))
        };
        pool.run(&orders, Delivery::AsDone, work, |(seat, reply)| {
            orders.done(seat, reply);
            ControlFlow::Continue(())
        });
        Ok(Exit::Done)
    }
}

/// Does a job, and says what came of it.
fn reply(solver: &Solver, worker: &mut Worker<'_>, job: &str) -> Reply {
    // Every key is a string and every number finite.
    match do_job(solver, worker, job).and_then(|reply| Ok(serde_json::to_string(&reply)?)) {
        Ok(text) => Reply::Done(text),
        Err(error) => Reply::Failed(format!("{error:#}")),
    }
}

fn do_job(solver: &Solver, worker: &mut Worker<'_>, job: &str) -> Result<PuzzleReply> {
    let job = PuzzleJob::read(job)?;
    let (space, config) = solver.prepare(&job.puzzle()?)?;
    let info = solver.backend().info_of(&config, worker.threads());
    let (mut runs, mut failure): (Vec<(Outcome, Series)>, _) = (Vec::new(), None);
    for number in 0..job.runs {
        let seed = job.seed.wrapping_add(number.into());
        let run = solver.run(&space, &config, seed, INTERRUPT.flag());
        let mut collector = Collector::default();
        match worker.evolve(&run, &mut collector) {
            Ok(outcome) => runs.push((outcome, collector.finish())),
            Err(error) => failure = Some(format!("{:#}", of_run(error.into(), &run))),
        }
        let interrupted = |run: &(Outcome, _)| run.0.stop_reason == StopReason::Interrupted;
        if failure.is_some() || runs.last().is_some_and(interrupted) {
            break;
        }
    }
    let (adapter, driver, threads) = (info.adapter, info.driver, info.threads);
    Ok(PuzzleReply { runs, failure, adapter, driver, threads })
}

impl SolveContext<'_> {
    /// A worker on another rank, as the pool sees it.
    pub fn elsewhere<'e>(
        &'e self,
        mut away: Away<'e>,
    ) -> Elsewhere<'e, (u64, Result<ParsedPuzzle>), PuzzleOutcome> {
        Box::new(move |(_, reading)| self.solve_away(&mut away, reading))
    }

    /// Has a puzzle run with each of its seeds on another rank.
    fn solve_away(&self, away: &mut Away<'_>, reading: Result<ParsedPuzzle>) -> PuzzleOutcome {
        let prepared = match self.prepare(reading) {
            Ok(prepared) => prepared,
            Err(answer) => return answer,
        };
        let puzzle = &prepared.space.puzzle;
        let reply = away.work(PuzzleJob::of(puzzle, self.seed, self.runs).to_string());
        let failed = |what: String| anyhow!("{what} on rank {}", away.rank());
        let text = match reply {
            Reply::Done(text) => text,
            Reply::Interrupted => return PuzzleOutcome::Untouched,
            Reply::Failed(what) => {
                return self.answer(&prepared.space, Vec::new(), Some(failed(what)));
            }
        };
        match serde_json::from_str(&text) {
            Ok(reply) => self.answer_of(&prepared, reply, failed),
            Err(error) => self.answer(&prepared.space, Vec::new(), Some(Error::new(error))),
        }
    }

    /// What came of a puzzle elsewhere; solutions are verified here too.
    fn answer_of(
        &self,
        prepared: &PreparedPuzzle,
        reply: PuzzleReply,
        failed: impl Fn(String) -> Error,
    ) -> PuzzleOutcome {
        let PreparedPuzzle { space, config } = prepared;
        let mut failure = reply.failure.map(&failed);
        let mut backend = self.solver.backend().info_of(config, reply.threads);
        (backend.adapter, backend.driver) = (reply.adapter, reply.driver);
        let mut runs = Vec::new();
        for (number, (outcome, series)) in (0..).zip(reply.runs) {
            let run = self.solver.run(space, config, self.seed_of(number), self.interrupted);
            if let Err(error) = outcome.check(&space.puzzle) {
                failure = Some(of_run(failed(format!("a run cannot be so: {error}")), &run));
                break;
            }
            runs.push(self.ended(&run, &backend, outcome, series.curve()));
        }
        self.answer(space, runs, failure)
    }
}
