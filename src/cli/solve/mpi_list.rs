//! A list over ranks: puzzles are run on other ranks too, and the outcomes come back to rank 0,
//! which alone prints and writes.

use anyhow::{Error, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::Solve;
use super::context::{PreparedPuzzle, PuzzleOutcome, SolveContext, of_run};
use super::mpi_islands::{PuzzleJob, serve_islands};
use crate::board::{Geometry, SearchSpace};
use crate::cli::Exit;
use crate::cli::exit::install_interrupt_handler;
use crate::cli::output::Logger;
use crate::experiment::{Collector, Series};
use crate::format::ParsedPuzzle;
use crate::ga::{Outcome, RunSettings, StopReason};
use crate::mpi::{Communicator, JobReply, JobStream, RemoteWorker, SharedSettings, SharingMode};
use crate::run::{Pool, Solver, WorkFn, Worker};
use crate::util::RESULTS_VERSION;
use crate::util::interrupt::INTERRUPT;

/// The result of a [`PuzzleJob`].
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
pub fn shared_settings(settings: &RunSettings, runs: u32) -> SharedSettings {
    let setting = |name: &str, value: String| (name.to_owned(), value);
    vec![
        setting("version", env!("CARGO_PKG_VERSION").to_owned()),
        setting("results version", RESULTS_VERSION.to_string()),
        setting("preset", settings.preset.to_string()),
        setting("parameters", format!("'{}'", settings.overrides)),
        setting("--runs", runs.to_string()),
    ]
}

impl Solve {
    /// Does on another rank than 0 what rank 0 wants, and says nothing.
    ///
    /// # Errors
    /// What keeps it from beginning, which rank 0 tells.
    pub fn follow(self, ranks: &Communicator) -> Result<Exit> {
        let (this, resumed) = self.resumed()?;
        let settings = this.settings(resumed.as_ref())?;
        let threads = this.backend.work.threads()?.current_num_threads();
        let backend = this.backend.choose(Logger::NONE)?;
        install_interrupt_handler()?;
        // Of a list each thread solves one, and whatever has a GPU one after the other.
        let blank = SearchSpace::blank(Geometry::new(3, 3)?);
        let on_cpu = settings.config(&blank).is_ok_and(|config| backend.is_on_cpu(&config));
        let jobs = if on_cpu { threads } else { backend.members().len() };
        let shared = shared_settings(&settings, this.runs(resumed.as_ref()));
        let solver = Solver::from_settings(settings).on(backend);
        let mut pool = Pool::new(solver.backend(), jobs, threads)?;
        let (_, sharing) = ranks.handshake(shared, jobs, SharingMode::Runs)?;
        if sharing == SharingMode::Islands {
            drop(pool);
            serve_islands(&solver, ranks, &mut Worker::new(solver.backend(), threads)?);
            return Ok(Exit::Done);
        }
        let stream = JobStream::new(ranks, INTERRUPT.flag());
        stream.serve(&mut pool, |worker, job| reply(&solver, worker, job));
        Ok(Exit::Done)
    }
}

/// Does a job for rank 0.
fn reply(solver: &Solver, worker: &mut Worker<'_>, job: &str) -> JobReply {
    // Every key is a string and every number finite.
    let reply = do_job(solver, worker, job).and_then(|reply| Ok(serde_json::to_string(&reply)?));
    reply.map(Some).map_err(|error| format!("{error:#}"))
}

fn do_job(solver: &Solver, worker: &mut Worker<'_>, job: &str) -> Result<PuzzleReply> {
    let (job, puzzle) = PuzzleJob::read(job)?;
    let (space, config) = solver.prepare(&puzzle)?;
    let info = solver.backend().info_for(&config, worker.threads());
    let (mut runs, mut failure): (Vec<(Outcome, Series)>, _) = (Vec::new(), None);
    for number in 0..job.runs {
        let seed = job.seed.wrapping_add(number.into());
        let run = solver.run(&space, &config, seed, INTERRUPT.flag());
        let mut collector = Collector::default();
        match worker.run(&run, &mut collector) {
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
    pub fn remote<'e>(
        &'e self,
        mut worker: RemoteWorker<'e>,
    ) -> WorkFn<'e, (u64, Result<ParsedPuzzle>), PuzzleOutcome> {
        Box::new(move |(_, reading)| self.solve_remote(&mut worker, reading))
    }

    /// Has a puzzle run with each of its seeds on another rank.
    fn solve_remote(
        &self,
        worker: &mut RemoteWorker<'_>,
        reading: Result<ParsedPuzzle>,
    ) -> PuzzleOutcome {
        let prepared = match self.prepare(reading) {
            Ok(prepared) => prepared,
            Err(answer) => return answer,
        };
        let rank = worker.rank();
        let failed = |error: String| anyhow!("{error} on rank {rank}");
        let text = match worker.run(PuzzleJob::text(&prepared.space.puzzle, self.seed, self.runs)) {
            Ok(Some(text)) => text,
            Ok(None) => return PuzzleOutcome::Untouched,
            Err(error) => return self.answer(&prepared.space, Vec::new(), Some(failed(error))),
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
        let mut backend = self.solver.backend().info_for(config, reply.threads);
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
