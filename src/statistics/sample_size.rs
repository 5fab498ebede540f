//! The number of runs of each of two methods that detects a difference with a power of 80 % at a level of 5 %,
//! two-sided.
//!
//! Shares of success: J. L. Fleiss, A. Tytun and H. K. Ury, *A simple approximation for calculating
//! sample sizes for comparing independent proportions*, Biometrics 36 (1980), 343-346, with their
//! correction for continuity. Ranks: G. E. Noether, *Sample size determination for some common
//! nonparametric tests*, Journal of the American Statistical Association 82 (1987), 645-647.

use super::distributions::normal_quantile;
use super::{LEVEL, POWER};

/// Runs of each method that distinguish one success rate from another; `None` for equal rates.
pub fn runs_for_shares(one: f64, other: f64) -> Option<u64> {
    let distance = (one - other).abs();
    if distance <= 0.0 {
        return None;
    }
    let mean = (one + other) / 2.0;
    let (level, power) = (normal_quantile(1.0 - LEVEL / 2.0), normal_quantile(POWER));
    let alike = (2.0 * mean * (1.0 - mean)).sqrt();
    let apart = (one * (1.0 - one) + other * (1.0 - other)).sqrt();
    let runs = ((level * alike + power * apart) / distance).powi(2);
    let continuous = runs / 4.0 * (1.0 + (1.0 + 4.0 / (runs * distance)).sqrt()).powi(2);
    Some(continuous.ceil() as u64)
}

/// Runs of each method that distinguish an A12 from one half; `None` for one half.
pub fn runs_for_a12(share: f64) -> Option<u64> {
    let distance = (share - 0.5).abs();
    (distance > 0.0).then(|| (quantiles().powi(2) / (6.0 * distance * distance)).ceil() as u64)
}

/// The least A12 above one half that this many runs of each distinguish from it; at most 1.
pub fn detectable_a12(runs: usize) -> f64 {
    (0.5 + quantiles() / (6.0 * runs.max(1) as f64).sqrt()).min(1.0)
}

fn quantiles() -> f64 {
    normal_quantile(1.0 - LEVEL / 2.0) + normal_quantile(POWER)
}
