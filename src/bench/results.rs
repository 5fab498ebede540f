//! The results of a bench, and the population from which on the adapter is faster than all cores.

use std::collections::BTreeMap;
use std::iter;

use serde::Serialize;

use super::measurement::Measurement;
use super::plan::{BenchPlan, BenchTarget, Metric, Scorer};
use crate::ga::Preset;
use crate::gpu::AdapterInfo;
use crate::report::SystemInfo;

/// A lead that counts: medians are repeated until they are known to within 2 %.
const LEAD: f64 = 1.02;

/// The results of a bench so far.
#[derive(Clone, Debug)]
pub struct BenchResults {
    /// The settings.
    pub plan: BenchPlan,
    /// The machine.
    pub machine: SystemInfo,
    /// The adapter, if one takes part.
    pub adapter: Option<AdapterInfo>,
    /// Rates of reading memory, by number of threads.
    pub read_rates: Vec<ReadRate>,
    /// Bytes a second that the adapter moves when it copies: read and written.
    pub device_copy: Option<f64>,
    /// The times of a start-up and of a call.
    pub fixed: Vec<FixedCost>,
    /// The measurements.
    pub measurements: Vec<Measurement>,
    /// Rates of scoring without a pause.
    pub sustained: Vec<Sustained>,
    /// Whether everything was measured.
    pub complete: bool,
}

/// A rate of reading memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReadRate {
    /// Threads that read at once.
    pub threads: usize,
    /// Bytes of the buffer.
    pub bytes: u64,
    /// Bytes a second of all threads.
    pub bytes_per_second: f64,
}

/// Times that do not depend on the population.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FixedCost {
    #[serde(flatten)]
    pub scorer: Scorer,
    /// Seconds until it can score: to start threads, or to find and open the adapter and to build and check
    /// its kernel.
    pub start_up_seconds: f64,
    /// Median seconds of a call with one board.
    pub one_board_seconds: Option<f64>,
}

/// Rates of scoring the same population again and again, without a pause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sustained {
    #[serde(flatten)]
    pub scorer: Scorer,
    /// Boards of a call.
    pub population: u32,
    /// Seconds from the start to the end of each interval.
    pub seconds: Vec<f64>,
    /// Boards scored a second in each interval.
    pub boards_per_second: Vec<f64>,
}

impl Sustained {
    /// The rate of the last tenth as a share of the rate of the first tenth.
    pub fn left(&self) -> Option<f64> {
        let rates = &self.boards_per_second;
        let tenth = rates.len().div_ceil(10);
        let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
        (tenth > 0).then(|| mean(&rates[rates.len() - tenth..]) / mean(&rates[..tenth]))
    }
}

impl BenchResults {
    /// No results yet.
    pub fn new(plan: BenchPlan, machine: SystemInfo, adapter: Option<AdapterInfo>) -> Self {
        Self {
            plan,
            machine,
            adapter,
            read_rates: Vec::new(),
            device_copy: None,
            fixed: Vec::new(),
            measurements: Vec::new(),
            sustained: Vec::new(),
            complete: false,
        }
    }

    /// The measurements of this metric.
    pub fn of(&self, what: Metric) -> impl Iterator<Item = &Measurement> {
        self.measurements.iter().filter(move |line| line.task.what == what)
    }

    /// Sets the limit of all uploads of a population to the best rate that one of them reached.
    pub(super) fn share_upload_limits(&mut self, population: u32) {
        let mut lines: Vec<&mut Measurement> = self
            .measurements
            .iter_mut()
            .filter(|line| (line.task.what, line.task.population) == (Metric::Upload, population))
            .collect();
        let best = lines.iter().filter_map(|line| line.limit).max_by(f64::total_cmp);
        lines.iter_mut().for_each(|line| line.limit = best);
    }

    /// The break-even of scoring, then of a generation of each preset.
    pub fn break_evens(&self) -> Vec<BreakEven> {
        let scoring = (Metric::Score, None, "scoring".to_owned());
        let bred =
            self.plan.presets.iter().map(|preset| {
                (Metric::Generation, Some(*preset), format!("a generation of {preset}"))
            });
        let found = |(what, preset, of)| {
            let found = break_even(&self.rates(what, preset))?;
            Some(BreakEven { of, population: found.ok(), not_up_to: found.err() })
        };
        iter::once(scoring).chain(bred).filter_map(found).collect()
    }

    /// A population in the middle (of the logarithms) between the break-even and the largest population
    /// below it that was measured, if there is one.
    pub(super) fn between(&self, what: Metric, preset: Option<Preset>) -> Option<u32> {
        let rates = self.rates(what, preset);
        let above = break_even(&rates)?.ok()?;
        let (below, _) = rates.range(..above).next_back()?;
        let middle = (f64::from(*below) * f64::from(above)).sqrt().round() as u32;
        (*below < middle && middle < above).then_some(middle)
    }

    /// Rates of the CPU with its fastest settings and of the adapter, by population.
    fn rates(&self, what: Metric, preset: Option<Preset>) -> BTreeMap<u32, [f64; 2]> {
        let lines = || self.of(what).filter(move |line| line.task.preset == preset);
        let best = |population, by| {
            lines()
                .filter(|line| line.task.evaluator == by && line.task.population == population)
                .map(Measurement::boards_per_second)
                .max_by(f64::total_cmp)
        };
        let both = lines().map(|line| line.task.population).filter_map(|population| {
            let [cpu, gpu] = [BenchTarget::Cpu, BenchTarget::Gpu];
            Some((population, [best(population, cpu)?, best(population, gpu)?]))
        });
        both.collect()
    }
}

/// The population from which on the adapter is faster than all cores.
///
/// It is the smallest of the populations that both were measured at from which on the adapter wins at every
/// one. A larger population gives a GPU more to do at once, and spreads the cost of a call over more boards;
/// so where it wins once it should win further on, and a single win below others that it loses is noise. So
/// is a lead smaller than medians are known to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BreakEven {
    /// The thing that was compared.
    pub of: String,
    /// The population.
    pub population: Option<u32>,
    /// The largest population that was measured, if the adapter does not win there.
    pub not_up_to: Option<u32>,
}

/// The break-even of rates of the CPU and of the adapter by population; `Err` has the largest population,
/// if the adapter does not win there.
fn break_even(rates: &BTreeMap<u32, [f64; 2]>) -> Option<Result<u32, u32>> {
    let (largest, _) = rates.last_key_value()?;
    let winning = rates.iter().rev().take_while(|(_, [cpu, gpu])| *gpu > LEAD * cpu);
    Some(winning.last().map_or(Err(*largest), |(population, _)| Ok(*population)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::plan::BenchTask;
    use crate::bench::plan::tests::plan;
    use crate::bench::sampler::{Sample, Samples, StoppingRule};
    use crate::board::Geometry;
    use crate::fitness::SimdLevel;

    #[test]
    fn what_is_left_compares_the_last_tenth_with_the_first() {
        let sustained = |rates: &[f64]| Sustained {
            scorer: Scorer { evaluator: BenchTarget::Cpu, simd: None, threads: Some(1) },
            population: 10,
            seconds: (0..rates.len()).map(|second| second as f64).collect(),
            boards_per_second: rates.to_vec(),
        };
        assert_eq!(sustained(&[]).left(), None);
        assert_eq!(sustained(&[4.0]).left(), Some(1.0));
        let mut rates = vec![9.0; 20];
        rates[0] = 12.0;
        rates[1] = 8.0;
        rates[18] = 4.0;
        rates[19] = 6.0;
        assert_eq!(sustained(&rates).left(), Some(0.5));
    }

    /// The measurement of a task that takes this long.
    fn line(task: BenchTask, millis: u64) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        samples.add(Sample::of(Duration::from_millis(millis)));
        let shape = Geometry::new(2, 2).unwrap();
        Measurement::of(task, shape, task.population, &samples, None, false).unwrap()
    }

    #[test]
    fn all_cores_at_their_best_are_what_the_adapter_has_to_beat() {
        let cpu =
            |population, threads| BenchTask::cpu_score(population, SimdLevel::Scalar, threads);
        let mut results = BenchResults::new(plan(&[]), SystemInfo::default(), None);
        results.measurements = vec![
            line(cpu(100, 1), 10),
            line(cpu(100, 2), 20),
            line(BenchTask::gpu_score(100), 15),
            line(cpu(10_000, 1), 900),
            line(cpu(10_000, 2), 500),
            line(BenchTask::gpu_score(10_000), 100),
            // One without the other, and another metric.
            line(BenchTask::gpu_score(10), 1),
            line(BenchTask::generation(10, Preset::Boxes, None, 2), 1),
        ];
        let found = |results: &BenchResults| break_even(&results.rates(Metric::Score, None));
        assert_eq!(found(&results), Some(Ok(10_000)));
        let bred = results.rates(Metric::Generation, Some(Preset::Boxes));
        assert_eq!(break_even(&bred), None);
        assert_eq!(results.between(Metric::Score, None), Some(1_000));
        results
            .measurements
            .extend([line(cpu(1_000, 2), 20), line(BenchTask::gpu_score(1_000), 10)]);
        assert_eq!(found(&results), Some(Ok(1_000)));
        assert_eq!(results.between(Metric::Score, None), Some(316));
    }

    #[test]
    fn it_is_where_the_adapter_begins_to_win_for_good() {
        let of = |rates: &[(u32, [f64; 2])]| break_even(&rates.iter().copied().collect());
        let (behind, ahead) = ([2.0, 1.0], [1.0, 2.0]);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(10, behind), (100, behind)]), Some(Err(100)));
        assert_eq!(of(&[(10, behind), (100, ahead), (1_000, ahead)]), Some(Ok(100)));
        assert_eq!(of(&[(10, ahead), (100, behind), (1_000, ahead)]), Some(Ok(1_000)));
        assert_eq!(of(&[(10, ahead), (100, behind)]), Some(Err(100)));
        for draw in [[1.0, 1.0], [1.0, 1.01]] {
            assert_eq!(of(&[(10, draw)]), Some(Err(10)), "a draw is no win");
        }
    }
}
