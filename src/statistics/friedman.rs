//! The test of M. Friedman over several blocks, and Nemenyi's critical difference of mean ranks.
//!
//! Friedman's test: M. Friedman, *The use of ranks to avoid the assumption of normality implicit in the
//! analysis of variance*, Journal of the American Statistical Association 32 (1937), 675-701, with
//! ties as in W. J. Conover, *Practical nonparametric statistics*, 3rd edition, 1999, section 5.8,
//! which has the comparison of two that follows it.
//!
//! In each block, such as a puzzle, the k values are ranked, the least first. If the values do not
//! differ, each order of the ranks of a block is equally likely. Over few blocks, the distribution of the spread
//! of the rank sums is counted; over many, it is chi-squared with k − 1 degrees of freedom.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;

use super::distributions::{chi_squared_tail, range_quantile, t_tails};
use super::{LEVEL, TestStatistic};

/// The most sums of ranks that are counted one by one.
const MOST_SUMS: usize = 1 << 18;

/// Ranks of k values in each of several blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// The ranks of each block, twice, so that they are whole.
    doubled: Vec<Vec<u32>>,
    /// The sum of the ranks of each value.
    sums: Vec<f64>,
    /// The sum of all squared ranks.
    squares: f64,
}

impl Friedman {
    /// Ranks blocks of equally many values; `None` without a block, or with fewer than two values in each.
    pub fn of<B: AsRef<[f64]>>(blocks: &[B]) -> Option<Self> {
        let k = blocks.first()?.as_ref().len();
        if k < 2 {
            return None;
        }
        let (mut sums, mut squares, mut doubled) = (vec![0.0; k], 0.0, Vec::new());
        for block in blocks {
            let ranked = ranks(block.as_ref());
            doubled.push(ranked.iter().map(|rank| (2.0 * rank) as u32).collect());
            squares += ranked.iter().map(|rank| rank * rank).sum::<f64>();
            sums.iter_mut().zip(&ranked).for_each(|(sum, rank)| *sum += rank);
        }
        Some(Self { doubled, sums, squares })
    }

    /// The mean rank of each value.
    pub fn mean_ranks(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.doubled.len() as f64).collect()
    }

    /// The statistic and its p-value: chi-squared, or with two values, for which that is far off, counted.
    pub fn test(&self) -> TestStatistic {
        let (n, k) = (self.doubled.len() as f64, self.sums.len() as f64);
        let even = n * k * (k + 1.0) * (k + 1.0) / 4.0;
        let spread = self.squares - even;
        let between = self.sums_squared() - n * even;
        // All values are equal in each block.
        let statistic = if spread > 0.0 { (k - 1.0) * between / spread } else { 0.0 };
        let counted = if self.sums.len() == 2 { self.counted() } else { None };
        let p = counted.unwrap_or_else(|| chi_squared_tail(statistic, k - 1.0));
        TestStatistic { statistic, p }
    }

    /// The share of all orders of the ranks in each block whose sums differ at least as much as these; `None` where
    /// there are too many. Over 4 blocks of 3 values, chi-squared 6 has 0.069 (its tail is 0.0498).
    pub fn counted(&self) -> Option<f64> {
        // The probability of each set of sums so far, ascending: which value has which sum does not matter.
        let mut sums = BTreeMap::from([(vec![0; self.sums.len()], 1.0)]);
        for block in &self.doubled {
            let orders = orders(block)?;
            if sums.len() * orders.len() > MOST_SUMS {
                return None;
            }
            let mut next = BTreeMap::new();
            for (sum, share) in &sums {
                for order in &orders {
                    let mut sum: Vec<u32> = sum.iter().zip(order).map(|(a, b)| a + b).collect();
                    sum.sort_unstable();
                    *next.entry(sum).or_default() += share / orders.len() as f64;
                }
            }
            sums = next;
        }
        let squares = |sums: &[u32]| sums.iter().map(|sum| u64::from(*sum).pow(2)).sum::<u64>();
        let own: Vec<u32> = self.sums.iter().map(|sum| (2.0 * sum).round() as u32).collect();
        let least = squares(&own);
        let extreme = sums.iter().filter(|(sums, _)| squares(sums) >= least);
        Some(extreme.map(|(_, share)| share).sum::<f64>().min(1.0))
    }

    /// The p-value of the difference between two values, by Conover's t.
    pub fn pair(&self, one: usize, other: usize) -> f64 {
        let (n, k) = (self.doubled.len() as f64, self.sums.len() as f64);
        let distance = (self.sums[one] - self.sums[other]).abs();
        let degrees = (n - 1.0) * (k - 1.0);
        if distance == 0.0 || degrees < 1.0 {
            return 1.0;
        }
        // Rounding may give a negative number where all blocks agree.
        let within = (n * self.squares - self.sums_squared()).max(0.0);
        t_tails(distance / (2.0 * within / degrees).sqrt(), degrees)
    }

    fn sums_squared(&self) -> f64 {
        self.sums.iter().map(|sum| sum * sum).sum()
    }
}

/// The least difference at which two of `k` mean ranks over `n` puzzles differ: q √(k (k + 1) / 6n), q being
/// the range of k normal variables at the level, over √2. Four methods over 14 puzzles:
/// 2.569 √(20 / 84) = 1.25.
///
/// P. Nemenyi, *Distribution-free multiple comparisons*, 1963, as J. Demšar uses it in *Statistical
/// comparisons of classifiers over multiple data sets*, Journal of Machine Learning Research 7 (2006), 1-30.
pub fn critical_difference(k: usize, n: usize) -> f64 {
    range_quantile(1.0 - LEVEL, k) / SQRT_2 * (spread(k) / n as f64).sqrt()
}

/// The number of puzzles at which a difference of one rank distinguishes two of `k` methods.
pub fn puzzles_for_a_rank(k: usize) -> u64 {
    // Of two values the sign test decides: 2 / 2^6 is below the level.
    if k == 2 {
        return 6;
    }
    let q = range_quantile(1.0 - LEVEL, k) / SQRT_2;
    (q * q * spread(k)).ceil() as u64
}

/// All orders of some ranks; `None` for more than six.
fn orders(ranks: &[u32]) -> Option<Vec<Vec<u32>>> {
    let Some((first, others)) = ranks.split_first() else { return Some(vec![Vec::new()]) };
    if others.len() > 5 {
        return None;
    }
    let insert = |order: Vec<u32>| {
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat())
    };
    Some(orders(others)?.into_iter().flat_map(insert).collect())
}

fn spread(k: usize) -> f64 {
    (k * (k + 1)) as f64 / 6.0
}

/// Ranks values from 1, the least first; equal values share the mean of their ranks: those of 5, 2, 2 and 9
/// are 3, 1.5, 1.5 and 4.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for set in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = first as f64 + (set.len() + 1) as f64 / 2.0;
        set.iter().for_each(|place| ranks[*place] = rank);
        first += set.len();
    }
    ranks
}
