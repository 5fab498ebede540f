//! The generation loop: the same run whatever scores it, and however the work is split.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use evodoku::board::SearchSpace;
use evodoku::evolve::{Config, GenerationReport, Observer, Outcome, Preset, Run, StopReason};
use evodoku::format;
use evodoku::propagate::presolve;
use evodoku::score::{
    CpuEvaluator, Evaluator, EvaluatorError, MockEvaluator, PhaseTimes, Pipeline,
};

/// What a generation looked like, times aside.
type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64);

#[derive(Default)]
struct Recorder {
    rows: Vec<Row>,
    warnings: Vec<String>,
}

impl Observer for Recorder {
    fn generation(&mut self, r: &GenerationReport<'_>) {
        self.rows.push((
            r.generation,
            r.restart,
            r.best,
            r.best_so_far,
            r.sum,
            r.worst,
            r.distinct,
            r.evaluations,
            r.moves,
        ));
    }

    fn warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

fn space(name: &str, config: &Config) -> SearchSpace {
    presolve(&format::load(name, None).unwrap().puzzle, config.presolve).unwrap()
}

fn run(space: &SearchSpace, config: &Config, evaluator: Box<dyn Evaluator>) -> (Outcome, Recorder) {
    let interrupted = AtomicBool::new(false);
    let mut recorder = Recorder::default();
    let run = Run { space, config, seed: 5, interrupted: &interrupted };
    let mut outcome = run.evolve(&mut Pipeline::new(evaluator), &mut recorder).unwrap();
    outcome.elapsed = Duration::ZERO;
    (outcome, recorder)
}

/// A configuration of each kind of selection, crossover and restart, small enough to be quick.
fn configs() -> Vec<Config> {
    let memetic = Config { population: 700, max_generations: 12, ..Config::of(Preset::Memetic) };
    let boxes = Config {
        population: 701,
        max_generations: 25,
        restart_after: 4,
        distinct_every: 3,
        ..Config::of(Preset::Boxes)
    };
    let mut steady = Config { population: 300, distance: 5, ..memetic.clone() };
    for (name, value) in [
        ("topology", "torus"),
        ("mate", "near"),
        ("replacement", "keep-distance"),
        ("offspring", "70"),
        ("encoding", "cells"),
        ("crossover", "agreement"),
        ("redraw_rate", "0.1"),
        ("mutation", "reset"),
        ("mutation_rate", "0.02"),
        ("improvement", "none"),
    ] {
        steady.set(name, value).unwrap();
    }
    // Children whose improvement is long are tasks of their own.
    let tabu = Config {
        population: 5,
        tabu_steps: 300,
        restart_after: 2,
        max_generations: 6,
        ..Config::of(Preset::Tabu)
    };
    let mut all = vec![memetic, boxes.clone(), steady, tabu];
    for (name, value) in [("pairing", "random"), ("crossover", "one-point"), ("crossover", "none")]
    {
        let mut config = boxes.clone();
        config.set(name, value).unwrap();
        all.push(config);
    }
    all
}

#[test]
fn threads_and_chunks_change_nothing() {
    for config in configs() {
        let space = space("easter-monster", &config);
        let geometry = space.geometry();
        let expected = run(&space, &config, Box::new(CpuEvaluator::new(geometry, None)));
        assert_eq!(expected.1.rows.len(), expected.0.generations as usize + 1);
        for threads in [1, 2, 3] {
            for chunk in [1, 97, 256, 10_000] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let evaluator = Box::new(CpuEvaluator::new(geometry, Some(chunk)));
                let got = pool.install(|| run(&space, &config, evaluator));
                assert_eq!(got.0, expected.0, "{threads} threads, chunks of {chunk}");
                assert_eq!(got.1.rows, expected.1.rows);
            }
        }
    }
}

#[test]
fn a_fault_in_mid_run_goes_on_on_the_cpu_with_one_warning_and_the_same_trace() {
    let config = &configs()[1];
    let space = space("easter-monster", config);
    let geometry = space.geometry();
    let (expected, undisturbed) = run(&space, config, Box::new(CpuEvaluator::new(geometry, None)));
    let faults = [
        EvaluatorError::DeviceLost("unplugged".into()),
        EvaluatorError::OutOfMemory("full".into()),
        EvaluatorError::TimedOut(Duration::from_secs(10)),
        EvaluatorError::Unwritten { slot: 0 },
        EvaluatorError::Driver("unknown".into()),
    ];
    for fault in faults {
        for chunk in [0, 1, 30] {
            let mock = MockEvaluator::new(geometry, 100, PhaseTimes::default());
            let mock = mock.failing(chunk, fault.clone());
            let (mut got, recorder) = run(&space, config, Box::new(mock));
            assert_eq!(recorder.warnings.len(), 1, "{fault}: {:?}", recorder.warnings);
            assert!(got.fault.take().is_some());
            assert_eq!(got, expected, "{fault} at chunk {chunk}");
            assert_eq!(recorder.rows, undisturbed.rows);
        }
    }
}

#[test]
fn phases_of_successive_chunks_overlap() {
    let config = Config { population: 1_000, max_generations: 1, ..configs()[1].clone() };
    let space = space("easter-monster", &config);
    let phase = Duration::from_millis(20);
    let times = PhaseTimes { upload: phase, kernel: phase, readback: phase };
    let mock = MockEvaluator::new(space.geometry(), 100, times);
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config: &config, seed: 1, interrupted: &interrupted };
    let outcome = run.evolve(&mut Pipeline::new(Box::new(mock)), &mut ()).unwrap();
    // 20 chunks of three phases take 1.2 s one after the other; far less when they overlap.
    assert!(outcome.elapsed < 20 * 3 * phase, "{:?}", outcome.elapsed);
}

/// Interrupts its run at a generation.
struct Interrupter<'a>(&'a AtomicBool, u32);

impl Observer for Interrupter<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) {
        self.0.store(report.generation >= self.1, Ordering::Relaxed);
    }
}

#[test]
fn stops_are_tested_in_their_order_after_a_complete_generation() {
    let config = Config { max_generations: 3, max_work: 1, ..configs()[1].clone() };
    let space = space("easter-monster", &config);
    let end = |config: &Config, interrupt_at: u32| {
        let interrupted = AtomicBool::new(false);
        let run = Run { space: &space, config, seed: 1, interrupted: &interrupted };
        let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
        let mut observer = Interrupter(&interrupted, interrupt_at);
        let outcome = run.evolve(&mut Pipeline::new(evaluator), &mut observer).unwrap();
        (outcome.stop_reason, outcome.generations, outcome.evaluations)
    };
    assert_eq!(end(&config, u32::MAX), (StopReason::Work, 0, 701));
    assert_eq!(end(&config, 0), (StopReason::Interrupted, 0, 701));
    let config = Config { max_work: 0, ..config };
    assert_eq!(end(&config, u32::MAX), (StopReason::Generations, 3, 4 * 701));
    assert_eq!(end(&config, 2), (StopReason::Interrupted, 2, 3 * 701));
    let config = Config { time_limit: 1e-9, ..config };
    assert_eq!(end(&config, u32::MAX).0, StopReason::Time);
}

#[test]
fn what_presolve_finishes_is_not_evolved() {
    let config = Config::of(Preset::Memetic);
    let space = space("003-puzzle1", &config);
    let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
    let (outcome, recorder) = run(&space, &config, evaluator);
    assert_eq!(outcome.stop_reason, StopReason::Presolved);
    assert_eq!((outcome.generations, outcome.work(), recorder.rows.len()), (0, 0, 0));
    assert!(outcome.solved());
}

#[test]
fn a_population_of_one_runs() {
    for preset in Preset::ALL {
        let config = Config {
            population: 1,
            tournament: 1,
            tabu_steps: 10,
            max_generations: 20,
            ..Config::of(*preset)
        };
        let space = space("easter-monster", &config);
        let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
        let (outcome, _) = run(&space, &config, evaluator);
        // The restarts of `permutation` are no generations of its budget.
        assert_eq!(outcome.generations - config.restart_rule.uncounted(outcome.restarts), 20);
    }
}

#[test]
fn a_restart_draws_the_whole_population_anew() {
    let config = Config { mutation_rate: 0.0, restart_after: 3, ..configs()[1].clone() };
    let space = space("easter-monster", &config);
    let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
    let (outcome, recorder) = run(&space, &config, evaluator);
    assert!(outcome.restarts > 0);
    let first = recorder.rows.iter().position(|row| row.1 == 1).unwrap();
    let (before, after) = (recorder.rows[first - 1], recorder.rows[first]);
    assert!(after.4 > before.4, "a new population is worse: {before:?} {after:?}");
    assert_eq!(after.7 - before.7, 701, "its boards are counted");
    assert!(after.3 <= before.3, "the best ever is kept");
}
