//! What islands over ranks cost.
//!
//! `cargo bench --bench islands` measures how long generations take between two ranks that are threads, or
//! two processes where `mpirun -n 2` starts a build with the feature `mpi`, and how long without the
//! other rank.
#![allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")]

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use evodoku::board::{Presolve, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::format;
use evodoku::ga::{Config, Outcome, Preset, Run, RunError};
use evodoku::ga::{CpuEngine, Engine, GenerationKind, GenerationRequest};
use evodoku::internals::{
    Communicator, Mailbox, Message, MpiMigrationChannel, NodeKind, RankEngine, RootEngine,
};

/// Generations that are measured.
const GENERATIONS: u32 = 200;

/// A run that nothing ends early.
fn case(name: &str, preset: Preset, islands: u32, each: u32, interval: u32, migrants: u32) -> Case {
    let puzzle = format::load(name, None).expect("it is shipped").puzzle;
    let space = presolve(&puzzle, Presolve::None).expect("it has a solution");
    let config = Config {
        islands,
        population: islands * each,
        migration_interval: interval,
        migrants,
        max_generations: GENERATIONS,
        restart_after: 0,
        ..Config::of(preset, &space)
    };
    Case { space, config, interrupted: AtomicBool::new(false) }
}

struct Case {
    space: SearchSpace,
    config: Config,
    interrupted: AtomicBool,
}

impl Case {
    fn run(&self) -> Run<'_> {
        Run::new(&self.space, &self.config, 1, &self.interrupted)
    }

    fn pipeline(&self) -> Pipeline {
        Pipeline::new(Box::new(CpuEvaluator::new(self.space.geometry(), None)))
    }

    /// Breeds the islands of another rank than 0.
    fn serve(&self, mailbox: &Mailbox<'_>, number: u32) {
        let run = self.run();
        let channel = MpiMigrationChannel::new(mailbox, number, &run, false).expect("it fits");
        let part = channel.part();
        let run = Run { partition: Some(&part), ..run };
        let mut pipeline = self.pipeline();
        let engine = CpuEngine::new(&run, &mut pipeline);
        RankEngine::new(&run, &channel, engine).serve(run.interrupted);
    }

    /// The whole run, from rank 0, with up to `limit` generations a command.
    fn lead(
        &self,
        mailbox: &Mailbox<'_>,
        number: u32,
        limit: Option<u32>,
    ) -> Result<Outcome, RunError> {
        let run = self.run();
        let channel = MpiMigrationChannel::new(mailbox, number, &run, false)?;
        let part = channel.part();
        let run = Run { partition: Some(&part), ..run };
        let mut pipeline = self.pipeline();
        run.execute_on(
            || {
                let own = RankEngine::new(&run, &channel, CpuEngine::new(&run, &mut pipeline));
                Ok(RootEngine::begin(own, String::new(), limit))
            },
            &mut (),
        )
    }
}

/// Milliseconds a generation, the median of several runs.
fn median(mut one: impl FnMut() -> Duration) -> f64 {
    let mut all: Vec<Duration> = (0..7).map(|_| one()).collect();
    all.sort();
    all[3].as_secs_f64() * 1e3 / f64::from(GENERATIONS)
}

/// The cases that all ranks measure, in this order.
fn cases() -> Vec<(&'static str, Case, Option<u32>)> {
    let mut all = Vec::new();
    for (name, each) in [("easter-monster", 16), ("easter-monster", 10_000), ("large-25-45", 1_000)]
    {
        for (interval, migrants, limit) in
            [(0, 1, Some(1)), (0, 1, None), (1, 1, None), (1, 16, None), (10, 16, None)]
        {
            all.push((name, case(name, Preset::Boxes, 2, each, interval, migrants), limit));
        }
    }
    all
}

/// Breeds the islands of another rank than 0, case after case.
fn serve_all(ranks: &Communicator) {
    let (mailbox, cases) = (Mailbox::new(ranks), cases());
    while let Some((number, _)) = mailbox.next_run() {
        case_of(&cases, number).serve(&mailbox, number);
    }
}

/// Times of rank 0.
fn measure(ranks: &Communicator) {
    let (mailbox, cases) = (Mailbox::new(ranks), cases());
    let mut number = 0;
    println!(
        "puzzle individuals | interval migrants limit | ms a generation: alone, its half, shared"
    );
    for (name, case, limit) in &cases {
        let Config { population, migration_interval, migrants, .. } = case.config;
        let alone = |population: u32| {
            let config = Config { population, islands: 1, ..case.config.clone() };
            let run = Run { config: &config, ..case.run() };
            median(|| {
                let start = Instant::now();
                let mut pipeline = case.pipeline();
                let engine = &mut CpuEngine::new(&run, &mut pipeline).expect("it fits");
                for generation in 0..=GENERATIONS {
                    let source = if generation == 0 {
                        GenerationKind::Initialiser
                    } else {
                        GenerationKind::Parents
                    };
                    let (distinct_every, below, stop) = (0, 0, &|| false);
                    let wanted = GenerationRequest {
                        generation,
                        source,
                        generations: 1,
                        distinct_every,
                        below,
                        stop,
                    };
                    engine.step(&wanted).expect("the CPU does not fail");
                }
                start.elapsed()
            })
        };
        let (all, half) = (alone(population), alone(population / 2));
        let shared = median(|| {
            number += 1;
            let start = Instant::now();
            case.lead(&mailbox, number, *limit).expect("both ranks go on");
            start.elapsed()
        });
        println!(
            "{name} {population} | {migration_interval} {migrants} {limit:?} | {all:.4} {half:.4} {shared:.4}"
        );
    }
    ranks.broadcast(&Message::End);
}

/// Each case is measured seven times.
fn case_of<'a>(cases: &'a [(&'static str, Case, Option<u32>)], number: u32) -> &'a Case {
    // Runs are counted from 1.
    &cases[(number as usize - 1) / 7].1
}

/// Two ranks have two cores.
fn on_one_thread(body: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread").install(body);
}

fn main() {
    match Communicator::join() {
        Ok(Some(ranks)) if ranks.is_root() => on_one_thread(|| measure(&ranks)),
        Ok(Some(ranks)) => on_one_thread(|| serve_all(&ranks)),
        Ok(None) => {
            let ranks = Communicator::threads(2, NodeKind::Rank).unwrap();
            thread::scope(|scope| {
                scope.spawn(|| on_one_thread(|| serve_all(&ranks[1])));
                on_one_thread(|| measure(&ranks[0]));
            });
        }
        Err(error) => eprintln!("{error}"),
    }
}
