//! The device engine against the host engine: the same run, bit for bit.
//!
//! Tests that need an adapter are shown as ignored where there is none; with
//! `EVODOKU_REQUIRE_GPU=1` they fail there. `EVODOKU_TEST_GPU` names the adapter to test on, as
//! `--gpu` does; without it the best one is taken, a software one if need be.

#[path = "support/adapter.rs"]
mod adapter;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evodoku::board::{Geometry, Puzzle, SearchSpace, complete_board};
use evodoku::device::{DeviceEngine, Kernels, Recovering, Replay, supported_presets};
use evodoku::evolve::improvement::Improvement;
use evodoku::evolve::{
    Config, Engine, GenerationReport, HostEngine, Observer, Outcome, Preset, Run, RunError,
    StopReason, Summary, Wanted,
};
use evodoku::format;
use evodoku::gpu::{self, Device};
use evodoku::propagate::presolve;
use evodoku::random::{Seed, Stage};
use evodoku::score::{CpuEvaluator, EvaluatorError, GpuEvaluator, Pipeline};
use libtest_mimic::{Failed, Trial};

use self::adapter::{adapter, run, trial};

/// How a test ends.
type Tested = Result<(), Failed>;
/// What a generation looked like, times aside.
type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64, Vec<u8>);

/// Rows and warnings.
#[derive(Default)]
struct Recorder(Vec<Row>, Vec<String>);

impl Observer for Recorder {
    fn generation(&mut self, r: &GenerationReport<'_>) {
        self.0.push((
            r.generation,
            r.restart,
            r.best,
            r.best_so_far,
            r.sum,
            r.worst,
            r.distinct,
            r.evaluations,
            r.moves,
            r.best_board.to_vec(),
        ));
    }

    fn warning(&mut self, message: &str) {
        self.1.push(message.to_owned());
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

/// A run, and all that is known of it but times.
type Witness = (Outcome, Vec<Row>);

fn witness(outcome: Outcome, recorder: Recorder) -> Witness {
    (Outcome { elapsed: Duration::ZERO, ..outcome }, recorder.0)
}

/// The run on the host.
fn on_host(run: &Run<'_>, pipeline: &mut Pipeline) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.evolve(pipeline, &mut recorder)?;
    Ok(witness(outcome, recorder))
}

/// The run on the host, scored there too.
fn on_cpu(run: &Run<'_>) -> Result<Witness, Failed> {
    let evaluator = CpuEvaluator::new(run.space.geometry(), None);
    on_host(run, &mut Pipeline::new(Box::new(evaluator)))
}

/// The run on the device.
fn on_device(run: &Run<'_>, kernels: &Kernels, chunk: Option<u32>) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.evolve_on(|| DeviceEngine::new(run, kernels, chunk), &mut recorder)?;
    Ok(witness(outcome, recorder))
}

fn space(name: &str, config: &Config) -> Result<SearchSpace, Failed> {
    Ok(presolve(&format::load(name, None)?.puzzle, config.presolve)?)
}

fn main() {
    // SAFETY: no other thread runs yet.
    unsafe { gpu::quiet_mesa() };
    let device = adapter().and_then(|adapter| {
        let device = Device::open(&adapter).map_err(|error| error.to_string())?;
        let kernels = Kernels::new(&device).map_err(|error| error.to_string())?;
        Ok(Arc::new(kernels))
    });
    type Test = fn(&Arc<Kernels>) -> Tested;
    let mut trials = vec![
        Trial::test("what_fails_is_replayed_and_goes_on", replayed),
        Trial::test("what_is_not_replayed_ends_with_its_best_board", ended),
    ];
    let tests: [(&str, Test); 7] = [
        ("every_preset_is_the_same_run", every_preset),
        ("every_operator_is_the_same", every_operator),
        ("any_split_is_the_same_run", any_split),
        ("every_shape_is_the_same_run", every_shape),
        ("islands_are_the_same", islands),
        ("a_lost_device_is_replayed", lost_device),
        ("what_has_no_twin_is_refused", refusals),
    ];
    trials.extend(tests.map(|(name, test)| trial(name, &device, test)));
    run(trials).exit();
}

/// Puzzles of several shapes and kinds.
const PUZZLES: [&str; 5] =
    ["ai-escargot", "easter-monster", "001-easy-03", "sato-no106", "003-6x6"];

/// The preset, small enough to be quick.
fn small(preset: Preset) -> Config {
    Config {
        // No multiple of a workgroup.
        population: 333,
        max_generations: 8,
        distinct_every: 3,
        tabu_steps: 50,
        ..Config::of(preset)
    }
}

/// Every preset that the device runs, and `memetic` with exchange descent.
fn presets() -> Vec<Config> {
    let mut all: Vec<Config> = supported_presets().into_iter().map(small).collect();
    all.push(Config { improvement: Improvement::ExchangeDescent, ..small(Preset::Memetic) });
    all
}

fn every_preset(kernels: &Arc<Kernels>) -> Tested {
    let mut pipelines = HashMap::new();
    for config in presets() {
        for puzzle in PUZZLES {
            let space = space(puzzle, &config)?;
            let geometry = space.geometry();
            if let Entry::Vacant(new) = pipelines.entry(geometry) {
                let evaluator = GpuEvaluator::on(kernels.device(), geometry, None)?;
                new.insert(Pipeline::new(Box::new(evaluator)));
            }
            for seed in 1..=3 {
                let interrupted = AtomicBool::new(false);
                let run = Run { space: &space, config: &config, seed, interrupted: &interrupted };
                let expected = on_cpu(&run)?;
                let label = format!("{} {puzzle} {seed}", config.preset);
                if let Some(pipeline) = pipelines.get_mut(&geometry) {
                    assert_eq!(on_host(&run, pipeline)?, expected, "{label}");
                }
                assert_eq!(on_device(&run, kernels, None)?, expected, "{label}");
            }
        }
    }
    Ok(())
}

/// One seed of a configuration on the host and on the device.
fn compare(kernels: &Kernels, puzzle: &str, config: &Config, chunk: Option<u32>) -> Tested {
    let space = space(puzzle, config)?;
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config, seed: 7, interrupted: &interrupted };
    let (expected, got) = (on_cpu(&run)?, on_device(&run, kernels, chunk)?);
    for (expected, got) in expected.1.iter().zip(&got.1) {
        if expected != got {
            return Err(format!("{puzzle}, {config:?}: {got:?} instead of {expected:?}").into());
        }
    }
    assert_eq!(got, expected);
    Ok(())
}

/// Operators that no preset uses as it is.
fn every_operator(kernels: &Arc<Kernels>) -> Tested {
    for (preset, settings) in [
        (Preset::Boxes, "pairing=random"),
        (Preset::Boxes, "pairing=neighbours"),
        (Preset::Boxes, "pairing=random pool=7"),
        (Preset::Boxes, "crossover=one-point presolve=full"),
        (Preset::Boxes, "encoding=columns mutation=reshuffle"),
        (Preset::Boxes, "mutation=none restart_after=2"),
        (Preset::Boxes, "encoding=rows improvement=exchange-descent tries=9"),
        (Preset::Boxes, "encoding=columns improvement=exchange-descent tries=9"),
        (Preset::Boxes, "crossover=band-or-stack presolve=full replacement=keep-if-not-worse"),
        (Preset::Cells, "crossover=one-unit mutation_rate=0.7"),
        (Preset::Cells, "crossover=none mutation=redraw-two presolve=full"),
        (Preset::Cells, "crossover=band-or-stack mutation_rate=1"),
        (Preset::RowsSus, "selection=sus-per-parent"),
        (Preset::Tabu, "tabu_steps=500 population=40"),
        (Preset::Tabu, "tabu_steps=0"),
        (Preset::Tabu, "encoding=cells presolve=none tenure_share=1000 tenure_random=3"),
        (
            Preset::Tabu,
            "crossover=agreement radius=3 replacement=keep-if-not-worse restart_after=2",
        ),
        (
            Preset::Tabu,
            "mutation=reset mutation_rate=0.02 selection=truncation pool=8 pairing=random",
        ),
        (Preset::RowsTournament, "tournament=20"),
        (Preset::RowsTournament, "selection=local-tournament radius=1000"),
        (Preset::RowsTournament, "selection=local-tournament topology=torus radius=2"),
        (Preset::RowsTournament, "selection=local-tournament topology=torus radius=50"),
        (Preset::RowsTournament, "selection=local-tournament topology=panmictic"),
        (Preset::Cells, "encoding=candidates presolve=full crossover=agreement"),
        (Preset::Cells, "crossover=agreement inherit=rows redraw_rate=0.1"),
        (Preset::Cells, "crossover=agreement inherit=columns"),
        (Preset::Cells, "crossover=agreement inherit=boxes redraw_rate=1"),
    ] {
        let mut config = small(preset);
        for setting in settings.split(' ') {
            let (name, value) = setting.split_once('=').ok_or("a setting has a value")?;
            config.set(name, value)?;
        }
        compare(kernels, "easter-monster", &config, None)?;
    }
    Ok(())
}

/// Populations around a workgroup, and submissions that end anywhere.
fn any_split(kernels: &Arc<Kernels>) -> Tested {
    let memetic = Config { improvement: Improvement::ExchangeDescent, ..small(Preset::Memetic) };
    for config in [small(Preset::Boxes), small(Preset::Tabu), memetic] {
        for population in [1, 2, 31, 32, 33, 64, 1025] {
            let config = Config { population, max_generations: 3, ..config.clone() };
            compare(kernels, "001-easy-03", &config, None)?;
        }
        for chunk in [1, 7, 64, 100_000] {
            let config = Config { population: 65, max_generations: 3, ..config.clone() };
            compare(kernels, "001-easy-03", &config, Some(chunk))?;
        }
    }
    Ok(())
}

/// Every kind of shape: narrow and wide sets, counts of four and eight bits, memory of the
/// workgroup and of the thread.
fn every_shape(kernels: &Arc<Kernels>) -> Tested {
    for side in (4..=25).filter(|side| !Geometry::of_side(*side).is_empty()) {
        for geometry in Geometry::of_side(side) {
            let puzzle = dug(geometry);
            for preset in [Preset::Memetic, Preset::RowsRank, Preset::Tabu] {
                let mut config = small(preset);
                if preset == Preset::Memetic {
                    config.improvement = Improvement::ExchangeDescent;
                }
                let config = Config { population: 40, max_generations: 2, ..config };
                let space = presolve(&puzzle, config.presolve)?;
                let interrupted = AtomicBool::new(false);
                let run =
                    Run { space: &space, config: &config, seed: 3, interrupted: &interrupted };
                assert_eq!(on_device(&run, kernels, None)?, on_cpu(&run)?, "{geometry} {preset}");
            }
        }
    }
    Ok(())
}

/// A complete board with most cells blanked.
fn dug(geometry: Geometry) -> Puzzle {
    let mut board = vec![0; geometry.stride()];
    let mut draws = Seed::new(9, 0).draws(Stage::Initialise, 0);
    complete_board(geometry, &mut board, &mut draws);
    let mut puzzle = Puzzle::blank(geometry);
    for (given, value) in puzzle.givens.iter_mut().zip(board) {
        if draws.below(3) == 0 {
            *given = value;
        }
    }
    puzzle
}

fn islands(kernels: &Arc<Kernels>) -> Tested {
    for (preset, islands, migrants, chunk) in [
        (Preset::Memetic, 2, 3, None),
        (Preset::Memetic, 5, 1_000, Some(50)),
        (Preset::Boxes, 3, 20, None),
        (Preset::RowsSus, 3, 0, Some(7)),
        (Preset::Cells, 70, 2, None),
    ] {
        let mut config = small(preset);
        if preset == Preset::Memetic {
            config.improvement = Improvement::ExchangeDescent;
        }
        let config = Config { islands, migrants, migration_interval: 2, ..config };
        compare(kernels, "easter-monster", &config, chunk)?;
    }
    Ok(())
}

/// An engine that fails when it should carry out a generation.
struct Failing<E> {
    engine: E,
    generation: u32,
    fault: EvaluatorError,
}

impl<E: Engine> Engine for Failing<E> {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        if wanted.generation >= self.generation {
            return Err(RunError::Evaluator(self.fault.clone()));
        }
        self.engine.advance(&Wanted { generations: 1, ..*wanted })
    }

    fn summaries(&self) -> &[Summary] {
        self.engine.summaries()
    }
}

/// A run that restarts, small enough to be quick.
fn restarting() -> Config {
    Config { population: 20, restart_after: 2, max_generations: 30, ..small(Preset::Boxes) }
}

/// The run when its engine fails with `fault` at a generation.
fn failing(
    run: &Run<'_>,
    generation: u32,
    fault: EvaluatorError,
    replay: Replay,
) -> Result<(Witness, Vec<String>), Failed> {
    let geometry = run.space.geometry();
    let pipeline = || Pipeline::new(Box::new(CpuEvaluator::new(geometry, None)));
    let (mut first, mut spare) = (pipeline(), pipeline());
    let mut recorder = Recorder::default();
    let outcome = run.evolve_on(
        || {
            let engine = HostEngine::new(run, &mut first)?;
            Recovering::new(run, Ok(Failing { engine, generation, fault }), &mut spare, replay)
        },
        &mut recorder,
    )?;
    let warnings = std::mem::take(&mut recorder.1);
    Ok((witness(outcome, recorder), warnings))
}

fn replayed() -> Tested {
    let config = restarting();
    let space = space("easter-monster", &config)?;
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config: &config, seed: 3, interrupted: &interrupted };
    let expected = on_cpu(&run)?;
    let restarts = expected.1.last().map_or(0, |row| row.1);
    assert!(restarts > 1, "{restarts} restarts");
    for fault in [
        EvaluatorError::DeviceLost("unplugged".into()),
        EvaluatorError::OutOfMemory("full".into()),
        EvaluatorError::TimedOut(Duration::from_secs(10)),
        EvaluatorError::Unwritten { slot: 0 },
        EvaluatorError::Driver("unknown".into()),
    ] {
        for generation in [0, 1, 5, config.max_generations] {
            let ((mut outcome, rows), warnings) =
                failing(&run, generation, fault.clone(), Replay::Short)?;
            assert_eq!(warnings.len(), 1);
            assert!(warnings[0].contains("replayed on the host engine"), "{warnings:?}");
            assert_eq!(outcome.fault.take(), Some(fault.clone()));
            assert_eq!((outcome, rows), expected);
        }
    }
    Ok(())
}

fn ended() -> Tested {
    let config = restarting();
    let space = space("easter-monster", &config)?;
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config: &config, seed: 3, interrupted: &interrupted };
    let (_, all) = on_cpu(&run)?;
    let fault = EvaluatorError::DeviceLost("unplugged".into());
    let ((outcome, rows), _) = failing(&run, 4, fault.clone(), Replay::Never)?;
    assert_eq!(outcome.stop_reason, StopReason::Lost);
    assert_eq!(outcome.fault, Some(fault));
    assert_eq!(rows, all[..4]);
    assert_eq!((outcome.generations, outcome.fitness), (3, all[3].3));
    assert_eq!(outcome.board, all[3].9[..81]);
    Ok(())
}

/// A device that is lost before a run, and one that is lost in it.
fn lost_device(kernels: &Arc<Kernels>) -> Tested {
    let config = restarting();
    let space = space("easter-monster", &config)?;
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config: &config, seed: 3, interrupted: &interrupted };
    let expected = on_cpu(&run)?;
    for generation in [0, 4] {
        let adapters = gpu::adapters();
        let name = &kernels.device().adapter().name;
        let kernels = Kernels::new(&Device::open(gpu::find(&adapters, name)?)?)?;
        let mut spare = Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)));
        let mut breaking = Breaking { rows: Recorder::default(), generation, kernels: &kernels };
        if generation == 0 {
            kernels.device().handle().destroy();
        }
        let outcome = run.evolve_on(
            || {
                let engine = DeviceEngine::new(&run, &kernels, Some(100));
                Recovering::new(&run, engine, &mut spare, Replay::Short)
            },
            &mut breaking,
        )?;
        let (mut outcome, rows) = witness(outcome, breaking.rows);
        assert!(outcome.fault.take().is_some());
        assert_eq!((outcome, rows), expected);
    }
    Ok(())
}

/// Destroys the device when a generation is told.
struct Breaking<'a> {
    rows: Recorder,
    generation: u32,
    kernels: &'a Kernels,
}

impl Observer for Breaking<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) {
        self.rows.generation(report);
        if report.generation == self.generation {
            self.kernels.device().handle().destroy();
        }
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

fn refusals(kernels: &Arc<Kernels>) -> Tested {
    let config = Config::of(Preset::RowsPmx);
    let space = space("easter-monster", &config)?;
    let interrupted = AtomicBool::new(false);
    let run = Run { space: &space, config: &config, seed: 3, interrupted: &interrupted };
    let refused = on_device(&run, kernels, None).map(drop).err().ok_or("it ran")?;
    let text = refused.message().unwrap_or_default().to_owned();
    assert!(text.contains("crossover pmx") && text.contains("boxes"), "{text}");
    Ok(())
}
