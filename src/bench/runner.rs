//! A bench from beginning to end: limits, fixed costs, then every task.
//!
//! Each task gets an equal share of the time that is left, so what settles early leaves its time
//! to what comes later.

use std::time::{Duration, Instant};

use super::gpu_bandwidth::BandwidthProbe;
use super::session::BenchContext;
use super::{BenchError, BenchResults, BenchTask, BreakEven, Metric};
use crate::gpu::Device;
use crate::gpu_engine::check_support;
use crate::util::interrupt::Interrupt;

/// The longest that a task is repeated for.
const LONGEST: Duration = Duration::from_secs(3);
/// The part of the whole budget that each task has, even when none is left.
const LEAST: u32 = 200;
/// How often the interval that a break-even lies in is halved.
const HALVINGS: usize = 3;

/// A bench that runs.
pub struct BenchRun<'a> {
    /// The adapter that takes part.
    pub device: Option<&'a Device>,
    /// How long it took to find and open it.
    pub opening: Duration,
    /// Set by the user.
    pub interrupt: &'a Interrupt,
}

/// How far a bench has come.
#[derive(Clone, Copy, Debug)]
pub struct BenchProgress {
    /// Tasks done.
    pub done: usize,
    /// Tasks in all.
    pub total: usize,
    /// The task that begins.
    pub next: Option<BenchTask>,
}

/// Is told of everything that was measured.
pub type Watcher<'a> = dyn FnMut(&BenchResults, BenchProgress) -> Result<(), BenchError> + 'a;

impl BenchRun<'_> {
    /// Measures all that the plan of `results` asks for; `watch` is told after each measurement.
    /// An interrupt leaves `results` incomplete.
    ///
    /// # Errors
    /// [`BenchError`]; what was measured before stays in `results`.
    pub fn run(
        &self,
        results: &mut BenchResults,
        watch: &mut Watcher<'_>,
    ) -> Result<(), BenchError> {
        let end = Instant::now() + results.plan.budget;
        let plan = results.plan.clone();
        let mut session = BenchContext::new(self, &plan)?;
        results.fixed.clone_from(&session.fixed);
        let tasks = plan.tasks(self.device.is_some(), session.upload_bytes())?;
        let total = tasks.len();
        results.read_rates = session.read_rates(results.machine.cache_bytes.last_level());
        results.device_copy = session.bus.as_mut().map(BandwidthProbe::copy_rate).transpose()?;
        session.draw()?;
        for (done, task) in tasks.iter().enumerate() {
            if self.interrupt.is_requested() {
                return Ok(());
            }
            watch(results, BenchProgress { done, total, next: Some(*task) })?;
            let left = end.saturating_duration_since(Instant::now());
            let budget = (left / (total - done) as u32).min(LONGEST).max(plan.budget / LEAST);
            let measured = session.measure(task, budget)?;
            if self.interrupt.is_requested() {
                // What was cut off has no steady median.
                return Ok(());
            }
            results.lines.extend(measured);
            results.share_upload_limits(task.population);
        }
        self.narrow(&mut session, results, end, &mut |results, task| {
            watch(results, BenchProgress { done: total, total, next: Some(task) })
        })?;
        watch(results, BenchProgress { done: total, total, next: None })?;
        if let Some(duration) = plan.sustained {
            for doer in session.sustained_doers() {
                results.sustained.push(session.sustain(&doer, duration)?);
                watch(results, BenchProgress { done: total, total, next: None })?;
            }
        }
        results.complete = !self.interrupt.is_requested();
        Ok(())
    }

    /// Measures between the populations that a break-even was found between, while there is time.
    fn narrow(
        &self,
        session: &mut BenchContext<'_>,
        results: &mut BenchResults,
        end: Instant,
        watch: &mut dyn FnMut(&BenchResults, BenchTask) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        let plan = session.plan;
        let (simd, threads) = (plan.simd.last().copied(), plan.most_threads());
        let space = plan.space()?;
        let mut compared = vec![(Metric::Score, None)];
        compared.extend(plan.presets.iter().map(|preset| (Metric::Generation, Some(*preset))));
        for (what, preset) in compared {
            for _ in 0..HALVINGS {
                let middle = BreakEven::between(&results.lines, what, preset);
                let (Some(population), Some(level)) = (middle, simd) else { break };
                // What the tasks of a plan set against each other: the adapter breeds too, if it can.
                let rivals = match preset {
                    None => {
                        vec![
                            BenchTask::cpu_score(population, level, threads),
                            BenchTask::gpu_score(population),
                        ]
                    }
                    Some(preset) => {
                        let bred = |simd| BenchTask::generation(population, preset, simd, threads);
                        let mut rivals = vec![bred(simd), bred(None)];
                        if check_support(&plan.config(&space, preset, population)).is_ok() {
                            rivals.push(BenchTask::device_generation(population, preset));
                        }
                        rivals
                    }
                };
                for task in rivals {
                    if Instant::now() >= end || self.interrupt.is_requested() {
                        return Ok(());
                    }
                    watch(results, task)?;
                    let left = end.saturating_duration_since(Instant::now());
                    let measured = session.measure(&task, left.min(LONGEST) / 2)?;
                    if !self.interrupt.is_requested() {
                        results.lines.extend(measured);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::tests::plan;
    use crate::bench::{Measurement, Sample, Samples, StoppingRule, SystemInfo};
    use crate::fitness::SimdLevel;
    use crate::ga::Preset;

    const LONG: Duration = Duration::from_secs(600);

    /// A line of a task that takes this long.
    fn line(task: BenchTask, shape: crate::board::Geometry, millis: u64) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        samples.note(Sample::of(Duration::from_millis(millis)));
        Measurement::of(task, shape, task.population, &samples, None, false).unwrap()
    }

    /// What is measured, without an adapter, where one was found to overtake the CPU between two of
    /// the tasks: what was begun within so long until `most` tasks were, and the populations of
    /// lines that were added.
    fn narrowed(tasks: [BenchTask; 4], long: Duration, most: usize) -> (Vec<BenchTask>, Vec<u32>) {
        let mut plan = plan(&[100, 400]);
        (plan.simd, plan.threads) = (vec![SimdLevel::Scalar], vec![1]);
        plan.presets = vec![Preset::Boxes];
        let interrupt = Interrupt::new();
        let bench = BenchRun { device: None, opening: Duration::ZERO, interrupt: &interrupt };
        let mut session = BenchContext::new(&bench, &plan).unwrap();
        session.draw().unwrap();
        let mut results = BenchResults::new(plan.clone(), SystemInfo::here(), None);
        let taken = tasks.iter().zip([1, 2, 4, 2]);
        results.lines = taken.map(|(task, millis)| line(*task, plan.shape, millis)).collect();
        let mut begun = Vec::new();
        let mut watch = |_: &BenchResults, task| {
            begun.push(task);
            if begun.len() == most {
                interrupt.request();
            }
            Ok(())
        };
        bench.narrow(&mut session, &mut results, Instant::now() + long, &mut watch).unwrap();
        (begun, results.lines[4..].iter().map(|line| line.task.population).collect())
    }

    fn scores(population: u32) -> [BenchTask; 2] {
        let cpu = BenchTask::cpu_score(population, SimdLevel::Scalar, 1);
        [cpu, BenchTask::gpu_score(population)]
    }

    fn generations(population: u32) -> [BenchTask; 2] {
        let bred = |simd| BenchTask::generation(population, Preset::Boxes, simd, 1);
        [bred(Some(SimdLevel::Scalar)), bred(None)]
    }

    /// The tasks of both populations.
    fn both(tasks: fn(u32) -> [BenchTask; 2]) -> [BenchTask; 4] {
        let [[a, b], [c, d]] = [tasks(100), tasks(400)];
        [a, b, c, d]
    }

    #[test]
    fn a_break_even_is_looked_for_between_the_populations_around_it() {
        let (begun, added) = narrowed(both(scores), LONG, 2);
        assert_eq!(begun, scores(200));
        assert_eq!(added, [200], "the CPU's, and none of the adapter that is not there");
        let (begun, added) = narrowed(both(generations), LONG, 3);
        let bred = generations(200);
        let expected = [bred[0], bred[1], BenchTask::device_generation(200, Preset::Boxes)];
        assert_eq!(begun, expected);
        assert_eq!(added, [200]);
        // Nothing lies between two that follow each other.
        let [[a, b], [c, d]] = [scores(100), scores(101)];
        assert_eq!(narrowed([a, b, c, d], LONG, 9), (Vec::new(), Vec::new()));
    }

    #[test]
    fn it_is_not_looked_for_once_the_time_is_over_or_the_user_wants_to_stop() {
        assert_eq!(narrowed(both(scores), Duration::ZERO, 9), (Vec::new(), Vec::new()));
        let (begun, added) = narrowed(both(scores), LONG, 1);
        assert_eq!(begun, scores(200)[..1]);
        assert_eq!(added, [0; 0], "what was cut off does not count");
    }
}
