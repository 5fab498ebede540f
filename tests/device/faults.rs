//! What becomes of a run whose device fails.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evodoku::board::SearchSpace;
use evodoku::fitness::{CpuEvaluator, EvaluatorError, Pipeline};
use evodoku::ga::{
    Config, GenerationReport, Observer, PopulationSnapshot, Preset, Run, RunError, StopReason,
};
use evodoku::ga::{
    CpuEngine, Engine, FallbackEngine, GenerationRequest, GenerationStats, ReplayPolicy,
};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::internals::{GpuEngine, PipelineCache};
use libtest_mimic::{Failed, Trial};

use crate::adapter::{Outcome as Tested, trial};
use crate::attacks::runs::switching::Switching;
use crate::engines::{Recorder, Witness, on_cpu, puzzle, small, witness};

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        Trial::test("what_fails_is_replayed_and_goes_on", replayed),
        Trial::test("what_fails_after_another_engine_is_replayed", switched),
        Trial::test("what_is_not_replayed_ends_with_its_best_board", ended),
        trial("a_lost_device_is_replayed", adapter, lost_device),
    ]
}

/// An engine that fails when it should carry out a generation.
struct Failing<E> {
    engine: E,
    generation: u32,
    /// Whether it fails when it should export its state.
    is_dumb: bool,
    fault: EvaluatorError,
}

impl<E: Engine> Engine for Failing<E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        if wanted.generation >= self.generation {
            return Err(RunError::Evaluator(self.fault.clone()));
        }
        self.engine.step(&GenerationRequest { generations: 1, ..*wanted })
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.engine.summaries()
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        let failed = || RunError::Evaluator(self.fault.clone());
        if self.is_dumb { Err(failed()) } else { self.engine.for_each_island(take) }
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.engine.restore(state)
    }
}

/// A run that restarts, small enough to be quick.
fn restarting() -> Result<(SearchSpace, Config), Failed> {
    let set = "population=20 restart_after=2 max_generations=30";
    small(&puzzle("easter-monster")?, Preset::Boxes, set)
}

/// The run when its engine fails with `fault` at a generation.
fn failing(
    run: &Run<'_>,
    generation: u32,
    fault: EvaluatorError,
    replay: ReplayPolicy,
) -> Result<(Witness, Vec<String>), Failed> {
    let geometry = run.space.geometry();
    let pipeline = || Pipeline::new(Box::new(CpuEvaluator::new(geometry, None)));
    let (mut first, mut spare) = (pipeline(), pipeline());
    let mut recorder = Recorder::default();
    let outcome = run.execute_on(
        || {
            let engine = CpuEngine::new(run, &mut first)?;
            FallbackEngine::new(
                run,
                Ok(Failing { engine, generation, is_dumb: false, fault }),
                &mut spare,
                replay,
            )
        },
        &mut recorder,
    )?;
    let warnings = std::mem::take(&mut recorder.1);
    Ok((witness(outcome, recorder), warnings))
}

fn replayed() -> Tested {
    let (space, config) = restarting()?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
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
                failing(&run, generation, fault.clone(), ReplayPolicy::Short)?;
            assert_eq!(warnings.len(), 1);
            assert!(warnings[0].contains("replayed on the CPU engine"), "{warnings:?}");
            assert_eq!(outcome.fault.take(), Some(fault.clone()));
            assert_eq!((outcome, rows), expected);
        }
    }
    Ok(())
}

/// An engine that goes on with the state of another, and then fails or cannot give its own away, is
/// replayed from that state.
fn switched() -> Tested {
    let (space, config) = restarting()?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let expected = on_cpu(&run)?;
    let geometry = space.geometry();
    let pipeline = || Pipeline::new(Box::new(CpuEvaluator::new(geometry, None)));
    let fault = EvaluatorError::DeviceLost("unplugged".into());
    for (generation, is_dumb) in [(9, false), (13, false), (u32::MAX, true)] {
        let [mut first, mut second, mut spare] = [pipeline(), pipeline(), pipeline()];
        let mut recorder = Recorder::default();
        let outcome = run.execute_on(
            || {
                let host = CpuEngine::new(&run, &mut first)?;
                let engine = CpuEngine::new(&run, &mut second)?;
                let failing = Failing { engine, generation, is_dumb, fault: fault.clone() };
                let failing =
                    FallbackEngine::new(&run, Ok(failing), &mut spare, ReplayPolicy::Short)?;
                let engines: Vec<Box<dyn Engine>> = vec![Box::new(host), Box::new(failing)];
                let next = |generation| (usize::from((7..16).contains(&generation)), 1);
                Ok(Switching { engines, next, current: 0 })
            },
            &mut recorder,
        )?;
        assert_eq!(witness(outcome, recorder), expected, "{generation} {is_dumb}");
    }
    Ok(())
}

fn ended() -> Tested {
    let (space, config) = restarting()?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let (_, all) = on_cpu(&run)?;
    let fault = EvaluatorError::DeviceLost("unplugged".into());
    let ((outcome, rows), _) = failing(&run, 4, fault.clone(), ReplayPolicy::Never)?;
    assert_eq!(outcome.stop_reason, StopReason::Lost);
    assert_eq!(outcome.fault, Some(fault));
    assert_eq!(rows, all[..4]);
    assert_eq!((outcome.generations, outcome.fitness), (3, all[3].3));
    assert_eq!(outcome.board, all[3].9[0][..81]);
    Ok(())
}

/// A device that is lost before a run, and one that is lost in it.
fn lost_device(adapter: &Adapter) -> Tested {
    lost(adapter, restarting()?)?;
    let set = "population=3 restart_after=2 proposals=400 max_generations=12";
    lost(adapter, small(&puzzle("easter-monster")?, Preset::Eviction, set)?)
}

fn lost(adapter: &Adapter, (space, config): (SearchSpace, Config)) -> Tested {
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let expected = on_cpu(&run)?;
    for generation in [0, 4] {
        let kernels = PipelineCache::new(&Device::open(adapter)?)?;
        let mut spare = Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)));
        let mut breaking = Breaking { rows: Recorder::default(), generation, kernels: &kernels };
        if generation == 0 {
            kernels.device.handle().destroy();
        }
        let outcome = run.execute_on(
            || {
                let engine = GpuEngine::new(&run, &kernels, Some(100));
                FallbackEngine::new(&run, engine, &mut spare, ReplayPolicy::Short)
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
    kernels: &'a PipelineCache,
}

impl Observer for Breaking<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if report.generation == self.generation {
            self.kernels.device.handle().destroy();
        }
        self.rows.on_generation(report)
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}
