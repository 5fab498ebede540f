//! The plan of a bench: the tasks to measure, and their order.
//!
//! Populations are in ascending order, so that an interrupted bench has measured all of the small ones rather
//! than a part of each.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;

use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::fitness::SimdLevel;
use crate::ga::breeder::Breeder;
use crate::ga::{Config, CustomOperators, Preset, Run};
use crate::gpu_engine::check_support;
use crate::util::memory;
use crate::util::named_enum::named;
use crate::util::quantity::{count, counted};

named! {
    /// What a task measures.
    pub enum Metric {
        /// A population of random legal boards, scored.
        Score = "score",
        /// A generation: breeding, scoring, replacement and statistics.
        Generation = "generation",
        /// The upload of a population to the device, and nothing else.
        Upload = "upload",
    }
}

named! {
    /// The processor that scores or breeds, or to which boards are uploaded.
    pub enum BenchTarget {
        /// The CPU.
        Cpu = "cpu",
        /// A graphics adapter.
        Gpu = "gpu",
    }
}

/// A thing to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BenchTask {
    /// The metric.
    pub what: Metric,
    /// The processor that scores, or to which boards are uploaded.
    pub evaluator: BenchTarget,
    /// The processor that breeds children, for a generation. Boards that the GPU breeds never leave it.
    pub engine: Option<BenchTarget>,
    /// The instructions by which the CPU scores, if it does.
    pub simd: Option<SimdLevel>,
    /// Threads of the CPU, where there is a choice.
    pub threads: Option<usize>,
    /// The preset of a generation.
    pub preset: Option<Preset>,
    /// Boards.
    pub population: u32,
}

impl BenchTask {
    /// A task with nothing else set.
    pub fn new(what: Metric, evaluator: BenchTarget, population: u32) -> Self {
        Self { what, evaluator, engine: None, simd: None, threads: None, preset: None, population }
    }

    /// Scoring on the CPU.
    pub fn cpu_score(population: u32, simd: SimdLevel, threads: usize) -> Self {
        let task = Self::new(Metric::Score, BenchTarget::Cpu, population);
        Self { simd: Some(simd), threads: Some(threads), ..task }
    }

    /// A generation that the CPU breeds, scored on the CPU with `simd` or on the adapter.
    pub fn generation(
        population: u32,
        preset: Preset,
        simd: Option<SimdLevel>,
        threads: usize,
    ) -> Self {
        let evaluator = if simd.is_some() { BenchTarget::Cpu } else { BenchTarget::Gpu };
        let task = Self::new(Metric::Generation, evaluator, population);
        let (engine, threads) = (Some(BenchTarget::Cpu), Some(threads));
        Self { engine, simd, threads, preset: Some(preset), ..task }
    }

    /// The executor without the population: `cpu avx2, 2 threads` or `gpu alone`.
    pub fn executor(&self) -> String {
        let simd = self.simd.map(|simd| format!(" {simd}")).unwrap_or_default();
        let threads = self.threads.map(|count| format!(", {}", counted(count as u64, "thread")));
        let alone = if self.engine == Some(BenchTarget::Gpu) { " alone" } else { "" };
        let by = if self.what == Metric::Upload { "upload" } else { self.evaluator.name() };
        format!("{by}{simd}{}{alone}", threads.unwrap_or_default())
    }
}

impl fmt::Display for BenchTask {
    /// `score of 1,000 boards on cpu avx2, 2 threads`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let population = count(self.population.into());
        let bred = self.preset.map(|preset| format!(" by {preset}")).unwrap_or_default();
        write!(f, "{} of {population} boards{bred} on {}", self.what, self.executor())
    }
}

/// The settings of a bench.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchPlan {
    /// The boards' shape.
    pub shape: Geometry,
    /// The metrics.
    pub what: Vec<Metric>,
    /// Numbers of boards.
    pub populations: Vec<u32>,
    /// The instructions by which the CPU scores; generations take the last.
    pub simd: Vec<SimdLevel>,
    /// Threads; an adapter's generations are bred on the most.
    pub threads: Vec<usize>,
    /// The presets of generations.
    pub presets: Vec<Preset>,
    /// The most boards that are scored at once.
    pub chunk: Option<NonZeroUsize>,
    /// The seed of all boards.
    pub seed: u64,
    /// The time for all repetitions; every task is measured at least once.
    pub budget: Duration,
}

impl BenchPlan {
    /// All tasks, with those of an adapter if there is one. Uploads are limited to `upload_bytes`.
    ///
    /// # Errors
    /// When there is no puzzle of the shape.
    pub fn tasks(&self, gpu: bool, upload_bytes: u64) -> Result<Vec<BenchTask>> {
        let space = self.space()?;
        let mut populations = self.populations.clone();
        populations.sort_unstable();
        populations.dedup();
        let mut tasks = Vec::new();
        for population in populations {
            let bytes = u64::from(population) * self.shape.stride() as u64;
            if gpu && self.what.contains(&Metric::Upload) && bytes <= upload_bytes {
                let task = BenchTask::new(Metric::Upload, BenchTarget::Gpu, population);
                let by = |threads: &usize| BenchTask { threads: Some(*threads), ..task };
                tasks.extend(self.threads.iter().map(by));
            }
            if self.what.contains(&Metric::Score) {
                for simd in &self.simd {
                    let cpu = |threads: &usize| BenchTask::cpu_score(population, *simd, *threads);
                    tasks.extend(self.threads.iter().map(cpu));
                }
                tasks.extend(
                    gpu.then(|| BenchTask::new(Metric::Score, BenchTarget::Gpu, population)),
                );
            }
            if self.what.contains(&Metric::Generation) {
                let simd = self.simd.last().copied();
                for preset in &self.presets {
                    let cpu = |threads: &usize| {
                        BenchTask::generation(population, *preset, simd, *threads)
                    };
                    tasks.extend(self.threads.iter().map(cpu).filter(|_| simd.is_some()));
                    if gpu {
                        let threads = self.most_threads();
                        let bred = BenchTask::generation(population, *preset, None, threads);
                        tasks.push(bred);
                        if check_support(&self.config(&space, *preset, population)).is_ok() {
                            let engine = Some(BenchTarget::Gpu);
                            tasks.push(BenchTask { engine, threads: None, ..bred });
                        }
                    }
                }
            }
        }
        Ok(tasks)
    }

    /// The largest number of threads.
    pub fn most_threads(&self) -> usize {
        self.threads.iter().copied().max().unwrap_or(1)
    }

    /// The largest population.
    pub fn largest(&self) -> u32 {
        self.populations.iter().copied().max().unwrap_or(0)
    }

    /// The search space of the puzzle on which generations are measured.
    pub(super) fn space(&self) -> Result<SearchSpace> {
        Ok(presolve(&Puzzle::unsolvable(self.shape), Presolve::None)?)
    }

    /// The configuration of a preset. Nothing but an interrupt ends it, and nothing restarts.
    pub(super) fn config(&self, space: &SearchSpace, preset: Preset, population: u32) -> Config {
        Config {
            population,
            presolve: Presolve::None,
            restart_after: 0,
            max_generations: 0,
            max_work: 0,
            time_limit: 0.0,
            ..Config::of(preset, space)
        }
    }

    /// Boards that a repetition of a task scores: the children of a generation, else the population.
    pub(super) fn boards(&self, task: &BenchTask) -> Result<u32> {
        let Some(preset) = task.preset else { return Ok(task.population) };
        let config = self.config(&self.space()?, preset, task.population);
        Ok(config.replacement.offspring(&config))
    }

    /// Checks that everything can be measured.
    ///
    /// # Errors
    /// When the largest population does not fit the memory, when the machine lacks the vector instructions,
    /// and when a preset does not fit a population.
    pub fn check(&self) -> Result<()> {
        let (space, population) = (self.space()?, self.largest());
        let config = self.config(&space, Preset::Boxes, population);
        let interrupted = AtomicBool::new(false);
        // The boards to score, and the memory of a run.
        let boards = u64::from(population) * (self.shape.stride() as u64 + 2);
        let bytes = Run::new(&space, &config, 0, &interrupted).memory_needed() + boards;
        let what = format!("a bench with a population of {}", count(population.into()));
        memory::check(&what, bytes)?;
        for level in &self.simd {
            level.checked()?;
        }
        for preset in self.presets.iter().filter(|_| self.what.contains(&Metric::Generation)) {
            for population in &self.populations {
                let config = self.config(&space, *preset, *population);
                Breeder::new(&space, &config, CustomOperators::none())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) use tests::plan;

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan of everything, small.
    pub(in crate::bench) fn plan(populations: &[u32]) -> BenchPlan {
        BenchPlan {
            shape: Geometry::new(2, 3).unwrap(),
            what: Metric::ALL.to_vec(),
            populations: populations.to_vec(),
            simd: vec![SimdLevel::Scalar, SimdLevel::best()],
            threads: vec![1, 2],
            presets: vec![Preset::Boxes, Preset::Cellular],
            chunk: None,
            seed: 1,
            budget: Duration::ZERO,
        }
    }

    #[test]
    fn populations_come_in_order_and_once() {
        let tasks = plan(&[100, 10, 100]).tasks(false, 0).unwrap();
        let populations: Vec<u32> = tasks.iter().map(|task| task.population).collect();
        assert!(populations.is_sorted());
        // Two levels and two presets, on one and on two threads.
        assert_eq!(tasks.len(), 2 * (4 + 4));
    }

    #[test]
    fn an_adapter_adds_its_lines_and_uploads_that_fit() {
        let tasks = plan(&[10, 1_000]).tasks(true, 10 * 36).unwrap();
        let count = |what: Metric, by: BenchTarget| {
            tasks.iter().filter(|task| task.what == what && task.evaluator == by).count()
        };
        assert_eq!(count(Metric::Upload, BenchTarget::Gpu), 2);
        assert_eq!(count(Metric::Score, BenchTarget::Gpu), 2);
        // Bred by the CPU, and by the adapter itself.
        assert_eq!(count(Metric::Generation, BenchTarget::Gpu), 4 + 4);
        let bred =
            tasks.iter().find(|task| task.evaluator == BenchTarget::Gpu && task.preset.is_some());
        assert_eq!(bred.unwrap().threads, Some(2));
    }

    #[test]
    fn what_does_not_fit_is_told_before_anything_is_measured() {
        plan(&[100]).check().unwrap();
        let refused = plan(&[u32::MAX - 1]).check().unwrap_err().to_string();
        assert!(refused.contains("a population of 4,294,967,294 needs"), "{refused}");
        let mut unfit = plan(&[100]);
        unfit.presets = vec![Preset::RowsTournament];
        unfit.populations = vec![2];
        assert!(unfit.check().is_err(), "tournaments of five need five");
    }
}
