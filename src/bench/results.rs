//! All that a bench has found so far.

use serde::Serialize;

use super::{BenchPlan, BreakEven, Measurement, Metric, SystemInfo};
use crate::fitness::SimdLevel;
use crate::gpu::AdapterInfo;

/// What a bench has found so far.
#[derive(Clone, Debug)]
pub struct BenchResults {
    /// What it was to measure.
    pub plan: BenchPlan,
    /// What it was measured on.
    pub machine: SystemInfo,
    /// The adapter, if one takes part.
    pub adapter: Option<AdapterInfo>,
    /// Rates of reading memory, on different numbers of threads.
    pub read_rates: Vec<ReadRate>,
    /// Bytes a second that the adapter moves when it copies: read and written.
    pub device_copy: Option<f64>,
    /// Start-up and the cost of a call.
    pub fixed: Vec<FixedCost>,
    /// Every line so far.
    pub lines: Vec<Measurement>,
    /// Scoring without a pause.
    pub sustained: Vec<Sustained>,
    /// Whether everything was measured.
    pub complete: bool,
}

/// How fast memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReadRate {
    /// Threads that read at once.
    pub threads: usize,
    /// Bytes of the buffer.
    pub bytes: u64,
    /// Bytes that they read a second together.
    pub bytes_per_second: f64,
}

/// What does not depend on the population.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FixedCost {
    /// Who scores.
    pub evaluator: super::BenchTarget,
    /// What the CPU scores with, if it does.
    pub simd: Option<SimdLevel>,
    /// Threads of the CPU.
    pub threads: Option<usize>,
    /// Seconds until it can score: threads are started, or the adapter is found and opened and
    /// its kernel built and checked.
    pub start_up_seconds: f64,
    /// Median seconds of a call with one board.
    pub one_board_seconds: Option<f64>,
}

/// Rates of scoring one population again and again, without a pause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sustained {
    /// Who scores.
    pub evaluator: super::BenchTarget,
    /// What the CPU scores with, if it does.
    pub simd: Option<SimdLevel>,
    /// Threads of the CPU.
    pub threads: Option<usize>,
    /// Boards of a call.
    pub population: u32,
    /// Seconds since it began, at the end of each interval.
    pub seconds: Vec<f64>,
    /// Boards scored a second in each interval.
    pub boards_per_second: Vec<f64>,
}

impl Sustained {
    /// The last tenth's rate as a share of the first tenth's.
    pub fn left(&self) -> Option<f64> {
        let rates = &self.boards_per_second;
        let tenth = rates.len().div_ceil(10);
        let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
        (tenth > 0).then(|| mean(&rates[rates.len() - tenth..]) / mean(&rates[..tenth]))
    }
}

impl BenchResults {
    /// Nothing measured yet.
    pub fn new(plan: BenchPlan, machine: SystemInfo, adapter: Option<AdapterInfo>) -> Self {
        Self {
            plan,
            machine,
            adapter,
            read_rates: Vec::new(),
            device_copy: None,
            fixed: Vec::new(),
            lines: Vec::new(),
            sustained: Vec::new(),
            complete: false,
        }
    }

    /// The lines that measure this.
    pub fn of(&self, what: Metric) -> impl Iterator<Item = &Measurement> {
        self.lines.iter().filter(move |line| line.task.what == what)
    }

    /// Holds all uploads of a population against the best rate that one of them reached.
    pub(super) fn share_upload_limits(&mut self, population: u32) {
        let mut lines: Vec<&mut Measurement> = self
            .lines
            .iter_mut()
            .filter(|line| (line.task.what, line.task.population) == (Metric::Upload, population))
            .collect();
        let best = lines.iter().filter_map(|line| line.limit).max_by(f64::total_cmp);
        lines.iter_mut().for_each(|line| line.limit = best);
    }

    /// Where the adapter overtakes the CPU: at scoring, then at each preset's generation.
    pub fn break_evens(&self) -> Vec<(String, BreakEven)> {
        let scoring = BreakEven::in_lines(&self.lines, Metric::Score, None);
        let scoring = scoring.map(|found| ("scoring".to_owned(), found));
        let bred = self.plan.presets.iter().filter_map(|preset| {
            let found = BreakEven::in_lines(&self.lines, Metric::Generation, Some(*preset))?;
            Some((format!("a generation of {preset}"), found))
        });
        scoring.into_iter().chain(bred).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::BenchTarget;

    #[test]
    fn what_is_left_compares_the_last_tenth_with_the_first() {
        let sustained = |rates: &[f64]| Sustained {
            evaluator: BenchTarget::Cpu,
            simd: None,
            threads: Some(1),
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
}
