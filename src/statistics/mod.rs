//! Statistics of samples: ranks, tests, effect sizes, and the number of runs that detect a difference.
//!
//! Everything is computed from sums and ranks; the special functions are those of `statrs`. Every
//! formula is tested against SciPy (`tests/statistics`).

mod a12;
mod distributions;
mod fisher;
mod friedman;
mod holm;
mod log_rank;
mod mann_whitney;
mod nemenyi;
mod quantiles;
mod ranks;
mod sample_size;
mod t_test;
#[cfg(test)]
mod tests;

pub use a12::{A12, a12};
pub use distributions::{normal, normal_quantile};
pub use fisher::{Successes, fisher, fisher_least};
pub use friedman::Friedman;
pub use holm::holm;
pub use log_rank::{Observed, log_rank, log_rank_least};
pub use mann_whitney::{mann_whitney, mann_whitney_least};
pub use nemenyi::{critical_difference, puzzles_for_a_rank};
pub use quantiles::Quantiles;
pub use sample_size::{detectable_a12, runs_for_a12, runs_for_shares};
pub use t_test::paired_t;

/// The significance level of all tests and intervals.
pub const LEVEL: f64 = 0.05;
/// The power for which sample sizes are computed.
pub const POWER: f64 = 0.8;

/// A test's statistic and its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestStatistic {
    /// The statistic.
    pub statistic: f64,
    /// The probability that chance alone gives a statistic as extreme.
    pub p: f64,
}
