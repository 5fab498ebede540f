//! Student's t test of paired values: *The probable error of a mean*, Biometrika 6 (1908), 1-25.

use super::TestStatistic;
use super::distributions::t_tails;

/// Tests whether the mean of the differences is 0; `None` for fewer than two.
pub fn paired_t(differences: &[f64]) -> Option<TestStatistic> {
    let n = differences.len() as f64;
    if n < 2.0 {
        return None;
    }
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    // All differences are equal: either all are 0, or the mean is certain.
    let statistic = if mean == 0.0 { 0.0 } else { mean / error };
    Some(TestStatistic { statistic, p: t_tails(statistic, n - 1.0) })
}
