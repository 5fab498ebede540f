//! The interval of a share of successes.

use super::ShareInterval;

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
