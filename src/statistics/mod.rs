//! Statistics of samples: ranks, tests, effects, and how many runs tell a difference.
//!
//! All of it is made of sums and ranks; what distributions need beyond that is `statrs`. Every
//! formula is held against SciPy (`tests/statistics`).

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
pub use sample_size::{a12_told_by, runs_for_a12, runs_for_shares};
pub use t_test::paired_t;

/// The level of all tests and intervals.
pub const LEVEL: f64 = 0.05;
/// The power that sizes of samples are told for.
pub const POWER: f64 = 0.8;

/// A test's statistic and its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The statistic.
    pub statistic: f64,
    /// How often chance alone gives one as extreme.
    pub p: f64,
}
