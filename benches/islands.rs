//! What islands over ranks cost.
//!
//! `cargo bench --bench islands` counts the letters and bytes that ranks send for a generation: the
//! ranks are threads, and their letters those of processes. Between two of them, and between two
//! processes where `mpirun -n 2` starts a build with the feature `mpi`, it measures how long
//! generations take, and how long without the other rank.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use evodoku::board::{Presolve, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::format;
use evodoku::ga::{
    Config, CpuEngine, Engine, GenerationKind, GenerationRequest, IslandPartition, Outcome, Preset,
    Run, RunError, parts,
};
use evodoku::ranks::islands::{Archipelago, Batch, Member, Post, PostedStrait, follow};
use evodoku::ranks::{Letter, Purpose, Ranks};

/// Generations that are counted or measured.
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

    /// Does on another rank than 0 what is wanted.
    fn follow(&self, post: &Post<'_>, number: u32) {
        let (rank, size) = (post.ranks().rank(), post.ranks().size());
        let channel = PostedStrait::new(post, number, (rank + 1) % size, false);
        let islands = parts(self.config.islands as usize, size).swap_remove(rank);
        let part = IslandPartition { islands, channel: &channel };
        let run = Run { part: Some(&part), ..self.run() };
        let mut pipeline = self.pipeline();
        let engine = CpuEngine::new(&run, &mut pipeline);
        follow(&mut Member::new(&run, post, &channel, size, engine), number, run.interrupted);
    }

    /// The whole run, led by rank 0.
    fn lead(
        &self,
        post: &Post<'_>,
        number: u32,
        wish: &mut u64,
        batch: Batch,
    ) -> Result<Outcome, RunError> {
        let ranks = post.ranks();
        let size = ranks.size();
        let channel = PostedStrait::new(post, number, 1 % size, false);
        let islands = parts(self.config.islands as usize, size).swap_remove(0);
        let part = IslandPartition { islands, channel: &channel };
        let run = Run { part: Some(&part), ..self.run() };
        let mut pipeline = self.pipeline();
        run.evolve_on(
            || {
                let engine = CpuEngine::new(&run, &mut pipeline);
                for rank in 1..size {
                    ranks.send(rank, Letter::Run { run: number, job: String::new() });
                }
                let member = Member::new(&run, post, &channel, size, engine);
                Ok(Archipelago::new(member, number, wish, batch))
            },
            &mut (),
        )
    }
}

/// What ranks that are threads send in all, for a purpose: letters and bytes.
fn sent(case: &Case, size: usize) -> [(u64, u64); 2] {
    let ranks = Ranks::connected(size);
    thread::scope(|scope| {
        for ranks in &ranks[1..] {
            scope.spawn(move || {
                let post = Post::new(ranks);
                while let Some((number, _)) = post.next_run() {
                    case.follow(&post, number);
                }
            });
        }
        let led = case.lead(&Post::new(&ranks[0]), 1, &mut 0, Batch::Of(1));
        ranks[0].send_all(&Letter::End);
        assert_eq!(led.map(|outcome| outcome.generations).ok(), Some(GENERATIONS));
    });
    [Purpose::Reduction, Purpose::Migration].map(|purpose| {
        let all = ranks.iter().map(|rank| rank.traffic().of(purpose));
        all.fold((0, 0), |(letters, bytes), sent| (letters + sent.letters, bytes + sent.bytes))
    })
}

/// Letters and bytes.
fn count() {
    println!("puzzle ranks islands migrants | to sum up a generation | of a migration");
    for name in ["easter-monster", "large-36-50"] {
        for (ranks, islands) in [(2, 2), (4, 4), (16, 16), (2, 16)] {
            for migrants in [1, 10, 100] {
                let case = case(name, Preset::Boxes, islands, 100, 1, migrants);
                let [reduction, migration] = sent(&case, ranks);
                // Generation 0 has no migration.
                let of = |(letters, bytes): (u64, u64), times: u32| {
                    let each = |sum: u64| sum as f64 / f64::from(times);
                    format!("{:.1} letters, {:.0} bytes", each(letters), each(bytes))
                };
                println!(
                    "{name} {ranks} {islands} {migrants} | {} | {}",
                    of(reduction, GENERATIONS + 1),
                    of(migration, GENERATIONS)
                );
            }
        }
    }
}

/// Milliseconds a generation, the median of several runs.
fn median(mut one: impl FnMut() -> Duration) -> f64 {
    let mut all: Vec<Duration> = (0..7).map(|_| one()).collect();
    all.sort();
    all[3].as_secs_f64() * 1e3 / f64::from(GENERATIONS)
}

/// The cases that all ranks measure, in this order.
fn cases() -> Vec<(&'static str, Case, Batch)> {
    let mut all = Vec::new();
    for (name, each) in [("easter-monster", 16), ("easter-monster", 10_000), ("large-25-45", 1_000)]
    {
        for (interval, migrants, batch) in [
            (0, 1, Batch::Of(1)),
            (0, 1, Batch::Timed),
            (1, 1, Batch::Timed),
            (1, 16, Batch::Timed),
            (10, 16, Batch::Timed),
        ] {
            all.push((name, case(name, Preset::Boxes, 2, each, interval, migrants), batch));
        }
    }
    all
}

/// Does on another rank what is wanted, case after case.
fn follow_all(ranks: &Ranks) {
    let (post, cases) = (Post::new(ranks), cases());
    while let Some((number, _)) = post.next_run() {
        case_of(&cases, number).follow(&post, number);
    }
}

/// Times of rank 0.
fn measure(ranks: &Ranks) {
    let (post, cases) = (Post::new(ranks), cases());
    let (mut number, mut wish) = (0, 0);
    println!(
        "puzzle individuals | interval migrants batch | ms a generation: alone, its half, shared"
    );
    for (name, case, batch) in &cases {
        let Config { population, migration_interval, migrants, .. } = case.config;
        let alone = |population: u32| {
            let config = Config { population, islands: 1, ..case.config.clone() };
            let run = Run { config: &config, ..case.run() };
            median(|| {
                let start = Instant::now();
                let mut pipeline = case.pipeline();
                let engine = &mut CpuEngine::new(&run, &mut pipeline).expect("it fits");
                for generation in 0..GENERATIONS {
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
            case.lead(&post, number, &mut wish, *batch).expect("both ranks go on");
            start.elapsed()
        });
        println!(
            "{name} {population} | {migration_interval} {migrants} {batch:?} | {all:.4} {half:.4} {shared:.4}"
        );
    }
    ranks.send_all(&Letter::End);
}

/// Each case is measured seven times.
fn case_of<'a>(cases: &'a [(&'static str, Case, Batch)], number: u32) -> &'a Case {
    // Runs are counted from 1.
    &cases[(number as usize - 1) / 7].1
}

/// Two ranks have two cores.
fn on_one_thread(body: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread").install(body);
}

fn main() {
    match Ranks::join() {
        Ok(Some(ranks)) if ranks.leads() => on_one_thread(|| measure(&ranks)),
        Ok(Some(ranks)) => on_one_thread(|| follow_all(&ranks)),
        Ok(None) => {
            count();
            let ranks = Ranks::connected(2);
            thread::scope(|scope| {
                scope.spawn(|| on_one_thread(|| follow_all(&ranks[1])));
                on_one_thread(|| measure(&ranks[0]));
            });
        }
        Err(error) => eprintln!("{error}"),
    }
}
