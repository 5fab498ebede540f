//! The generation loop: the same run whatever scores it, and however the work is split.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use evodoku::board::{Geometry, Population, Presolve, Puzzle, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Evaluator, EvaluatorError, PhaseTimes, Pipeline};
use evodoku::format;
use evodoku::ga::CpuEngine;
use evodoku::ga::{
    Config, GenerationReport, Observer, Outcome, Preset, RestartRule, Run, StopReason,
};

use crate::attacks::runs::mock_evaluator::MockEvaluator;
use crate::attacks::runs::switching::Switching;

/// What a generation looked like, times aside.
type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64);

#[derive(Default)]
struct Recorder {
    rows: Vec<Row>,
    warnings: Vec<String>,
}

impl Observer for Recorder {
    fn on_generation(&mut self, r: &GenerationReport<'_>) -> ControlFlow<()> {
        self.rows.push((
            r.generation, r.restart, r.best, r.best_so_far, r.sum, r.worst, r.distinct,
            r.evaluations, r.moves,
        ));
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
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
    let run = Run::new(space, config, 5, &interrupted);
    let mut outcome = run.execute(&mut Pipeline::new(evaluator), &mut recorder).unwrap();
    (outcome.elapsed, outcome.making) = (Duration::ZERO, Duration::ZERO);
    (outcome, recorder)
}

/// A configuration of each kind of selection, crossover and restart, small enough to be quick.
fn configs() -> Vec<Config> {
    let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    let with = |config: &Config, set: &str| config.clone().with(&set.parse().unwrap());
    let memetic =
        Config { max_generations: 12, tabu_steps: 300, ..Config::of(Preset::Memetic, &space) };
    let cellular =
        Config { population: 700, max_generations: 12, ..Config::of(Preset::Cellular, &space) };
    let boxes = Config {
        population: 701,
        max_generations: 25,
        restart_after: 4,
        distinct_every: 3,
        ..Config::of(Preset::Boxes, &space)
    };
    let steady = [
        "population=300",
        "distance=5",
        "topology=torus",
        "mate=near",
        "replacement=keep-distance",
        "offspring=70",
        "encoding=cells",
        "crossover=agreement",
        "redraw_rate=0.1",
        "mutation=reset",
        "mutation_rate=0.02",
        "local_search=none",
    ];
    let steady = steady.into_iter().fold(cellular.clone(), |config, set| with(&config, set));
    // Children whose local search is long are tasks of their own.
    let tabu = Config {
        population: 5,
        tabu_steps: 300,
        restart_after: 2,
        max_generations: 6,
        ..Config::of(Preset::Tabu, &space)
    };
    let sets = ["pairing=random", "crossover=one-point", "crossover=none"];
    let more = sets.map(|set| with(&boxes, set));
    [cellular, boxes, steady, tabu, memetic].into_iter().chain(more).collect()
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

/// A mock that recovers twice, and what it was handed, after a run with these faults.
fn recovered(
    space: &SearchSpace,
    config: &Config,
    faults: &[usize],
    fault: &EvaluatorError,
) -> (Outcome, Recorder, Vec<std::ops::Range<usize>>) {
    let mut mock = MockEvaluator::new(space.geometry(), 100, PhaseTimes::default()).recovering(2);
    for chunk in faults {
        mock = mock.failing(*chunk, fault.clone());
    }
    let log = mock.log();
    let (outcome, recorder) = run(space, config, Box::new(mock));
    let submitted = log.lock().unwrap().clone();
    (outcome, recorder, submitted)
}

#[test]
fn a_failed_chunk_is_scored_again_then_smaller_then_on_the_cpu() {
    let config = &configs()[1];
    let space = space("easter-monster", config);
    let (expected, undisturbed) =
        run(&space, config, Box::new(CpuEvaluator::new(space.geometry(), None)));
    for fault in [
        EvaluatorError::DeviceLost("unplugged".into()),
        EvaluatorError::TimedOut(Duration::from_secs(10)),
        EvaluatorError::Unwritten { slot: 0 },
    ] {
        // 701 boards are 8 chunks of 88 or 87. Chunk 2 fails while 3 and 4 are out, which come
        // again as 5, 6 and 7.
        let (got, recorder, submitted) = recovered(&space, config, &[2], &fault);
        assert_eq!((&got, &recorder.rows), (&expected, &undisturbed.rows), "{fault}");
        assert_eq!(submitted[5..8], submitted[2..5], "{fault}: scored again");
        assert_eq!(recorder.warnings.len(), 1, "{:?}", recorder.warnings);

        // The same chunk fails again, as number 5: its boards come in chunks of 100 / 8.
        let (got, recorder, submitted) = recovered(&space, config, &[2, 5], &fault);
        assert_eq!((&got, &recorder.rows), (&expected, &undisturbed.rows), "{fault}");
        assert_eq!(submitted[8].start, submitted[2].start, "{fault}: scored again, smaller");
        assert!(submitted[8..].iter().all(|range| range.len() <= 12), "{submitted:?}");
        assert_eq!(recorder.warnings.len(), 1, "{:?}", recorder.warnings);

        // And as number 8: the CPU takes over.
        let (mut got, recorder, submitted) = recovered(&space, config, &[2, 5, 8], &fault);
        assert!(got.fault.take().is_some());
        assert_eq!((&got, &recorder.rows), (&expected, &undisturbed.rows), "{fault}");
        assert_eq!(submitted.len(), 11, "nothing is handed to a device that was given up");
        assert_eq!(recorder.warnings.len(), 1, "{:?}", recorder.warnings);
    }
}

/// How long scoring 40 chunks takes on a simulated clock, as a multiple of the slowest part alone.
fn overlap(breed: Duration, times: PhaseTimes) -> f64 {
    const CHUNKS: usize = 40;
    const CHUNK: usize = 10;
    let geometry = Geometry::new(3, 3).unwrap();
    let mock = MockEvaluator::new(geometry, CHUNK, times);
    let clock = mock.clock();
    let mut pipeline = Pipeline::new(Box::new(mock));
    let mut boards = Population::new(geometry, CHUNKS * CHUNK).unwrap();
    let mut scores = vec![0; CHUNKS * CHUNK];
    let filled = pipeline.fill(&mut boards, &mut scores, |_, _| {
        *clock.lock().unwrap() += breed;
        true
    });
    assert!(filled.unwrap().is_some());
    let took = clock.lock().unwrap().as_secs_f64();
    let slowest = breed.max(times.upload).max(times.kernel).max(times.readback);
    took / (CHUNKS as u32 * slowest).as_secs_f64()
}

#[test]
fn breeding_upload_kernel_and_readback_overlap() {
    let [short, long] = [10, 20].map(Duration::from_millis);
    let of = |upload, kernel, readback| PhaseTimes { upload, kernel, readback };
    for (breed, times) in [
        (long, of(long, long, long)),
        (long, of(short, short, short)),
        (short, of(long, short, short)),
        (short, of(short, long, short)),
        (short, of(short, short, long)),
    ] {
        let ratio = overlap(breed, times);
        assert!(ratio <= 1.08, "{breed:?} {times:?}: {ratio:.3} times the slowest part");
    }
}

/// Two engines in turn, the second of which begins with what the first exported.
#[test]
fn a_run_may_change_its_engine_between_generations() {
    for config in configs() {
        let space = space("easter-monster", &config);
        let cpu = || Box::new(CpuEvaluator::new(space.geometry(), None));
        let (expected, whole) = run(&space, &config, cpu());
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 5, &interrupted);
        let [mut first, mut second] = [Pipeline::new(cpu()), Pipeline::new(cpu())];
        let mut recorder = Recorder::default();
        let outcome = run.execute_on(
            || {
                let second = Box::new(CpuEngine::new(&run, &mut second)?);
                let first = Box::new(CpuEngine::new(&run, &mut first)?);
                let next = |generation: u32| (generation as usize / 2 % 2, 1);
                Ok(Switching { engines: vec![first, second], next, current: 0 })
            },
            &mut recorder,
        );
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        assert_eq!(Outcome { elapsed, making, ..outcome.unwrap() }, expected);
        assert_eq!(recorder.rows, whole.rows);
    }
}

#[test]
fn islands_know_each_other_by_migration_alone() {
    let apart = Config {
        population: 30,
        islands: 3,
        migration_interval: 0,
        max_generations: 5,
        restart_after: 0,
        ..configs()[1].clone()
    };
    let space = space("easter-monster", &apart);
    let evaluator = || Box::new(CpuEvaluator::new(space.geometry(), None));
    let rows = |config: &Config| run(&space, config, evaluator()).1.rows;
    // The first island is the run of ten individuals alone, whatever the others do.
    let first = Config { population: 10, islands: 1, ..apart.clone() };
    let (alone, together) = (rows(&first), rows(&apart));
    for (alone, together) in alone.iter().zip(&together) {
        assert!(together.2 <= alone.2 && together.5 >= alone.5 && together.4 >= alone.4);
        assert_eq!(together.7, 3 * alone.7);
    }
    let rare = Config { migration_interval: 3, migrants: 4, ..apart.clone() };
    let met = rows(&rare);
    assert_eq!(met[..3], together[..3]);
    assert_ne!(met[3..], together[3..]);
    // As many islands as a population has by itself change nothing.
    assert_eq!(rows(&Config { islands: 0, ..first.clone() }), alone);
}

/// Interrupts its run at a generation.
struct Interrupter<'a>(&'a AtomicBool, u32);

impl Observer for Interrupter<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0.store(report.generation >= self.1, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

#[test]
fn stops_are_tested_in_their_order_after_a_complete_generation() {
    let config = Config { max_generations: 3, max_work: 1, ..configs()[1].clone() };
    let space = space("easter-monster", &config);
    let end = |config: &Config, interrupt_at: u32| {
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, config, 1, &interrupted);
        let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
        let mut observer = Interrupter(&interrupted, interrupt_at);
        let outcome = run.execute(&mut Pipeline::new(evaluator), &mut observer).unwrap();
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
fn a_time_limit_ends_a_run_in_the_middle_of_a_child() {
    // Without a solution the child would be searched to its last step.
    let puzzle = Puzzle::unsolvable(Geometry::new(3, 3).unwrap());
    let space = presolve(&puzzle, Presolve::None).unwrap();
    let config = Config {
        presolve: Presolve::None,
        tabu_steps: 1_000_000_000,
        time_limit: 0.3,
        ..Config::of(Preset::Tabu, &space)
    };
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
    let outcome = run.execute(&mut Pipeline::new(evaluator), &mut ()).unwrap();
    assert_eq!(outcome.stop_reason, StopReason::Time);
    // The generation that was cut off is not counted.
    assert_eq!((outcome.generations, outcome.evaluations, outcome.moves), (0, 1, 0));
    // It would take a quarter of an hour.
    assert!(outcome.elapsed < Duration::from_secs(60), "{:?}", outcome.elapsed);
}

#[test]
fn what_presolve_finishes_is_not_evolved() {
    let puzzle = format::load("003-puzzle1", None).unwrap().puzzle;
    let space = presolve(&puzzle, Preset::Memetic.presolve()).unwrap();
    let config = Config::of(Preset::Memetic, &space);
    let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
    let (outcome, recorder) = run(&space, &config, evaluator);
    assert_eq!(outcome.stop_reason, StopReason::Presolved);
    assert_eq!((outcome.generations, outcome.work(), recorder.rows.len()), (0, 0, 0));
    assert!(outcome.solved());
}

#[test]
fn a_population_of_one_runs() {
    let puzzle = format::load("easter-monster", None).unwrap().puzzle;
    for preset in Preset::ALL {
        let space = presolve(&puzzle, preset.presolve()).unwrap();
        let config = Config {
            population: 1,
            tournament: 1,
            tabu_steps: 10,
            proposals: 10,
            max_generations: 20,
            ..Config::of(*preset, &space)
        };
        let evaluator = Box::new(CpuEvaluator::new(space.geometry(), None));
        let (outcome, _) = run(&space, &config, evaluator);
        // The restarts of `permutation` are no generations of its budget.
        let uncounted = match config.restart_rule {
            RestartRule::NoBetterBest => 0,
            RestartRule::UnchangedBest => outcome.restarts,
        };
        assert_eq!(outcome.generations - uncounted, 20);
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

#[test]
fn a_pipeline_of_another_shape_is_refused() {
    let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
    let config = Config::of(Preset::Cellular, &space);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    let other = CpuEvaluator::new(Geometry::new(2, 3).unwrap(), None);
    let refused = run.execute(&mut Pipeline::new(Box::new(other)), &mut ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the boards have 2x2 boxes, but the evaluator scores boards with 2x3 boxes"
    );
}

#[test]
fn a_configuration_that_nobody_checked_is_refused() {
    let good = Config::of(Preset::Cellular, &SearchSpace::blank(Geometry::new(2, 2).unwrap()));
    let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
    for (config, name) in [
        (Config { population: 0, ..good.clone() }, "population is '0'"),
        (Config { population: u32::MAX, ..good.clone() }, "population is '4294967295'"),
        (Config { mutation_rate: f64::NAN, ..good.clone() }, "mutation_rate is 'NaN'"),
        (Config { time_limit: f64::INFINITY, ..good.clone() }, "time_limit is 'inf'"),
        (Config { mutants: 0, ..good.clone() }, "mutants is '0'"),
    ] {
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 1, &interrupted);
        let cpu = CpuEvaluator::new(space.geometry(), None);
        let mut pipeline = Pipeline::new(Box::new(cpu));
        let refused = run.execute(&mut pipeline, &mut ()).unwrap_err().to_string();
        assert!(refused.starts_with(name), "{refused}");
        assert!(CpuEngine::new(&run, &mut pipeline).is_err(), "{name}");
    }
}
