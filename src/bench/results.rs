//! The results of a bench, and the population from which on the adapter is faster than the CPU.

use std::collections::BTreeMap;
use std::iter;

use serde::Serialize;

use super::measurement::Measurement;
use super::plan::{BenchPlan, BenchTarget, Metric};
use crate::ga::Preset;
use crate::gpu::AdapterInfo;
use crate::report::SystemInfo;
use crate::statistics::break_even;

/// The results of a bench so far.
#[derive(Clone, Debug)]
pub struct BenchResults {
    /// The settings.
    pub plan: BenchPlan,
    /// The machine.
    pub machine: SystemInfo,
    /// The adapter, if one takes part.
    pub adapter: Option<AdapterInfo>,
    /// Bytes a second that the adapter moves when it copies: read and written.
    pub device_copy: Option<f64>,
    /// The measurements.
    pub measurements: Vec<Measurement>,
    /// Whether everything was measured.
    pub complete: bool,
}

impl BenchResults {
    /// No results yet.
    pub fn new(plan: BenchPlan, machine: SystemInfo, adapter: Option<AdapterInfo>) -> Self {
        let (device_copy, measurements) = (None, Vec::new());
        Self { plan, machine, adapter, device_copy, measurements, complete: false }
    }

    /// The measurements of this metric.
    pub fn of(&self, what: Metric) -> impl Iterator<Item = &Measurement> {
        self.measurements.iter().filter(move |line| line.task.what == what)
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

/// The population from which on the adapter is faster than the most threads of the CPU ([`break_even`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BreakEven {
    /// The thing that was compared.
    pub of: String,
    /// The population.
    pub population: Option<u32>,
    /// The largest population that was measured, if the adapter does not win there.
    pub not_up_to: Option<u32>,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::plan::BenchTask;
    use crate::bench::plan::plan;
    use crate::board::Geometry;
    use crate::fitness::SimdLevel;
    use crate::statistics::{Sample, Samples, StoppingRule};

    /// The measurement of a task that takes this long.
    fn line(task: BenchTask, millis: u64) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        samples.add(Sample::of(Duration::from_millis(millis)));
        let shape = Geometry::new(2, 2).unwrap();
        Measurement::of(task, shape, task.population, &samples, None).unwrap()
    }

    #[test]
    fn all_cores_at_their_best_are_what_the_adapter_has_to_beat() {
        let cpu =
            |population, threads| BenchTask::cpu_score(population, SimdLevel::Scalar, threads);
        let gpu = |population| BenchTask::new(Metric::Score, BenchTarget::Gpu, population);
        let mut results = BenchResults::new(plan(&[]), SystemInfo::default(), None);
        results.measurements = vec![
            line(cpu(100, 1), 10),
            line(cpu(100, 2), 20),
            line(gpu(100), 15),
            line(cpu(10_000, 1), 900),
            line(cpu(10_000, 2), 500),
            line(gpu(10_000), 100),
            // One without the other, and another metric.
            line(gpu(10), 1),
            line(BenchTask::generation(10, Preset::Boxes, None, 2), 1),
        ];
        let found = |results: &BenchResults| break_even(&results.rates(Metric::Score, None));
        assert_eq!(found(&results), Some(Ok(10_000)));
        let bred = results.rates(Metric::Generation, Some(Preset::Boxes));
        assert_eq!(break_even(&bred), None);
        results.measurements.extend([line(cpu(1_000, 2), 20), line(gpu(1_000), 10)]);
        assert_eq!(found(&results), Some(Ok(1_000)));
    }
}
