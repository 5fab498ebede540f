//! Generations measured as a run has them: bred, scored, replaced and reported.
//!
//! A run on a puzzle that is never solved is watched; the time from one report to the next is a
//! generation, all that lies between the parts included. Generation 0, which has no parents, is
//! not counted.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::{BenchError, BenchPlan, Sample, Samples, StoppingRule};
use crate::ga::{GenerationReport, Observer, Preset};
use crate::run::{Executor, RunJob};
use crate::util::interrupt::Interrupt;

/// Times generations, and ends the run when it has seen enough.
struct Stopwatch {
    samples: Samples,
    last: Option<Duration>,
    /// Whether several generations are told at once, so that only their own times tell them apart.
    together: bool,
}

impl Observer for Stopwatch {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
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

/// Measures generations of `preset` as an executor carries them out; `together` says whether its engine
/// reports several at once. The threads are those of the executor, and start before the first generation.
///
/// # Errors
/// What the run fails with, and the fault that made it leave its backend for the CPU.
pub(super) fn generations(
    plan: &BenchPlan,
    preset: Preset,
    population: u32,
    patience: StoppingRule,
    executor: &mut Executor<'_>,
    together: bool,
    interrupt: &Interrupt,
) -> Result<Samples, BenchError> {
    let space = plan.space()?;
    let config = plan.config(&space, preset, population);
    let mut watch = Stopwatch { samples: Samples::new(patience), last: None, together };
    let (space, config) = (Arc::new(space), Arc::new(config));
    let observer: &mut (dyn Observer + Send) = &mut watch;
    let job = RunJob::new(space, config, plan.seed, observer);
    match executor.run(job, interrupt.flag())?.fault {
        Some(fault) => Err(fault.into()),
        None => Ok(watch.samples),
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::*;
    use crate::fitness::FakeDevice;
    use crate::run::Backend;

    #[test]
    fn as_many_generations_run_as_are_measured() {
        let plan = plan(&[8]);
        let backend = Backend::cpu();
        let mut executor = Executor::new(&backend, 1, 2).unwrap();
        for preset in Preset::ALL {
            // A child of some presets takes long.
            let budget = Duration::from_secs(1_000);
            let patience =
                StoppingRule { warm_up: 1, least: 3, most: 3, budget, ..StoppingRule::default() };
            let interrupt = Interrupt::new();
            let samples =
                generations(&plan, *preset, 8, patience, &mut executor, false, &interrupt);
            assert_eq!(samples.unwrap().len(), 3, "{preset}");
            assert!(!interrupt.is_requested());
        }
    }

    #[test]
    fn a_generation_holds_its_parts() {
        let plan = plan(&[100]);
        let kernel = Duration::from_millis(5);
        let backend = Backend::custom("fake", move |geometry| {
            Box::new(FakeDevice::new(geometry, 50, kernel, usize::MAX))
        });
        let mut executor = Executor::new(&backend, 1, 1).unwrap();
        let patience = StoppingRule { warm_up: 0, least: 2, most: 2, ..StoppingRule::default() };
        let samples = generations(
            &plan,
            Preset::Boxes,
            100,
            patience,
            &mut executor,
            false,
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
        let backend = Backend::custom("fake", |geometry| {
            Box::new(FakeDevice::new(geometry, 100, Duration::ZERO, 1))
        });
        let mut executor = Executor::new(&backend, 1, 1).unwrap();
        let patience = StoppingRule { most: 3, ..StoppingRule::default() };
        let failed = generations(
            &plan,
            Preset::Boxes,
            100,
            patience,
            &mut executor,
            false,
            &Interrupt::new(),
        );
        assert_eq!(failed.unwrap_err().to_string(), "the device was lost: unplugged");
    }
}
