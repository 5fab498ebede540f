//! What a bench measures, and in which order.
//!
//! Populations come in ascending order, so that a bench that is interrupted has measured small
//! ones in full rather than a part of everything.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::HumanCount;

use super::{BenchError, BenchTarget, BenchTask, Metric};
use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::fitness::SimdLevel;
use crate::ga::breeder::Breeder;
use crate::ga::{Config, CustomOperators, Preset, Run};
use crate::gpu_engine::check_support;
use crate::util::memory;

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchPlan {
    /// The boards' shape.
    pub shape: Geometry,
    /// What is measured.
    pub what: Vec<Metric>,
    /// Boards.
    pub populations: Vec<u32>,
    /// What the CPU scores with; generations take the last.
    pub simd: Vec<SimdLevel>,
    /// Threads; an adapter's generations are bred on the most.
    pub threads: Vec<usize>,
    /// How generations are bred.
    pub presets: Vec<Preset>,
    /// Boards that are scored at once, at most.
    pub chunk: Option<NonZeroUsize>,
    /// The seed of all boards.
    pub seed: u64,
    /// Time for everything but what has to be measured once.
    pub budget: Duration,
    /// How long each evaluator scores without a pause, if it is to.
    pub sustained: Option<Duration>,
}

impl BenchPlan {
    /// All that is to be measured; the last upload of those that a device has room for counts.
    ///
    /// # Errors
    /// When there is no puzzle of the shape.
    pub fn tasks(&self, gpu: bool, upload_bytes: u64) -> Result<Vec<BenchTask>, BenchError> {
        let space = self.space()?;
        let mut populations = self.populations.clone();
        populations.sort_unstable();
        populations.dedup();
        let mut tasks = Vec::new();
        for population in populations {
            let bytes = u64::from(population) * self.shape.stride() as u64;
            if gpu && self.what.contains(&Metric::Upload) && bytes <= upload_bytes {
                tasks.extend(
                    [BenchTarget::Ring, BenchTarget::WriteBuffer]
                        .map(|by| BenchTask::upload(population, by)),
                );
            }
            if self.what.contains(&Metric::Score) {
                for simd in &self.simd {
                    let cpu = |threads: &usize| BenchTask::cpu_score(population, *simd, *threads);
                    tasks.extend(self.threads.iter().map(cpu));
                }
                tasks.extend(gpu.then(|| BenchTask::gpu_score(population)));
            }
            if self.what.contains(&Metric::Generation) {
                for preset in &self.presets {
                    let bred =
                        |simd, threads| BenchTask::generation(population, *preset, simd, threads);
                    let simd = self.simd.last().copied();
                    let cpu = |threads: &usize| bred(simd, *threads);
                    tasks.extend(self.threads.iter().map(cpu).filter(|_| simd.is_some()));
                    tasks.extend(gpu.then(|| bred(None, self.most_threads())));
                    let device =
                        gpu && check_support(&self.config(&space, *preset, population)).is_ok();
                    tasks.extend(device.then(|| BenchTask::device_generation(population, *preset)));
                }
            }
        }
        Ok(tasks)
    }

    /// The most threads of all.
    pub fn most_threads(&self) -> usize {
        self.threads.iter().copied().max().unwrap_or(1)
    }

    /// The largest population.
    pub fn largest(&self) -> u32 {
        self.populations.iter().copied().max().unwrap_or(0)
    }

    /// The space of the puzzle that generations are measured on.
    pub(super) fn space(&self) -> Result<SearchSpace, BenchError> {
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

    /// Boards that a repetition of a task scores: a generation's children, else the population.
    pub(super) fn boards(&self, task: &BenchTask) -> Result<u32, BenchError> {
        let Some(preset) = task.preset else { return Ok(task.population) };
        let config = self.config(&self.space()?, preset, task.population);
        Ok(config.replacement.offspring(&config))
    }

    /// Bytes of host memory that the largest population takes: the boards to be scored, and what
    /// drawing them or a run takes beside them.
    pub fn memory_needed(&self) -> Result<u64, BenchError> {
        let population = self.largest();
        let space = self.space()?;
        let config = self.config(&space, Preset::Boxes, population);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 0, &interrupted);
        Ok(run.memory_needed() + u64::from(population) * (self.shape.stride() as u64 + 2))
    }

    /// Checks that all of it can be measured, before anything is.
    ///
    /// # Errors
    /// [`BenchError`] when the largest population does not fit the memory, when the machine has
    /// not the vector instructions, and when a preset does not fit a population.
    pub fn check(&self) -> Result<(), BenchError> {
        let what = format!("a bench with a population of {}", HumanCount(self.largest().into()));
        memory::check(&what, self.memory_needed()?)?;
        for level in &self.simd {
            level.checked()?;
        }
        let space = self.space()?;
        for preset in self.presets.iter().filter(|_| self.what.contains(&Metric::Generation)) {
            for population in &self.populations {
                Breeder::new(
                    &space,
                    &self.config(&space, *preset, *population),
                    CustomOperators::none(),
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
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
            sustained: None,
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
        assert_eq!(count(Metric::Upload, BenchTarget::Ring), 1);
        assert_eq!(count(Metric::Upload, BenchTarget::WriteBuffer), 1);
        assert_eq!(count(Metric::Score, BenchTarget::Gpu), 2);
        // Bred by the host, and by the adapter itself.
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
        // Half of one couple's children would be missing.
        let mut unfit = plan(&[100]);
        unfit.presets = vec![Preset::RowsTournament];
        unfit.populations = vec![2];
        assert!(unfit.check().is_err(), "tournaments of five need five");
    }
}
