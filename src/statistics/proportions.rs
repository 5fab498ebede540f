//! Shares of success: the interval of one, the exact test of two, and the runs that distinguish two.

use statrs::distribution::{Discrete, Hypergeometric};
use statrs::statistics::{Max, Min};

use super::distributions::normal_quantile;
use super::{LEVEL, POWER, ShareInterval, TwoSampleTest};

/// Probabilities within this ratio count as equal: they differ by rounding.
const ROUNDING: f64 = 1e-7;

/// The share of which `successes` of `trials` is a sample, with its 95 % interval; `None` without trials.
///
/// This is the interval of E. B. Wilson, *Probable inference, the law of succession, and statistical
/// inference*, Journal of the American Statistical Association 22 (1927), 209-212: the shares that a score
/// test would not reject. It stays within 0 and 1, and is of use at 0 of n and n of n, where the textbook's
/// interval has no width: 10 of 10 is 72 % to 100 %.
pub fn wilson(successes: usize, trials: usize) -> Option<ShareInterval> {
    if trials == 0 {
        return None;
    }
    let z = 1.959_963_984_540_054;
    let n = trials as f64;
    let share = successes as f64 / n;
    let centre = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // At the ends the interval touches 0 or 1 exactly, which rounding may miss.
    let low = if successes == 0 { 0.0 } else { (centre - half) / scale };
    let high = if successes == trials { 1.0 } else { (centre + half) / scale };
    Some(ShareInterval { share, low, high })
}

/// The successes in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successes {
    /// Number of successes.
    pub of: usize,
    /// Size of the sample, at least the number of successes.
    pub all: usize,
}

/// The successes of the first sample and the two-sided p; `None` if a sample is empty.
///
/// This is the exact test of R. A. Fisher, *Statistical Methods for Research Workers*, fifth edition, 1934,
/// section 21.02. Given how many of both samples succeeded, the number of those in the first is
/// hypergeometric. P is the probability of all counts that are no more likely than the observed one: 3 of 3
/// against 0 of 3 is one of 20 ways to distribute three successes, as likely as 0 of 3 against 3 of 3, so
/// that p is 0.1.
pub fn fisher(first: Successes, second: Successes) -> Option<TwoSampleTest> {
    if first.all == 0 || second.all == 0 {
        return None;
    }
    let [all, successes] = [first.all + second.all, first.of + second.of].map(|n| n as u64);
    let table = Hypergeometric::new(all, first.all as u64, successes).ok()?;
    let counts = || table.min()..=table.max();
    let likely = |own: u64| table.ln_pmf(own).exp();
    let p = |own: u64| {
        let seen = likely(own) * (1.0 + ROUNDING);
        counts().map(likely).filter(|likely| *likely <= seen).sum::<f64>().min(1.0)
    };
    let least = p(table.min()).min(p(table.max()));
    Some(TwoSampleTest { statistic: first.of as f64, p: p(first.of as u64), least })
}

/// Runs of each of two methods that distinguish one success rate from another with a power of 80 % at a level of
/// 5 %, two-sided; `None` for equal rates.
///
/// J. L. Fleiss, A. Tytun and H. K. Ury, *A simple approximation for calculating sample sizes for comparing
/// independent proportions*, Biometrics 36 (1980), 343-346, with their correction for continuity.
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
