//! A bench from beginning to end: limits, fixed costs, then every task.
//!
//! Each task gets an equal share of the time that is left, so what settles early leaves its time
//! to what comes later.

use std::time::{Duration, Instant};

use super::device::Bus;
use super::session::BenchSession;
use super::{BenchError, BenchResults, BenchTask, BreakEven, What};
use crate::device::supports;
use crate::gpu::Device;
use crate::interrupt::Interrupt;

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
        let mut session = BenchSession::new(self, &plan)?;
        results.fixed.clone_from(&session.fixed);
        let tasks = plan.tasks(self.device.is_some(), session.upload_bytes())?;
        let total = tasks.len();
        results.read_rates = session.read_rates(results.machine.cache_bytes.last_level());
        results.device_copy = session.bus.as_mut().map(Bus::copy_rate).transpose()?;
        session.draw()?;
        for (done, task) in tasks.iter().enumerate() {
            if self.interrupt.asked() {
                return Ok(());
            }
            watch(results, BenchProgress { done, total, next: Some(*task) })?;
            let left = end.saturating_duration_since(Instant::now());
            let budget = (left / (total - done) as u32).min(LONGEST).max(plan.budget / LEAST);
            let measured = session.measure(task, budget)?;
            if self.interrupt.asked() {
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
        results.complete = !self.interrupt.asked();
        Ok(())
    }

    /// Measures between the populations that a break-even was found between, while there is time.
    fn narrow(
        &self,
        session: &mut BenchSession<'_>,
        results: &mut BenchResults,
        end: Instant,
        watch: &mut dyn FnMut(&BenchResults, BenchTask) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        let plan = session.plan;
        let (simd, threads) = (plan.simd.last().copied(), plan.most_threads());
        let space = plan.space()?;
        let mut compared = vec![(What::Score, None)];
        compared.extend(plan.presets.iter().map(|preset| (What::Generation, Some(*preset))));
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
                        if supports(&plan.config(&space, preset, population)).is_ok() {
                            rivals.push(BenchTask::device_generation(population, preset));
                        }
                        rivals
                    }
                };
                for task in rivals {
                    if Instant::now() >= end || self.interrupt.asked() {
                        return Ok(());
                    }
                    watch(results, task)?;
                    let left = end.saturating_duration_since(Instant::now());
                    let measured = session.measure(&task, left.min(LONGEST) / 2)?;
                    if !self.interrupt.asked() {
                        results.lines.extend(measured);
                    }
                }
            }
        }
        Ok(())
    }
}
