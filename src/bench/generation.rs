//! Generations measured as a run has them: bred, scored, replaced and reported.
//!
//! A run on a puzzle that is never solved is watched; the time from one report to the next is a
//! generation, all that lies between the parts included. Generation 0, which has no parents, is
//! not counted.

use std::ops::ControlFlow;
use std::time::Duration;

use rayon::ThreadPool;

use super::{BenchError, BenchPlan, Interrupt, Patience, Sample, Samples};
use crate::device::{DeviceEngine, Kernels};
use crate::evolve::{GenerationReport, Observer, Preset, Run};
use crate::score::Pipeline;

/// Times generations, and ends the run when it has seen enough.
struct Stopwatch {
    samples: Samples,
    last: Option<Duration>,
    /// Whether several generations are told at once, so that only their own times tell them apart.
    together: bool,
}

impl Observer for Stopwatch {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(last) = self.last.replace(report.elapsed) {
            let time = match self.together {
                true => report.times.score.kernel,
                false => report.elapsed.saturating_sub(last),
            };
            if self.samples.note(Sample { time, parts: report.times }) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// Measures generations of `preset` on the threads of a pool.
///
/// # Errors
/// What the run fails with, and the fault that made it leave the evaluator for the CPU.
pub(super) fn generations(
    plan: &BenchPlan,
    preset: Preset,
    population: u32,
    patience: Patience,
    pipeline: &mut Pipeline,
    threads: &ThreadPool,
    interrupt: &Interrupt,
) -> Result<Samples, BenchError> {
    let space = plan.space()?;
    let config = plan.config(&space, preset, population);
    let samples = Samples::new(patience);
    let mut watch = Stopwatch { samples, last: None, together: false };
    let run = Run::new(&space, &config, plan.seed, interrupt.flag());
    threads.install(|| run.evolve(pipeline, &mut watch))?;
    match pipeline.fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(watch.samples),
    }
}

/// Measures generations of `preset` that the device breeds.
///
/// # Errors
/// What the run fails with.
pub(super) fn on_device(
    plan: &BenchPlan,
    preset: Preset,
    population: u32,
    patience: Patience,
    kernels: &Kernels,
    interrupt: &Interrupt,
) -> Result<Samples, BenchError> {
    let space = plan.space()?;
    let config = plan.config(&space, preset, population);
    let samples = Samples::new(patience);
    let mut watch = Stopwatch { samples, last: None, together: true };
    let run = Run::new(&space, &config, plan.seed, interrupt.flag());
    run.evolve_on(|| DeviceEngine::new(&run, kernels, None), &mut watch)?;
    Ok(watch.samples)
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::*;
    use crate::score::{CpuEvaluator, EvaluatorError, MockEvaluator, PhaseTimes};

    #[test]
    fn as_many_generations_run_as_are_measured() {
        let plan = plan(&[8]);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for preset in Preset::ALL {
            let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(plan.shape, None)));
            // A child of some presets takes long.
            let budget = Duration::from_secs(1_000);
            let patience =
                Patience { warm_up: 1, least: 3, most: 3, budget, ..Patience::default() };
            let interrupt = Interrupt::new();
            let samples =
                generations(&plan, *preset, 8, patience, &mut pipeline, &threads, &interrupt);
            assert_eq!(samples.unwrap().len(), 3, "{preset}");
            assert!(!interrupt.asked());
        }
    }

    #[test]
    fn a_generation_holds_its_parts() {
        let plan = plan(&[100]);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let millis = Duration::from_millis;
        let times = PhaseTimes { upload: millis(1), kernel: millis(5), readback: millis(1) };
        let mut pipeline = Pipeline::new(Box::new(MockEvaluator::new(plan.shape, 50, times)));
        let patience = Patience { warm_up: 0, least: 2, most: 2, ..Patience::default() };
        let samples = generations(
            &plan,
            Preset::Boxes,
            100,
            patience,
            &mut pipeline,
            &threads,
            &Interrupt::new(),
        );
        let samples = samples.unwrap();
        // Two chunks went through one kernel after the other.
        assert_eq!(samples.part(|parts| parts.score.kernel), Some(0.01));
        assert!(samples.seconds().unwrap().best >= 0.01);
    }

    #[test]
    fn a_device_that_fails_has_no_figure() {
        let plan = plan(&[100]);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let lost = EvaluatorError::DeviceLost("unplugged".into());
        let mock = MockEvaluator::new(plan.shape, 100, PhaseTimes::default()).failing(1, lost);
        let mut pipeline = Pipeline::new(Box::new(mock));
        let patience = Patience { most: 3, ..Patience::default() };
        let failed = generations(
            &plan,
            Preset::Boxes,
            100,
            patience,
            &mut pipeline,
            &threads,
            &Interrupt::new(),
        );
        assert_eq!(failed.unwrap_err().to_string(), "the device was lost: unplugged");
    }
}
