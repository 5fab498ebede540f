//! Carries out a bench: every task of the plan, one after the other, with threads, evaluators and boards that
//! they share.
//!
//! Each task gets an equal share of the time that is left, so a task that is steady early leaves its time to
//! later ones.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rayon::ThreadPool;

use super::bandwidth::{copy_rate, most_upload_bytes, read_rate, upload_limit};
use super::board_kind::BoardKind;
use super::measurement::Measurement;
use super::plan::{BenchPlan, BenchTarget, BenchTask, Metric};
use super::results::BenchResults;
use super::workload::{generations, score};
use crate::board::Population;
use crate::fitness::{CpuEvaluator, EvaluatorError, GpuEvaluator};
use crate::ga::{Config, ReplayPolicy};
use crate::gpu::{Device, DeviceError, upload_pass};
use crate::run::{Backend, Executor, SolveError};
use crate::statistics::{Quantiles, Sample, Samples, StoppingRule, measure};
use crate::util::interrupt::Interrupt;
use crate::util::memory;
use crate::util::threads::pool;

/// The most passes of the adapter's kernel alone.
const KERNEL_PASSES: f64 = 25.0;
/// The longest time for the repetitions of a task.
const LONGEST: Duration = Duration::from_secs(3);
/// The divisor of the whole budget that gives the least budget of a task, even when no time is left.
const LEAST: u32 = 200;

/// Carries out the plan of `results` on the CPU, and on the adapter if there is one. `watch` is called before
/// each task, with the results so far, the task, its number from 0 and the number of tasks. An interrupt
/// leaves `results` incomplete.
///
/// # Errors
/// When a task fails; earlier measurements stay in `results`.
pub fn run(
    results: &mut BenchResults,
    device: Option<&Device>,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(&BenchResults, BenchTask, [usize; 2]),
) -> Result<()> {
    let end = Instant::now() + results.plan.budget;
    let plan = results.plan.clone();
    let pool_of = |threads: &usize| Ok((*threads, pool(*threads)?));
    let pools = plan.threads.iter().map(pool_of).collect::<Result<_>>()?;
    let mut context = BenchContext::new(&plan, &pools, device, interrupt)?;
    let tasks = plan.tasks(device.is_some(), device.map_or(0, most_upload_bytes))?;
    results.device_copy = device.map(copy_rate).transpose()?;
    context.draw()?;
    for (number, task) in tasks.iter().enumerate() {
        watch(results, *task, [number, tasks.len()]);
        let left = end.saturating_duration_since(Instant::now());
        let budget = (left / (tasks.len() - number) as u32).min(LONGEST).max(plan.budget / LEAST);
        let measured = context.measure(task, budget)?;
        if interrupt.is_requested() {
            // The median of an interrupted task is not steady.
            return Ok(());
        }
        results.measurements.extend(measured);
    }
    results.complete = true;
    Ok(())
}

/// The context of the tasks.
struct BenchContext<'a> {
    plan: &'a BenchPlan,
    interrupt: &'a Interrupt,
    pools: &'a BTreeMap<usize, ThreadPool>,
    device: Option<&'a Device>,
    gpu: Option<GpuEvaluator>,
    /// The adapter as it scores what the CPU breeds, and as it breeds.
    scoring: Option<Backend>,
    evolving: Option<Backend>,
    boards: Population,
    scores: Vec<u16>,
}

impl<'a> BenchContext<'a> {
    /// Starts evaluators.
    fn new(
        plan: &'a BenchPlan,
        pools: &'a BTreeMap<usize, ThreadPool>,
        device: Option<&'a Device>,
        interrupt: &'a Interrupt,
    ) -> Result<Self> {
        let chunk = plan.chunk.map(NonZeroUsize::get);
        let breeding = device.filter(|_| plan.what.contains(&Metric::Generation));
        let evolving = breeding.map(Backend::gpu_on).transpose().map_err(SolveError::from)?;
        Ok(Self {
            plan,
            interrupt,
            pools,
            device,
            gpu: device.map(|device| GpuEvaluator::on(device, plan.shape, chunk)).transpose()?,
            scoring: breeding.map(|device| Backend::gpu_score_on(device.clone()).chunk(plan.chunk)),
            evolving: evolving
                .map(|backend| backend.replay_policy(ReplayPolicy::Never).chunk(plan.chunk)),
            boards: Population::new(plan.shape, 0)?,
            scores: Vec::new(),
        })
    }

    /// Draws the boards of the largest population; smaller ones use the first of them.
    fn draw(&mut self) -> Result<()> {
        if self.plan.what.iter().all(|what| *what == Metric::Generation) {
            return Ok(());
        }
        let largest = self.plan.largest();
        self.scores = vec![0; largest as usize];
        self.boards = Population::new(self.plan.shape, largest as usize)?;
        let (plan, boards) = (self.plan, &mut self.boards);
        let space = plan.space()?;
        let config = Config { population: largest, ..BoardKind::config(&space) };
        let interrupt = self.interrupt;
        let draw = || BoardKind::Legal.draw(&space, &config, plan.seed, boards, interrupt);
        self.pools.get(&plan.most_threads()).map_or(Ok(()), |pool| pool.install(draw))
    }

    fn measure(&mut self, task: &BenchTask, budget: Duration) -> Result<Option<Measurement>> {
        let rule = StoppingRule { budget, ..StoppingRule::default() };
        let Some(pool) = self.pool(task) else { return Ok(None) };
        let mut kernel_alone = None;
        let (samples, limit) = match task.what {
            Metric::Score => {
                let limit = self.limit(task, pool)?;
                let samples = pool.install(|| self.score(task, rule))?;
                if task.evaluator == BenchTarget::Gpu {
                    kernel_alone = pool.install(|| self.kernel_alone(task, &samples, budget))?;
                }
                (samples, limit)
            }
            Metric::Generation => {
                let rule = StoppingRule { warm_up: 1, least: 3, most: 500, ..rule };
                (self.generations(task, rule)?, None)
            }
            Metric::Upload => {
                let (bytes, interrupt) = (boards_of(&self.boards, task.population), self.interrupt);
                let Some(device) = self.device else { return Ok(None) };
                let mut pass = upload_pass(device, bytes)?;
                let mut once = || Ok::<_, DeviceError>(Some(Sample::of(pool.install(&mut pass)?)));
                (measure(rule, interrupt, &mut once)?, self.limit(task, pool)?)
            }
        };
        let boards = self.plan.boards(task)?;
        let line = Measurement::of(*task, self.plan.shape, boards, &samples, limit);
        Ok(line.map(|line| Measurement { kernel_alone, ..line }))
    }

    /// Median seconds of the adapter's kernel over boards that are on it already, if it has room for them;
    /// `samples` give an estimate of the time.
    fn kernel_alone(
        &mut self,
        task: &BenchTask,
        samples: &Samples,
        budget: Duration,
    ) -> Result<Option<f64>> {
        let bytes = u64::from(task.population) * self.plan.shape.stride() as u64;
        // The memory of a software driver is that of the host.
        let fits =
            bytes <= self.device.map_or(0, most_upload_bytes) && 2 * bytes <= memory::available();
        let (Some(gpu), true, false) = (&mut self.gpu, fits, self.interrupt.is_requested()) else {
            return Ok(None);
        };
        let about = samples.part(|parts| parts.score.kernel).unwrap_or_default().max(1e-9);
        let passes = (budget.as_secs_f64() / 4.0 / about).clamp(1.0, KERNEL_PASSES) as usize;
        let scores = &mut self.scores[..task.population as usize];
        let boards = boards_of(&self.boards, task.population);
        match pollster::block_on(gpu.kernel_times(boards, scores, passes)) {
            Ok(times) => {
                let seconds = times.iter().map(Duration::as_secs_f64);
                Ok(Quantiles::of(seconds).map(|spread| spread.median))
            }
            Err(EvaluatorError::OutOfMemory(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The threads of a task: the most where it names none.
    fn pool(&self, task: &BenchTask) -> Option<&'a ThreadPool> {
        self.pools.get(&task.threads.unwrap_or(self.plan.most_threads()))
    }

    /// The limit in bytes a second: of reading, or of uploads.
    fn limit(&self, task: &BenchTask, pool: &ThreadPool) -> Result<Option<f64>> {
        let bytes = boards_of(&self.boards, task.population);
        if task.evaluator == BenchTarget::Cpu {
            return Ok(Some(read_rate(pool, bytemuck::pod_align_to(bytes).1, self.interrupt)));
        }
        let Some(device) = self.device else { return Ok(None) };
        pool.install(|| upload_limit(device, bytes, task.what == Metric::Score)).map(Some)
    }

    /// Scores the boards of a task; no sample where there is no adapter to do it.
    fn score(&mut self, task: &BenchTask, rule: StoppingRule) -> Result<Samples> {
        let boards = boards_of(&self.boards, task.population);
        let (scores, interrupt) = (&mut self.scores[..task.population as usize], self.interrupt);
        if let Some(level) = task.simd {
            let chunk = self.plan.chunk.map(NonZeroUsize::get);
            let mut evaluator = CpuEvaluator::with_level(self.plan.shape, chunk, level)?;
            return score(&mut evaluator, boards, scores, rule, interrupt);
        }
        match &mut self.gpu {
            Some(gpu) => score(gpu, boards, scores, rule, interrupt),
            None => Ok(Samples::new(rule)),
        }
    }

    fn generations(&mut self, task: &BenchTask, rule: StoppingRule) -> Result<Samples> {
        let together = task.engine == Some(BenchTarget::Gpu);
        let cpu = task.simd.map(Backend::cpu_with_simd).transpose().map_err(SolveError::from)?;
        let cpu = cpu.map(|backend| backend.chunk(self.plan.chunk));
        let on_gpu = if together { &self.evolving } else { &self.scoring };
        let backend = cpu.as_ref().or(on_gpu.as_ref());
        let (Some(backend), Some(preset)) = (backend, task.preset) else {
            return Ok(Samples::new(rule));
        };
        let threads = task.threads.unwrap_or(self.plan.most_threads());
        let mut executor = Executor::new(backend, 1, threads)?;
        if executor.threads() != threads {
            bail!("the system could start only {} of {threads} threads", executor.threads());
        }
        let (plan, interrupt) = (self.plan, self.interrupt);
        generations(plan, preset, task.population, rule, &mut executor, together, interrupt)
    }
}

/// The first boards of a population.
fn boards_of(boards: &Population, count: u32) -> &[u8] {
    &boards.bytes()[..count as usize * boards.geometry().stride()]
}
