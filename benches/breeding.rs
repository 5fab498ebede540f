//! What a child costs in whole generations of each preset, on one thread, beside what cannot be left out of it.
//!
//! `cargo bench --bench breeding` measures all presets without local search, `cargo bench --bench breeding -- boxes cells` these. Each
//! runs with its own population on `coly013` without presolve and restarts. Three things cannot be left out of a
//! child: the blocks of random words that it draws, computed side by side; a copy of its board within the cache; and
//! its score. They are measured in turn with the generations, each as the least of some rounds, and their sum is the
//! bound.
#![allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use evodoku::board::{Presolve, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline, SimdLevel};
use evodoku::format;
use evodoku::ga::GenerationKind;
use evodoku::ga::breeder::Breeder;
use evodoku::ga::local_search::LocalSearch;
use evodoku::ga::{Config, CustomOperators, GenerationReport, Observer, Preset, Run};
use evodoku::random::draws::{BlockCache, WordBudget};
use evodoku::random::{GenerationRng, StreamStage};

/// Times that everything is measured.
const ROUNDS: usize = 15;
/// Children of a round, roughly.
const CHILDREN: u32 = 400_000;
/// Boards that lie in the first level of the cache.
const BOARDS: usize = 64;

/// Notes when generations were complete.
#[derive(Default)]
struct Clock {
    /// After the first population.
    first: Duration,
    last: Duration,
}

impl Observer for Clock {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if report.generation == 0 {
            self.first = report.elapsed;
        }
        self.last = report.elapsed;
        ControlFlow::Continue(())
    }
}

/// A preset, and the least time that a child took.
struct Case {
    preset: Preset,
    config: Config,
    /// Children of a generation, and blocks of words that one draws.
    children: u32,
    blocks: f64,
    least: f64,
}

impl Case {
    fn new(preset: Preset, space: &SearchSpace) -> Self {
        let own = Config::of(preset, space);
        let config = Config { restart_after: 0, presolve: Presolve::None, max_work: 0, ..own };
        let breeder = Breeder::new(space, &config, CustomOperators::none()).expect("a preset fits");
        let children = breeder.offspring_count(GenerationKind::Parents) as u32;
        let max_generations = (CHILDREN / children).max(2);
        let config = Config { max_generations, ..config };
        Self { preset, config, children, blocks: breeder.blocks_a_child(), least: f64::INFINITY }
    }

    /// Runs once more.
    fn measure(&mut self, space: &SearchSpace, seed: u64) {
        let interrupted = AtomicBool::new(false);
        let evaluator = CpuEvaluator::new(space.geometry(), None);
        let mut pipeline = Pipeline::new(Box::new(evaluator));
        let mut clock = Clock::default();
        let run = Run::new(space, &self.config, seed, &interrupted);
        let outcome = run.execute(&mut pipeline, &mut clock).expect("it runs");
        let children = f64::from(outcome.generations) * f64::from(self.children);
        if children > 0.0 {
            self.least = self.least.min((clock.last - clock.first).as_secs_f64() * 1e9 / children);
        }
    }
}

/// The least times of what cannot be left out, in nanoseconds.
struct Least {
    block: f64,
    copy: f64,
    score: f64,
}

impl Least {
    fn measure(&mut self, space: &SearchSpace, boards: &mut [u8]) {
        const TIMES: u32 = 2_000;
        let each = |what: &mut dyn FnMut()| {
            let start = Instant::now();
            (0..TIMES).for_each(|_| what());
            start.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES) / BOARDS as f64
        };
        let (geometry, stride) = (space.geometry(), space.geometry().stride());
        let mut ahead = BlockCache::none();
        self.block = self.block.min(each(&mut || {
            ahead.compute(
                black_box(&GenerationRng::new(1, 0)),
                &[WordBudget::each(StreamStage::Cross, 4)],
                0,
                BOARDS,
            );
            black_box(&ahead);
        }));
        let (from, to) = boards.split_at_mut(BOARDS * stride);
        self.copy = self.copy.min(each(&mut || {
            let each = to.chunks_exact_mut(stride).zip(from.chunks_exact(stride));
            each.for_each(|(to, from)| to.copy_from_slice(from));
            black_box(&mut *to);
        }));
        let mut scores = [0; BOARDS];
        let level = SimdLevel::best();
        self.score = self.score.min(each(&mut || {
            level.score(geometry, black_box(from), &mut scores);
            black_box(&scores);
        }));
    }
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let puzzle = format::load("coly013", None).expect("it is shipped").puzzle;
    let space = presolve(&puzzle, Presolve::None).expect("it has a solution");
    let named = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let presets = Preset::ALL.iter().filter(|preset| named(preset.name()));
    let mut cases: Vec<Case> = presets.map(|preset| Case::new(*preset, &space)).collect();
    // A child that is searched is bound by its search.
    cases.retain(|case| case.config.local_search == LocalSearch::None);
    let mut least = Least { block: f64::INFINITY, copy: f64::INFINITY, score: f64::INFINITY };
    let mut boards = vec![1; 2 * BOARDS * space.geometry().stride()];
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(|| {
        for round in 0..ROUNDS {
            least.measure(&space, &mut boards);
            cases.iter_mut().for_each(|case| case.measure(&space, round as u64));
        }
    });
    let Least { block, copy, score } = least;
    println!("{}: a block {block:.2} ns, a copy {copy:.2}, a score {score:.2}", SimdLevel::best());
    println!(
        "{:16} {:>10} {:>9} {:>9} {:>7} {:>9} {:>6}",
        "preset", "population", "ns/child", "million/s", "blocks", "bound, ns", "share"
    );
    for Case { preset, config, blocks, least, .. } in &cases {
        let bound = blocks * block + copy + score;
        println!(
            "{:16} {:>10} {least:>9.1} {:>9.1} {blocks:>7.1} {bound:>9.1} {:>4.0} %",
            preset.name(),
            config.population,
            1e3 / least,
            100.0 * bound / least
        );
    }
}
