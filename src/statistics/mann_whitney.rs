//! The rank-sum test of H. B. Mann and D. R. Whitney, *On a test of whether one of two random
//! variables is stochastically larger than the other*, Annals of Mathematical Statistics 18 (1947),
//! 50-60.
//!
//! U counts the pairs in which the first sample has the larger value, a tie counting half. Up to
//! [`EXACT`] values the distribution is exact, over all ways to assign the values, ties included:
//! the number of ways to reach a sum of doubled mid-ranks. Beyond, it is normal, with a variance
//! that ties reduce and a continuity correction of one half.

use statrs::function::factorial::binomial;

use super::TestStatistic;
use super::distributions::normal_tails;
use super::ranks::ranks;

/// The number of values up to which the distribution is exact. The counts are whole numbers below 2^53.
const EXACT: usize = 50;

/// The statistic U of the first sample and its two-sided p, and whether that is exact; `None`
/// if a sample is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<(TestStatistic, bool)> {
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return None;
    }
    let ranked = ranks(&[first, second].concat());
    let sum: f64 = ranked.of[..m].iter().sum();
    let statistic = sum - (m * (m + 1)) as f64 / 2.0;
    let exact = m + n <= EXACT;
    let p = if exact { counted(&ranked.of, m) } else { normal(statistic, m, n, ranked.ties) };
    Some((TestStatistic { statistic, p }, exact))
}

/// The smallest p possible for samples of these sizes: one over the number of ways to assign the values,
/// doubled.
pub fn mann_whitney_least(first: usize, second: usize) -> f64 {
    (2.0 / binomial((first + second) as u64, first as u64)).min(1.0)
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
