//! The workloads that are measured: calls of an evaluator, again and again on the same boards, and generations.
//!
//! For generations a run on a puzzle that is never solved is observed; the time from one report to the next is
//! a generation, with all that lies between its phases. Generation 0, which has no parents, is not counted.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::plan::BenchPlan;
use crate::fitness::{Evaluator, EvaluatorError, PhaseTimes};
use crate::ga::{GenerationReport, Observer, Preset, Run};
use crate::run::Executor;
use crate::statistics::{Sample, Samples, StoppingRule, measure};
use crate::util::interrupt::Interrupt;

/// Chunks that are scored between two polls of the interrupt.
const PART: usize = 64;

/// Measures whole calls of [`Evaluator::score`], on the calling pool's threads.
///
/// # Errors
/// The error of the evaluator.
pub fn score(
    evaluator: &mut dyn Evaluator,
    boards: &[u8],
    scores: &mut [u16],
    rule: StoppingRule,
    interrupt: &Interrupt,
) -> Result<Samples> {
    measure(rule, interrupt, || {
        let start = Instant::now();
        let phases = pass(evaluator, boards, scores, interrupt)?;
        Ok(phases.map(|phases| Sample::scored(start.elapsed(), phases)))
    })
}

/// Scores all boards once; `None` after an interrupt.
///
/// # Errors
/// The error of the evaluator.
pub(super) fn pass(
    evaluator: &mut dyn Evaluator,
    boards: &[u8],
    scores: &mut [u16],
    interrupt: &Interrupt,
) -> Result<Option<PhaseTimes>, EvaluatorError> {
    let part = evaluator.chunk_len().saturating_mul(PART).max(1);
    let bytes = part.saturating_mul(evaluator.geometry().stride());
    let mut times = PhaseTimes::default();
    for (boards, scores) in boards.chunks(bytes).zip(scores.chunks_mut(part)) {
        if interrupt.is_requested() {
            return Ok(None);
        }
        times += evaluator.score(boards, scores)?;
    }
    Ok(Some(times))
}

/// Measures the time of generations, and ends the run when the rule is met.
struct Stopwatch {
    samples: Samples,
    last: Option<Duration>,
    /// Whether several generations are reported at once: then the device measured the time of each.
    together: bool,
}

impl Observer for Stopwatch {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(last) = self.last.replace(report.elapsed) {
            let time = match self.together {
                true => report.times.score.kernel,
                false => report.elapsed.saturating_sub(last),
            };
            if self.samples.add(Sample { time, parts: report.times }) {
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
/// The error of the run, and the fault of a device whose run the CPU continued.
pub(super) fn generations(
    plan: &BenchPlan,
    preset: Preset,
    population: u32,
    rule: StoppingRule,
    executor: &mut Executor<'_>,
    together: bool,
    interrupt: &Interrupt,
) -> Result<Samples> {
    let space = plan.space()?;
    let config = plan.config(&space, preset, population);
    let mut watch = Stopwatch { samples: Samples::new(rule), last: None, together };
    let run = Run::new(&space, &config, plan.seed, interrupt.flag());
    let fault = executor.run(&run, &mut watch)?.fault;
    fault.map_or(Ok(watch.samples), |fault| Err(fault.into()))
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::bench::plan::plan;
    use crate::board::{Geometry, Population};
    use crate::fitness::{CpuEvaluator, Evaluator, EvaluatorError, PhaseTimes, ScoredChunk};
    use crate::run::Backend;

    /// A device whose kernel takes `kernel` for a chunk, and which is lost at chunk number `lost_at`.
    #[derive(Debug)]
    struct FakeDevice {
        cpu: CpuEvaluator,
        kernel: Duration,
        lost_at: usize,
    }

    impl FakeDevice {
        fn new(geometry: Geometry, chunk_len: usize, kernel: Duration, lost_at: usize) -> Self {
            Self { cpu: CpuEvaluator::new(geometry, Some(chunk_len)), kernel, lost_at }
        }
    }

    impl Evaluator for FakeDevice {
        fn geometry(&self) -> Geometry {
            self.cpu.geometry()
        }

        fn chunk_len(&self) -> usize {
            self.cpu.chunk_len()
        }

        fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
            let lost = EvaluatorError::DeviceLost("unplugged".into());
            self.lost_at = self.lost_at.checked_sub(1).ok_or(lost)?;
            self.cpu.submit(range, boards)
        }

        fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
            std::thread::sleep(self.kernel);
            let times = PhaseTimes { kernel: self.kernel, ..PhaseTimes::default() };
            Ok(ScoredChunk { times, ..self.cpu.collect()? })
        }
    }

    #[test]
    fn as_many_generations_run_as_are_measured() {
        let plan = plan(&[8]);
        let backend = Backend::cpu();
        let mut executor = Executor::new(&backend, 1, 2).unwrap();
        for preset in Preset::ALL {
            // A child of some presets takes long.
            let budget = Duration::from_secs(1_000);
            let rule =
                StoppingRule { warm_up: 1, least: 3, most: 3, budget, ..StoppingRule::default() };
            let interrupt = Interrupt::new();
            let samples = generations(&plan, *preset, 8, rule, &mut executor, false, &interrupt);
            assert_eq!(samples.unwrap().count(), 3, "{preset}");
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
        let rule = StoppingRule { warm_up: 0, least: 2, most: 2, ..StoppingRule::default() };
        let samples =
            generations(&plan, Preset::Boxes, 100, rule, &mut executor, false, &Interrupt::new());
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
        let rule = StoppingRule { most: 3, ..StoppingRule::default() };
        let failed =
            generations(&plan, Preset::Boxes, 100, rule, &mut executor, false, &Interrupt::new());
        assert_eq!(failed.unwrap_err().to_string(), "the device was lost: unplugged");
    }

    #[test]
    fn a_pass_scores_all_boards_unless_it_is_interrupted() {
        let geometry = Geometry::new(2, 2).unwrap();
        let boards = Population::new(geometry, 10).unwrap();
        let (mut scores, interrupt) = ([0; 10], Interrupt::new());
        let mut cpu = CpuEvaluator::new(geometry, Some(1));
        assert!(pass(&mut cpu, boards.bytes(), &mut scores, &interrupt).unwrap().is_some());
        assert_eq!(scores, [geometry.worst_fitness(); 10]);
        interrupt.request();
        assert!(pass(&mut cpu, boards.bytes(), &mut scores, &interrupt).unwrap().is_none());
    }
}
