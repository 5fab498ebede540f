//! What the tasks of a bench share: threads, evaluators, the boards that are scored, limits.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::generation::generations;
use super::gpu_bandwidth::BandwidthProbe;
use super::results::{FixedCost, ReadRate, Sustained};
use super::scoring::{score, sustain};
use super::{
    BenchError, BenchPlan, BenchRun, BenchTarget, BenchTask, BoardKind, EngineKind, Measurement,
    Metric, Samples, StoppingRule, read_rate, timed,
};
use crate::board::Population;
use crate::fitness::{CpuEvaluator, Evaluator, EvaluatorError, GpuEvaluator, SimdLevel};
use crate::ga::{Config, ReplayPolicy};
use crate::run::{Backend, Executor, SolveError};
use crate::statistics::Quantiles;
use crate::util::interrupt::Interrupt;
use crate::util::memory;

/// How long a call with one board is repeated for.
const ONE_BOARD: Duration = Duration::from_millis(200);
/// Passes of the adapter's kernel alone, at most.
const KERNEL_PASSES: f64 = 25.0;
/// A buffer this many times the last-level cache is read from memory.
pub(super) const BEYOND_CACHE: u64 = 4;
/// The largest such buffer.
const LARGEST_BUFFER: u64 = 1 << 30;

/// What the tasks share.
pub(super) struct BenchContext<'a> {
    pub(super) plan: &'a BenchPlan,
    interrupt: &'a Interrupt,
    pools: BTreeMap<usize, ThreadPool>,
    gpu: Option<GpuEvaluator>,
    /// The adapter, as it scores what the CPU breeds, and as it breeds itself.
    scoring: Option<Backend>,
    evolving: Option<Backend>,
    pub(super) bus: Option<BandwidthProbe<'a>>,
    pub(super) fixed: Vec<FixedCost>,
    boards: Population,
    scores: Vec<u16>,
    /// Rates of reading, by threads and boards.
    read: HashMap<(usize, u32), f64>,
}

impl<'a> BenchContext<'a> {
    /// Starts threads and evaluators, and tells what that and a call with one board cost.
    pub(super) fn new(bench: &BenchRun<'a>, plan: &'a BenchPlan) -> Result<Self, BenchError> {
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
            let chunk = plan.chunk.map(std::num::NonZeroUsize::get);
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

    fn note_fixed(&mut self, doer: BenchTask, start_up: Duration) -> Result<(), BenchError> {
        let patience = StoppingRule { least: 20, budget: ONE_BOARD, ..StoppingRule::default() };
        let samples = self.score(&doer, patience)?;
        self.fixed.push(FixedCost {
            evaluator: doer.evaluator,
            simd: doer.simd,
            threads: doer.threads,
            start_up_seconds: start_up.as_secs_f64(),
            one_board_seconds: samples.seconds().map(|seconds| seconds.median),
        });
        Ok(())
    }

    /// Bytes that may be uploaded at once.
    pub(super) fn upload_bytes(&self) -> u64 {
        self.bus.as_ref().map_or(0, BandwidthProbe::upload_bytes)
    }

    /// Rates of reading a buffer that no cache holds, where there is room for one.
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

    /// Draws the boards of the largest population, of which smaller ones take the first.
    pub(super) fn draw(&mut self) -> Result<(), BenchError> {
        if !self.plan.what.iter().any(|what| *what != Metric::Generation) {
            return Ok(());
        }
        let largest = self.plan.largest();
        self.scores = vec![0; largest as usize];
        self.boards = Population::new(self.plan.shape, largest as usize)?;
        let (plan, boards) = (self.plan, &mut self.boards);
        let space = plan.space()?;
        let config = Config { population: largest, ..BoardKind::config(&space) };
        let pool = self.pools.get(&plan.most_threads());
        let interrupt = self.interrupt;
        let mut draw = || BoardKind::Legal.draw(&space, &config, plan.seed, boards, interrupt);
        pool.map_or_else(|| Ok(()), |pool| pool.install(&mut draw))
    }

    pub(super) fn measure(
        &mut self,
        task: &BenchTask,
        budget: Duration,
    ) -> Result<Option<Measurement>, BenchError> {
        let patience = StoppingRule { budget, ..StoppingRule::default() };
        let mut kernel_alone = None;
        let (samples, limit) = match task.what {
            Metric::Score => {
                let limit = self.limit(task)?;
                let samples = self.score(task, patience)?;
                if task.evaluator == BenchTarget::Gpu {
                    kernel_alone = self.kernel_alone(task.population, &samples, budget)?;
                }
                (samples, limit)
            }
            Metric::Generation => {
                let patience = StoppingRule { warm_up: 1, least: 3, most: 500, ..patience };
                (self.generations(task, patience)?, None)
            }
            Metric::Upload => {
                let bytes = boards_of(&self.boards, task.population);
                let Some(bus) = &mut self.bus else { return Ok(None) };
                bus.rate(bytes)?;
                let samples = bus.upload(bytes, task.evaluator, patience, self.interrupt)?;
                (samples, Some(bus.rate(bytes)?))
            }
        };
        let boards = self.plan.boards(task)?;
        let line = Measurement::of(*task, self.plan.shape, boards, &samples, limit, task.crosses());
        Ok(line.map(|line| Measurement { kernel_alone, ..line }))
    }

    /// Median seconds of the adapter's kernel over boards that are on it already, if it has room
    /// for them; `samples` tell about how long it takes.
    fn kernel_alone(
        &mut self,
        population: u32,
        samples: &Samples,
        budget: Duration,
    ) -> Result<Option<f64>, BenchError> {
        let bytes = u64::from(population) * self.plan.shape.stride() as u64;
        // A software driver takes what it has from the host: what lies there and what is uploaded.
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

    /// Bytes a second that could go through at most: read on the same threads, or uploaded.
    fn limit(&mut self, task: &BenchTask) -> Result<Option<f64>, BenchError> {
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

    fn score(&mut self, task: &BenchTask, patience: StoppingRule) -> Result<Samples, BenchError> {
        let interrupt = self.interrupt;
        let samples = self.on_evaluator(task, |evaluator, boards, scores| {
            score(evaluator, boards, scores, patience, interrupt)
        })?;
        Ok(samples.unwrap_or_else(|| Samples::new(patience)))
    }

    /// Does something with the evaluator and the boards that a task is about, if they are there.
    fn on_evaluator<T: Send>(
        &mut self,
        task: &BenchTask,
        work: impl FnOnce(&mut dyn Evaluator, &[u8], &mut [u16]) -> Result<T, BenchError> + Send,
    ) -> Result<Option<T>, BenchError> {
        let boards = boards_of(&self.boards, task.population);
        let scores = &mut self.scores[..task.population as usize];
        match (task.simd, task.threads.and_then(|threads| self.pools.get(&threads))) {
            (Some(level), Some(pool)) => {
                let mut evaluator = self.plan.cpu(level)?;
                pool.install(|| work(&mut evaluator, boards, scores)).map(Some)
            }
            _ => match &mut self.gpu {
                Some(gpu) => work(gpu, boards, scores).map(Some),
                None => Ok(None),
            },
        }
    }

    fn generations(
        &mut self,
        task: &BenchTask,
        patience: StoppingRule,
    ) -> Result<Samples, BenchError> {
        let together = task.engine == Some(EngineKind::Device);
        let cpu = task.simd.map(Backend::cpu_with_simd).transpose().map_err(SolveError::from)?;
        let cpu = cpu.map(|backend| backend.chunk(self.plan.chunk));
        let backend = match (together, &cpu) {
            (true, _) => &self.evolving,
            (false, None) => &self.scoring,
            (false, cpu) => cpu,
        };
        let (Some(backend), Some(preset)) = (backend, task.preset) else {
            return Ok(Samples::new(patience));
        };
        let threads = task.threads.unwrap_or(self.plan.most_threads());
        let mut executor = Executor::new(backend, 1, threads)?;
        let (plan, interrupt) = (self.plan, self.interrupt);
        generations(plan, preset, task.population, patience, &mut executor, together, interrupt)
    }

    /// The best of the CPU on all threads, and the adapter, on the largest population.
    pub(super) fn sustained_doers(&self) -> Vec<BenchTask> {
        let (plan, largest) = (self.plan, self.plan.largest());
        let level = plan.simd.last();
        let cpu = level.map(|level| BenchTask::cpu_score(largest, *level, plan.most_threads()));
        let gpu = self.gpu.is_some().then(|| BenchTask::gpu_score(largest));
        cpu.into_iter().chain(gpu).collect()
    }

    pub(super) fn sustain(
        &mut self,
        doer: &BenchTask,
        duration: Duration,
    ) -> Result<Sustained, BenchError> {
        let interrupt = self.interrupt;
        let rates = self.on_evaluator(doer, |evaluator, boards, scores| {
            sustain(evaluator, boards, scores, duration, interrupt)
        })?;
        let (seconds, boards_per_second) = rates.unwrap_or_default();
        let BenchTask { evaluator, simd, threads, population, .. } = *doer;
        Ok(Sustained { evaluator, simd, threads, population, seconds, boards_per_second })
    }
}

impl BenchPlan {
    /// The CPU at this level.
    fn cpu(&self, level: SimdLevel) -> Result<CpuEvaluator, BenchError> {
        let chunk = self.chunk.map(std::num::NonZeroUsize::get);
        Ok(CpuEvaluator::with_level(self.shape, chunk, level)?)
    }
}

/// The first boards of a population.
fn boards_of(boards: &Population, count: u32) -> &[u8] {
    &boards.bytes()[..count as usize * boards.geometry().stride()]
}
