//! Carries out a bench: fixed costs, limits, then every task.
//!
//! Each task gets an equal share of the time that is left, so a task that is steady early leaves its time to
//! later ones.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::bandwidth::BandwidthProbe;
use super::plan::{BenchTask, Metric};
use super::results::BenchResults;
use super::session::{BenchContext, BenchRun};

/// The longest time for the repetitions of a task.
const LONGEST: Duration = Duration::from_secs(3);
/// The divisor of the whole budget that gives the least budget of a task, even when no time is left.
const LEAST: u32 = 200;
/// The number of times that the interval around a break-even is halved.
const HALVINGS: usize = 3;

/// The progress of a bench.
#[derive(Clone, Copy, Debug)]
pub struct BenchProgress {
    /// Tasks done.
    pub done: usize,
    /// Tasks in all.
    pub total: usize,
    /// The task that begins now.
    pub next: Option<BenchTask>,
}

/// Is called before each task, with the results so far.
pub type Watcher<'a> = dyn FnMut(&BenchResults, BenchProgress) + 'a;

impl BenchRun<'_> {
    /// Carries out the plan of `results`; `watch` is called before each task and at the end. An interrupt leaves
    /// `results` incomplete.
    ///
    /// # Errors
    /// When a task fails; earlier measurements stay in `results`.
    pub fn run(&self, results: &mut BenchResults, watch: &mut Watcher<'_>) -> Result<()> {
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
            watch(results, BenchProgress { done, total, next: Some(*task) });
            let left = end.saturating_duration_since(Instant::now());
            let budget = (left / (total - done) as u32).min(LONGEST).max(plan.budget / LEAST);
            let measured = session.measure(task, budget)?;
            if self.interrupt.is_requested() {
                // The median of an interrupted task is not steady.
                return Ok(());
            }
            results.measurements.extend(measured);
            results.share_upload_limits(task.population);
        }
        let done = BenchProgress { done: total, total, next: None };
        self.narrow(&mut session, results, end, &mut |results, task| {
            watch(results, BenchProgress { next: Some(task), ..done });
        })?;
        watch(results, done);
        if let Some(duration) = plan.sustained {
            for task in session.sustained_tasks() {
                results.sustained.push(session.sustain(&task, duration)?);
                watch(results, done);
            }
        }
        results.complete = !self.interrupt.is_requested();
        Ok(())
    }

    /// Measures between the two populations around each break-even, while there is time.
    fn narrow(
        &self,
        session: &mut BenchContext<'_>,
        results: &mut BenchResults,
        end: Instant,
        watch: &mut dyn FnMut(&BenchResults, BenchTask),
    ) -> Result<()> {
        let plan = session.plan;
        let Some(level) = plan.simd.last().copied() else { return Ok(()) };
        let (space, threads) = (plan.space()?, plan.most_threads());
        let mut compared = vec![(Metric::Score, None)];
        compared.extend(plan.presets.iter().map(|preset| (Metric::Generation, Some(*preset))));
        for (what, preset) in compared {
            for _ in 0..HALVINGS {
                let Some(population) = results.between(what, preset) else { break };
                let mut rivals = Vec::new();
                if let Some(preset) = preset {
                    rivals.push(BenchTask::generation(population, preset, Some(level), threads));
                    rivals.extend(plan.gpu_generations(&space, preset, population));
                } else {
                    rivals.push(BenchTask::cpu_score(population, level, threads));
                    rivals.push(BenchTask::gpu_score(population));
                }
                for task in rivals {
                    if Instant::now() >= end || self.interrupt.is_requested() {
                        return Ok(());
                    }
                    watch(results, task);
                    let left = end.saturating_duration_since(Instant::now());
                    let measured = session.measure(&task, left.min(LONGEST) / 2)?;
                    if !self.interrupt.is_requested() {
                        results.measurements.extend(measured);
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
    use crate::bench::measurement::Measurement;
    use crate::bench::plan::tests::plan;
    use crate::bench::sampler::{Sample, Samples, StoppingRule};
    use crate::fitness::SimdLevel;
    use crate::ga::Preset;
    use crate::report::SystemInfo;
    use crate::util::interrupt::Interrupt;

    const LONG: Duration = Duration::from_secs(600);

    /// The measurement of a task that takes this long.
    fn line(task: BenchTask, shape: crate::board::Geometry, millis: u64) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        samples.add(Sample::of(Duration::from_millis(millis)));
        Measurement::of(task, shape, task.population, &samples, None, false).unwrap()
    }

    /// Narrows the break-even between the populations of `tasks`, for so long or until `most` tasks have
    /// begun: returns the tasks that began, and the populations of the measurements that were added.
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
        results.measurements =
            taken.map(|(task, millis)| line(*task, plan.shape, millis)).collect();
        let mut begun = Vec::new();
        let mut watch = |_: &BenchResults, task| {
            begun.push(task);
            if begun.len() == most {
                interrupt.request();
            }
        };
        bench.narrow(&mut session, &mut results, Instant::now() + long, &mut watch).unwrap();
        (begun, results.measurements[4..].iter().map(|line| line.task.population).collect())
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
