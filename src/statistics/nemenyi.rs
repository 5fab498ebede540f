//! The critical difference of mean ranks: P. Nemenyi, *Distribution-free multiple comparisons*, 1963,
//! as J. Demšar uses it in *Statistical comparisons of classifiers over multiple data sets*, Journal
//! of Machine Learning Research 7 (2006), 1-30.
//!
//! Two of k methods differ over n puzzles if their mean ranks are further apart than
//! q √(k (k + 1) / 6n), q being the range of k normal variables at the level, over √2. Four methods
//! over 14 puzzles: 2.569 √(20 / 84) = 1.25.

use std::f64::consts::SQRT_2;

use super::LEVEL;
use super::distributions::range_quantile;

/// The least difference at which two of `k` mean ranks over `n` puzzles differ.
pub fn critical_difference(k: usize, n: usize) -> f64 {
    range_quantile(1.0 - LEVEL, k) / SQRT_2 * (spread(k) / n as f64).sqrt()
}

/// The number of puzzles at which a difference of one rank distinguishes two of `k` methods.
pub fn puzzles_for_a_rank(k: usize) -> u64 {
    let q = range_quantile(1.0 - LEVEL, k) / SQRT_2;
    (q * q * spread(k)).ceil() as u64
}

fn spread(k: usize) -> f64 {
    (k * (k + 1)) as f64 / 6.0
}
