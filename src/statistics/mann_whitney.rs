//! The rank-sum test of H. B. Mann and D. R. Whitney, *On a test of whether one of two random
//! variables is stochastically larger than the other*, Annals of Mathematical Statistics 18 (1947),
//! 50-60, and its effect size A12.
//!
//! U counts the pairs in which the first sample has the larger value, a tie counting half. Up to
//! [`EXACT`] values the distribution is exact, over all ways to assign the values, ties included:
//! the number of ways to reach a sum of doubled mid-ranks. Beyond, it is normal, with a variance
//! that ties reduce and a continuity correction of one half.

use std::cmp::Ordering;

use statrs::function::factorial::binomial;

use super::distributions::{bisect, normal_quantile, normal_tails};
use super::{LEVEL, POWER, ShareInterval, TwoSampleTest};

/// The number of values up to which the distribution is exact. The counts are whole numbers below 2^53.
const EXACT: usize = 50;

/// The statistic U of the first sample and its two-sided p, and whether that is exact; `None`
/// if a sample is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<(TwoSampleTest, bool)> {
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return None;
    }
    let ranked = ranks(&[first, second].concat());
    let sum: f64 = ranked.of[..m].iter().sum();
    let statistic = sum - (m * (m + 1)) as f64 / 2.0;
    let exact = m + n <= EXACT;
    let p = if exact { counted(&ranked.of, m) } else { normal(statistic, m, n, ranked.ties) };
    // One of the ways to assign the values, doubled.
    let least = (2.0 / binomial((m + n) as u64, m as u64)).min(1.0);
    Some((TwoSampleTest { statistic, p, least }, exact))
}

/// The smaller tail, doubled, over all choices of `m` of the ranks.
fn counted(ranks: &[f64], m: usize) -> f64 {
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let all: usize = doubled.iter().sum();
    let sum: usize = doubled[..m].iter().sum();
    // ways[k][s]: choices of k of the ranks so far with sum s.
    let mut ways = vec![vec![0.0_f64; all + 1]; m + 1];
    ways[0][0] = 1.0;
    for (seen, rank) in doubled.iter().enumerate() {
        for k in (1..=m.min(seen + 1)).rev() {
            let (fewer, more) = ways.split_at_mut(k);
            let (from, to) = (&fewer[k - 1], &mut more[0]);
            to[*rank..].iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }
    let total: f64 = ways[m].iter().sum();
    let (below, above): (f64, f64) = (ways[m][..=sum].iter().sum(), ways[m][sum..].iter().sum());
    (2.0 * below.min(above) / total).min(1.0)
}

fn normal(u: f64, m: usize, n: usize, ties: f64) -> f64 {
    let (pairs, all) = ((m * n) as f64, (m + n) as f64);
    let variance = pairs / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let distance = (u - pairs / 2.0).abs() - 0.5;
    // All values are equal: there is no difference.
    if variance <= 0.0 || distance <= 0.0 { 1.0 } else { normal_tails(distance / variance.sqrt()) }
}

/// The ranks of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RankSums {
    /// The rank of each value.
    pub of: Vec<f64>,
    /// The sum of t³ − t over all groups of t equal values; 0 without ties.
    pub ties: f64,
}

/// Ranks values from 1, the least first; equal values share the mean of their ranks: those of 5, 2, 2 and 9
/// are 3, 1.5, 1.5 and 4.
pub(super) fn ranks(values: &[f64]) -> RankSums {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let (mut of, mut ties) = (vec![0.0; values.len()], 0.0);
    let mut first = 0;
    for set in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let count = set.len() as f64;
        let rank = first as f64 + (count + 1.0) / 2.0;
        set.iter().for_each(|place| of[*place] = rank);
        ties += count * count * count - count;
        first += set.len();
    }
    RankSums { of, ties }
}

/// The share of pairs in which the value of `first` is `Less`, which is better here, a tie counting half;
/// `None` if a sample is empty. 0.5 is no difference, 1 means that the first always wins.
///
/// A. Vargha and H. D. Delaney, *A critique and improvement of the CL common language effect size statistics
/// of McGraw and Wong*, Journal of Educational and Behavioral Statistics 25 (2000), 101-132. The interval is
/// the fifth method of R. G. Newcombe, *Confidence intervals for an effect size measure based on the
/// Mann-Whitney statistic, part 2*, Statistics in Medicine 25 (2006), 559-573: the shares that a score test
/// does not reject. It has positive width at 0 and 1 too.
pub fn a12<T>(
    first: &[T],
    second: &[T],
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<ShareInterval> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let won = |ordering: Ordering| match ordering {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    };
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
    let won: f64 = pairs.map(|(one, other)| won(order(one, other))).sum();
    let (m, n) = (first.len() as f64, second.len() as f64);
    let share = won / (m * n);
    let z = normal_quantile(1.0 - LEVEL / 2.0);
    let refused = |other: f64| (share - other).powi(2) > z * z * variance(other, m, n);
    // Nothing lies beyond an end of the range.
    let edge = |end: f64| if share == end { end } else { bisect(share, end, refused) };
    Some(ShareInterval { share, low: edge(0.0), high: edge(1.0) })
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
