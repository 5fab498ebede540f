//! The test of H. B. Mann and D. R. Whitney, *On a test of whether one of two random variables is
//! stochastically larger than the other*, Annals of Mathematical Statistics 18 (1947), 50-60, and its effect
//! size A12. Pairs may be left open, as those of censored values are: E. A. Gehan, *A generalized Wilcoxon
//! test for comparing arbitrarily singly-censored samples*, Biometrika 52 (1965), 203-223.
//!
//! U counts the pairs in which the first sample does worse; a tie, or an open pair, counts half. Each value
//! has a score: the number of all values that are better, less the number of those that are worse. If the
//! samples do not differ, any values may be those of the first sample. U follows from the sum of its scores,
//! so its distribution is that of the sums over all choices. Up to [`EXACT`] values they are counted. Beyond,
//! the distribution is normal, with the variance of the scores and a continuity correction of one half.

use std::cmp::Ordering;

use super::distributions::{bisect, normal_quantile, normal_tails};
use super::{LEVEL, POWER, ShareInterval, TwoSampleTest};

/// The number of values up to which the distribution is exact. The counts are whole numbers below 2^53.
const EXACT: usize = 50;

/// The statistic U of the first sample and its two-sided p, and whether that is exact; `None` if a sample is
/// empty. `order` is `Less` if its first argument is better, and `Equal` for ties and open pairs.
pub fn mann_whitney<T>(
    first: &[T],
    second: &[T],
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<(TwoSampleTest, bool)> {
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return None;
    }
    let all: Vec<&T> = first.iter().chain(second).collect();
    // The score of a value, plus the number of values: 2 for each better value, 1 for each equal one, itself
    // included.
    let score = |one: &&T| -> usize {
        let pairs = all.iter().map(|other| order(one, other));
        pairs.map(|found| (1 + found as isize) as usize).sum()
    };
    let scores: Vec<usize> = all.iter().map(score).collect();
    let sum: usize = scores[..m].iter().sum();
    // The pairs within the first sample add m * m, whoever is better.
    let statistic = (sum - m * m) as f64 / 2.0;
    let exact = m + n <= EXACT;
    let (p, least) = if exact { counted(&scores, m) } else { approximated(&scores, m) };
    Some((TwoSampleTest { statistic, p, least }, exact))
}

/// The smaller tail, doubled, over all choices of `m` of the scores, and the least that it could be.
fn counted(scores: &[usize], m: usize) -> (f64, f64) {
    let all: usize = scores.iter().sum();
    let sum: usize = scores[..m].iter().sum();
    // ways[k][s]: choices of k of the scores so far with sum s.
    let mut ways = vec![vec![0.0_f64; all + 1]; m + 1];
    ways[0][0] = 1.0;
    for (seen, score) in scores.iter().enumerate() {
        for k in (1..=m.min(seen + 1)).rev() {
            let (fewer, more) = ways.split_at_mut(k);
            let (from, to) = (&fewer[k - 1], &mut more[0]);
            to[*score..].iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }
    let ways = &ways[m];
    let total: f64 = ways.iter().sum();
    let p = |tails: [f64; 2]| (2.0 * tails[0].min(tails[1]) / total).min(1.0);
    let ends = [ways.iter().find(|ways| **ways > 0.0), ways.iter().rfind(|ways| **ways > 0.0)];
    (
        p([ways[..=sum].iter().sum(), ways[sum..].iter().sum()]),
        p(ends.map(|end| *end.unwrap_or(&total))),
    )
}

/// As [`counted`], by the normal distribution.
fn approximated(scores: &[usize], m: usize) -> (f64, f64) {
    let all = scores.len() as f64;
    let mut sorted = scores.to_vec();
    sorted.sort_unstable();
    // The sum of all scores is all * all.
    let squares: f64 = scores.iter().map(|score| (*score as f64 - all).powi(2)).sum();
    let variance = m as f64 * (all - m as f64) / (4.0 * all * (all - 1.0)) * squares;
    let p = |chosen: &[usize]| {
        let sum = chosen.iter().sum::<usize>() as f64;
        let distance = (sum - m as f64 * all).abs() / 2.0 - 0.5;
        // All values are equal: there is no difference.
        if variance <= 0.0 || distance <= 0.0 {
            1.0
        } else {
            normal_tails(distance / variance.sqrt())
        }
    };
    (p(&scores[..m]), p(&sorted[..m]).min(p(&sorted[sorted.len() - m..])))
}

/// The share of pairs in which the value of the first sample is `Less`, which is better here, a tie counting half, by
/// the `statistic` of [`mann_whitney`] and the sizes of the samples. 0.5 is no difference, 1 means that the first
/// always wins.
///
/// A. Vargha and H. D. Delaney, *A critique and improvement of the CL common language effect size statistics
/// of McGraw and Wong*, Journal of Educational and Behavioral Statistics 25 (2000), 101-132. The interval is
/// the fifth method of R. G. Newcombe, *Confidence intervals for an effect size measure based on the
/// Mann-Whitney statistic, part 2*, Statistics in Medicine 25 (2006), 559-573: the shares that a score test
/// does not reject. It has positive width at 0 and 1 too.
pub fn a12(statistic: f64, sizes: [usize; 2]) -> ShareInterval {
    let [m, n] = sizes.map(|size| size as f64);
    let share = (m * n - statistic) / (m * n);
    let z = normal_quantile(1.0 - LEVEL / 2.0);
    let refused = |other: f64| (share - other).powi(2) > z * z * variance(other, m, n);
    // Nothing lies beyond an end of the range.
    let edge = |end: f64| if share == end { end } else { bisect(share, end, refused) };
    ShareInterval { share, low: edge(0.0), high: edge(1.0) }
}

/// The variance of the share at `share`, by the model of two exponential distributions.
fn variance(share: f64, m: f64, n: f64) -> f64 {
    let other = 1.0 - share;
    let beyond = (m + n) / 2.0 - 1.0;
    share * other / (m * n) * (1.0 + beyond * (other / (2.0 - share) + share / (1.0 + share)))
}

/// Runs of each of two methods that distinguish an A12 from one half with a power of 80 % at a level of 5 %,
/// two-sided; `None` for one half.
///
/// G. E. Noether, *Sample size determination for some common nonparametric tests*, Journal of the American
/// Statistical Association 82 (1987), 645-647.
pub fn runs_for_a12(share: f64) -> Option<u64> {
    let distance = (share - 0.5).abs();
    let quantiles = normal_quantile(1.0 - LEVEL / 2.0) + normal_quantile(POWER);
    (distance > 0.0).then(|| (quantiles.powi(2) / (6.0 * distance * distance)).ceil() as u64)
}
