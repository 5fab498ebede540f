//! Checkpoints of one engine, with which another goes on: the same run, bit for bit.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::ga::CpuEngine;
use evodoku::ga::{Checkpoint, GenerationReport, Observer, Preset, Run, RunHandle, StopReason};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::internals::{GpuEngine, PipelineCache};
use libtest_mimic::Trial;

use crate::adapter::{Outcome as Tested, trial};
use crate::engines::{
    Recorder, on_cpu, on_device, on_ranks, puzzle, ranks_watched, small, witness,
};

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    let kernels = adapter.clone().and_then(|adapter| {
        let device = Device::open(&adapter).map_err(|error| error.to_string())?;
        Ok(Arc::new(PipelineCache::new(&device).map_err(|error| error.to_string())?))
    });
    vec![trial("a_checkpoint_of_one_engine_goes_on_on_another", &kernels, engines)]
}

/// Keeps the first checkpoint from a generation on.
struct Keeping {
    recorder: Recorder,
    from: u32,
    kept: Option<Checkpoint>,
}

impl Keeping {
    fn from(generation: u32) -> Self {
        Self { recorder: Recorder::default(), from: generation, kept: None }
    }
}

impl Observer for Keeping {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.recorder.on_generation(report)
    }

    fn wants_distinct(&self) -> bool {
        true
    }

    fn wants_checkpoint(&mut self, generation: u32, _: Option<StopReason>) -> bool {
        generation >= self.from && self.kept.is_none()
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.kept = standing.checkpoint().ok();
    }
}

fn engines(kernels: &Arc<PipelineCache>) -> Tested {
    for (preset, settings) in [
        (
            Preset::Memetic,
            "tabu_steps=20 max_generations=30 restart_after=9 islands=2 population=60",
        ),
        (Preset::Boxes, "islands=3 migration_interval=2 max_generations=20 restart_after=3"),
        (Preset::Cellular, "max_generations=15 islands=2 migration_interval=3"),
        (Preset::Eviction, "population=9 max_generations=6 restart_after=2 islands=3"),
    ] {
        let (space, config) = small(&puzzle("easter-monster")?, preset, settings)?;
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 7, &interrupted);
        let expected = on_cpu(&run)?;
        for from in [0, 3] {
            let [mut device, mut host, mut ranks] = [0, 1, 2].map(|_| Keeping::from(from));
            let on_device_again =
                run.execute_on(|| GpuEngine::new(&run, kernels, Some(70)), &mut device)?;
            assert_eq!(witness(on_device_again, device.recorder), expected);
            let evaluator = CpuEvaluator::new(space.geometry(), None);
            let mut pipeline = Pipeline::new(Box::new(evaluator));
            run.execute_on(|| CpuEngine::new(&run, &mut pipeline), &mut host)?;
            ranks_watched(&run, kernels, None, 2, &mut ranks)?;
            for (by, kept) in [("device", device.kept), ("host", host.kept), ("ranks", ranks.kept)]
            {
                let label = format!("{preset} {settings} {from} by {by}");
                let checkpoint = kept.ok_or(format!("no checkpoint: {label}"))?;
                let run = Run { resume_from: Some(&checkpoint), ..run };
                let done = checkpoint.progress.generation as usize + 1;
                for found in [
                    on_cpu(&run)?,
                    on_device(&run, kernels, None)?,
                    on_ranks(&run, kernels, None, 2)?,
                ] {
                    assert_eq!(found.0, expected.0, "{label}");
                    assert_eq!(found.1, expected.1[done..], "{label}");
                }
            }
        }
    }
    Ok(())
}
