//! The context of the tasks of a bench: threads, evaluators, the boards that are scored, limits.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::bandwidth::{BandwidthProbe, read_rate};
use super::board_kind::BoardKind;
use super::measurement::Measurement;
use super::plan::{BenchPlan, BenchTarget, BenchTask, EngineKind, Metric};
use super::results::{FixedCost, ReadRate, Sustained};
use super::sampler::{Samples, StoppingRule, timed};
use super::workload::{generations, score, sustain};
use crate::board::Population;
use crate::fitness::{CpuEvaluator, Evaluator, EvaluatorError, GpuEvaluator};
use crate::ga::{Config, ReplayPolicy};
use crate::gpu::Device;
use crate::run::{Backend, Executor, SolveError};
use crate::statistics::Quantiles;
use crate::util::interrupt::Interrupt;
use crate::util::memory;

/// The time for repetitions of a call with one board.
const ONE_BOARD: Duration = Duration::from_millis(200);
/// The most passes of the adapter's kernel alone.
const KERNEL_PASSES: f64 = 25.0;
/// A buffer this many times the last-level cache is read from memory.
pub(super) const BEYOND_CACHE: u64 = 4;
/// The largest such buffer.
const LARGEST_BUFFER: u64 = 1 << 30;

/// A bench on an adapter, or on the CPU alone.
pub struct BenchRun<'a> {
    /// The adapter, if there is one.
    pub device: Option<&'a Device>,
    /// How long it took to find and open it.
    pub opening: Duration,
    /// Ends the bench.
    pub interrupt: &'a Interrupt,
}

/// The context of the tasks.
pub(super) struct BenchContext<'a> {
    pub(super) plan: &'a BenchPlan,
    interrupt: &'a Interrupt,
    pools: BTreeMap<usize, ThreadPool>,
    gpu: Option<GpuEvaluator>,
    /// The adapter as it scores what the CPU breeds, and as it breeds.
    scoring: Option<Backend>,
    evolving: Option<Backend>,
    pub(super) bus: Option<BandwidthProbe<'a>>,
    pub(super) fixed: Vec<FixedCost>,
    boards: Population,
    scores: Vec<u16>,
    /// Rates of reading memory, by threads and boards.
    read: HashMap<(usize, u32), f64>,
}

impl<'a> BenchContext<'a> {
    /// Starts threads and evaluators, and measures the time of that and of a call with one board.
    pub(super) fn new(bench: &BenchRun<'a>, plan: &'a BenchPlan) -> Result<Self> {
        let mut session = Self {
            plan,
            interrupt: bench.interrupt,
            pools: BTreeMap::new(),
            gpu: None,
            scoring: None,
            evolving: None,
            bus: bench.device.map(BandwidthProbe::new),
            fixed: Vec::new(),
            boards: Population::new(plan.shape, 1)?,
            scores: vec![0],
            read: HashMap::new(),
        };
        for threads in &plan.threads {
            let builder = ThreadPoolBuilder::new().num_threads(*threads);
            let (time, pool) = timed(|| builder.build());
            session.pools.insert(*threads, pool?);
            for level in &plan.simd {
                session.note_fixed(BenchTask::cpu_score(1, *level, *threads), time)?;
            }
        }
        if let Some(device) = bench.device {
            let chunk = plan.chunk.map(NonZeroUsize::get);
            let (time, gpu) = timed(|| GpuEvaluator::on(device, plan.shape, chunk));
            session.gpu = Some(gpu?);
            if plan.what.contains(&Metric::Generation) {
                session.scoring = Some(Backend::gpu_score_on(device.clone()).chunk(plan.chunk));
                let evolving = Backend::gpu_on(device).map_err(SolveError::from)?;
                session.evolving = Some(evolving.replay_policy(ReplayPolicy::Never));
            }
            session.note_fixed(BenchTask::gpu_score(1), bench.opening + time)?;
        }
        Ok(session)
    }

    fn note_fixed(&mut self, task: BenchTask, start_up: Duration) -> Result<()> {
        let rule = StoppingRule { least: 20, budget: ONE_BOARD, ..StoppingRule::default() };
        let samples = self.score(&task, rule)?;
        self.fixed.push(FixedCost {
            scorer: task.scorer(),
            start_up_seconds: start_up.as_secs_f64(),
            one_board_seconds: samples.seconds().map(|seconds| seconds.median),
        });
        Ok(())
    }

    /// Bytes that may be uploaded at once.
    pub(super) fn upload_bytes(&self) -> u64 {
        self.bus.as_ref().map_or(0, BandwidthProbe::upload_bytes)
    }

    /// Rates of reading a buffer that no cache holds, if memory has room for one.
    pub(super) fn read_rates(&self, cache: Option<u64>) -> Vec<ReadRate> {
        let Some(bytes) = cache.map(|bytes| BEYOND_CACHE * bytes) else { return Vec::new() };
        if bytes > LARGEST_BUFFER.min(memory::available() / 4) {
            return Vec::new();
        }
        // Ones: pages of zeros could all be the same one.
        let words = vec![1u64; bytes as usize / size_of::<u64>()];
        let rate = |(threads, pool): (&usize, &ThreadPool)| ReadRate {
            threads: *threads,
            bytes,
            bytes_per_second: read_rate(pool, &words, self.interrupt).round(),
        };
        self.pools.iter().map(rate).collect()
    }

    /// Draws the boards of the largest population; smaller ones use the first of them.
    pub(super) fn draw(&mut self) -> Result<()> {
        if !self.plan.what.iter().any(|what| *what != Metric::Generation) {
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

    pub(super) fn measure(
        &mut self,
        task: &BenchTask,
        budget: Duration,
    ) -> Result<Option<Measurement>> {
        let rule = StoppingRule { budget, ..StoppingRule::default() };
        let mut kernel_alone = None;
        let (samples, limit) = match task.what {
            Metric::Score => {
                let limit = self.limit(task)?;
                let samples = self.score(task, rule)?;
                if task.evaluator == BenchTarget::Gpu {
                    kernel_alone = self.kernel_alone(task.population, &samples, budget)?;
                }
                (samples, limit)
            }
            Metric::Generation => {
                let rule = StoppingRule { warm_up: 1, least: 3, most: 500, ..rule };
                (self.generations(task, rule)?, None)
            }
            Metric::Upload => {
                let bytes = boards_of(&self.boards, task.population);
                let Some(bus) = &mut self.bus else { return Ok(None) };
                bus.rate(bytes)?;
                let samples = bus.upload(bytes, task.evaluator, rule, self.interrupt)?;
                (samples, Some(bus.rate(bytes)?))
            }
        };
        let boards = self.plan.boards(task)?;
        let line = Measurement::of(*task, self.plan.shape, boards, &samples, limit, task.crosses());
        Ok(line.map(|line| Measurement { kernel_alone, ..line }))
    }

    /// Median seconds of the adapter's kernel over boards that are on it already, if it has room for them;
    /// `samples` give an estimate of the time.
    fn kernel_alone(
        &mut self,
        population: u32,
        samples: &Samples,
        budget: Duration,
    ) -> Result<Option<f64>> {
        let bytes = u64::from(population) * self.plan.shape.stride() as u64;
        // The memory of a software driver is that of the host.
        let fits = bytes <= self.upload_bytes() && 2 * bytes <= memory::available();
        let (Some(gpu), true, false) = (&mut self.gpu, fits, self.interrupt.is_requested()) else {
            return Ok(None);
        };
        let about = samples.part(|parts| parts.score.kernel).unwrap_or_default().max(1e-9);
        let passes = (budget.as_secs_f64() / 4.0 / about).clamp(1.0, KERNEL_PASSES) as usize;
        let scores = &mut self.scores[..population as usize];
        match gpu.kernel_times(boards_of(&self.boards, population), scores, passes) {
            Ok(times) => {
                let seconds = times.iter().map(Duration::as_secs_f64);
                Ok(Quantiles::of(seconds).map(|spread| spread.median))
            }
            Err(EvaluatorError::OutOfMemory(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The limit in bytes a second: of reading on the same threads, or of uploads.
    fn limit(&mut self, task: &BenchTask) -> Result<Option<f64>> {
        let bytes = boards_of(&self.boards, task.population);
        Ok(match (task.threads.and_then(|threads| self.pools.get(&threads)), &mut self.bus) {
            (Some(pool), _) => {
                let key = (pool.current_num_threads(), task.population);
                let words = bytemuck::pod_align_to::<u8, u64>(bytes).1;
                let rate = || read_rate(pool, words, self.interrupt);
                Some(*self.read.entry(key).or_insert_with(rate))
            }
            (None, Some(bus)) => Some(bus.rate(bytes)?),
            (None, None) => None,
        })
    }

    fn score(&mut self, task: &BenchTask, rule: StoppingRule) -> Result<Samples> {
        let interrupt = self.interrupt;
        let samples = self.on_evaluator(task, |evaluator, boards, scores| {
            score(evaluator, boards, scores, rule, interrupt)
        })?;
        Ok(samples.unwrap_or_else(|| Samples::new(rule)))
    }

    /// Does something with the evaluator and the boards of a task, if there is the evaluator.
    fn on_evaluator<T: Send>(
        &mut self,
        task: &BenchTask,
        work: impl FnOnce(&mut dyn Evaluator, &[u8], &mut [u16]) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        let boards = boards_of(&self.boards, task.population);
        let scores = &mut self.scores[..task.population as usize];
        match (task.simd, task.threads.and_then(|threads| self.pools.get(&threads))) {
            (Some(level), Some(pool)) => {
                let chunk = self.plan.chunk.map(NonZeroUsize::get);
                let mut evaluator = CpuEvaluator::with_level(self.plan.shape, chunk, level)?;
                pool.install(|| work(&mut evaluator, boards, scores)).map(Some)
            }
            _ => match &mut self.gpu {
                Some(gpu) => work(gpu, boards, scores).map(Some),
                None => Ok(None),
            },
        }
    }

    fn generations(&mut self, task: &BenchTask, rule: StoppingRule) -> Result<Samples> {
        let together = task.engine == Some(EngineKind::Device);
        let cpu = task.simd.map(Backend::cpu_with_simd).transpose().map_err(SolveError::from)?;
        let cpu = cpu.map(|backend| backend.chunk(self.plan.chunk));
        let backend = match (together, &cpu) {
            (true, _) => &self.evolving,
            (false, None) => &self.scoring,
            (false, cpu) => cpu,
        };
        let (Some(backend), Some(preset)) = (backend, task.preset) else {
            return Ok(Samples::new(rule));
        };
        let threads = task.threads.unwrap_or(self.plan.most_threads());
        let mut executor = Executor::new(backend, 1, threads)?;
        let (plan, interrupt) = (self.plan, self.interrupt);
        generations(plan, preset, task.population, rule, &mut executor, together, interrupt)
    }

    /// Scoring of the largest population on all threads of the CPU, and on the adapter.
    pub(super) fn sustained_tasks(&self) -> Vec<BenchTask> {
        let (plan, largest) = (self.plan, self.plan.largest());
        let level = plan.simd.last();
        let cpu = level.map(|level| BenchTask::cpu_score(largest, *level, plan.most_threads()));
        let gpu = self.gpu.is_some().then(|| BenchTask::gpu_score(largest));
        cpu.into_iter().chain(gpu).collect()
    }

    pub(super) fn sustain(&mut self, task: &BenchTask, duration: Duration) -> Result<Sustained> {
        let interrupt = self.interrupt;
        let rates = self.on_evaluator(task, |evaluator, boards, scores| {
            sustain(evaluator, boards, scores, duration, interrupt)
        })?;
        let (seconds, boards_per_second) = rates.unwrap_or_default();
        let (scorer, population) = (task.scorer(), task.population);
        Ok(Sustained { scorer, population, seconds, boards_per_second })
    }
}

/// The first boards of a population.
fn boards_of(boards: &Population, count: u32) -> &[u8] {
    &boards.bytes()[..count as usize * boards.geometry().stride()]
}
