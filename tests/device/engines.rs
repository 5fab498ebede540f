//! What tests of engines share: a run, and all that is known of it but times.

use std::time::Duration;

use evodoku::board::SearchSpace;
use evodoku::board::presolve;
use evodoku::device::{DeviceEngine, Kernels};
use evodoku::evolve::{Config, GenerationReport, Observer, Outcome, Preset, Run};
use evodoku::format;
use evodoku::score::{CpuEvaluator, Pipeline};
use libtest_mimic::Failed;

/// What a generation looked like, times aside.
pub type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64, Vec<u8>);

/// Rows and warnings.
#[derive(Default)]
pub struct Recorder(pub Vec<Row>, pub Vec<String>);

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
pub type Witness = (Outcome, Vec<Row>);

pub fn witness(outcome: Outcome, recorder: Recorder) -> Witness {
    (Outcome { elapsed: Duration::ZERO, ..outcome }, recorder.0)
}

/// The run on the host.
pub fn on_host(run: &Run<'_>, pipeline: &mut Pipeline) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.evolve(pipeline, &mut recorder)?;
    Ok(witness(outcome, recorder))
}

/// The run on the host, scored there too.
pub fn on_cpu(run: &Run<'_>) -> Result<Witness, Failed> {
    let evaluator = CpuEvaluator::new(run.space.geometry(), None);
    on_host(run, &mut Pipeline::new(Box::new(evaluator)))
}

/// The run on the device.
pub fn on_device(run: &Run<'_>, kernels: &Kernels, chunk: Option<u32>) -> Result<Witness, Failed> {
    let mut recorder = Recorder::default();
    let outcome = run.evolve_on(|| DeviceEngine::new(run, kernels, chunk), &mut recorder)?;
    Ok(witness(outcome, recorder))
}

pub fn space(name: &str, config: &Config) -> Result<SearchSpace, Failed> {
    Ok(presolve(&format::load(name, None)?.puzzle, config.presolve)?)
}

/// The preset, small enough to be quick.
pub fn small(preset: Preset) -> Config {
    Config {
        // No multiple of a workgroup.
        population: 333,
        max_generations: 8,
        distinct_every: 3,
        tabu_steps: 50,
        ..Config::of(preset)
    }
}
