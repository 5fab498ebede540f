//! Statistics of samples: quantiles, tests, effect sizes, and the number of runs that detect a difference.
//!
//! Everything is computed from sums and ranks; the special functions are those of `statrs`. Every
//! formula is tested against SciPy (`tests/statistics`).

mod distributions;
mod friedman;
mod mann_whitney;
mod proportions;
#[cfg(test)]
mod tests;

pub use evodoku_core::statistics::*;

pub use distributions::{normal, normal_quantile};
pub use friedman::{Friedman, critical_difference, puzzles_for_a_rank};
pub use mann_whitney::{a12, mann_whitney, runs_for_a12};
pub use proportions::wilson;

use std::fmt;

use crate::random::{Draws, GenerationRng, StreamStage};

/// The significance level of all tests and intervals.
pub const LEVEL: f64 = 0.05;
/// With fewer runs an interval says next to nothing, and none is given.
pub const FEWEST: usize = 5;
/// The power for which sample sizes are computed.
const POWER: f64 = 0.8;

/// A test's statistic and its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestStatistic {
    /// The statistic.
    pub statistic: f64,
    /// The probability that chance alone gives a statistic as extreme.
    pub p: f64,
}

/// A test of two samples: its statistic and its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoSampleTest {
    /// The statistic.
    pub statistic: f64,
    /// The probability that chance alone gives a statistic as extreme.
    pub p: f64,
    /// The least p that samples like these could give. Where it is not below the level, the test could not
    /// distinguish them: R. E. Tarone, *A modified Bonferroni method for discrete data*, Biometrics 46 (1990),
    /// 515-522.
    pub least: f64,
}

/// A share and its 95 % interval, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareInterval {
    /// The share.
    pub share: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl fmt::Display for ShareInterval {
    /// In percent: `85 % (64-95)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [share, low, high] =
            [self.share, self.low, self.high].map(|share| (100.0 * share).round());
        write!(f, "{share} % ({low}-{high})")
    }
}

/// The ends of the 95 % interval of a figure: 2.5 % of so many resamples, each drawn by `resample`, lie beyond
/// either. The draws are the same at each call.
pub fn bootstrap(resamples: usize, mut resample: impl FnMut(&mut Draws) -> f64) -> [f64; 2] {
    let mut draws = GenerationRng::new(0, 0).draws(StreamStage::Plan, 0);
    let mut all: Vec<f64> = (0..resamples).map(|_| resample(&mut draws)).collect();
    all.sort_by(f64::total_cmp);
    let beyond = resamples / 40;
    [all[beyond], all[resamples - 1 - beyond]]
}

/// The p-values of several tests, corrected for their number, in the order of `values`.
///
/// This is the correction of S. Holm, *A simple sequentially rejective multiple test procedure*,
/// Scandinavian Journal of Statistics 6 (1979), 65-70. The least of m p-values is multiplied by m, the next
/// by m − 1, and none becomes smaller than one before it: 0.01, 0.04 and 0.03 become 0.03, 0.06 and 0.06.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut corrected = vec![0.0; values.len()];
    let mut before = 0.0_f64;
    for (rank, place) in order.into_iter().enumerate() {
        before = before.max(values[place] * (values.len() - rank) as f64).min(1.0);
        corrected[place] = before;
    }
    corrected
}
