//! The test of M. Friedman over several blocks, and Nemenyi's critical difference of mean ranks.
//!
//! Friedman's test: M. Friedman, *The use of ranks to avoid the assumption of normality implicit in the
//! analysis of variance*, Journal of the American Statistical Association 32 (1937), 675-701, with
//! ties as in W. J. Conover, *Practical nonparametric statistics*, 3rd edition, 1999, section 5.8,
//! which has the comparison of two that follows it.
//!
//! In each block, such as a puzzle, the k values are ranked, the least first. If the values do not
//! differ, the spread of the rank sums is distributed as chi-squared with k − 1 degrees of
//! freedom.

use std::f64::consts::SQRT_2;

use statrs::function::factorial::binomial;

use super::distributions::{chi_squared_tail, range_quantile, t_tails};
use super::{LEVEL, TestStatistic};

/// Ranks of k values in each of several blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Number of blocks.
    blocks: usize,
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
        let (mut sums, mut squares) = (vec![0.0; k], 0.0);
        for block in blocks {
            let ranked = ranks(block.as_ref());
            squares += ranked.iter().map(|rank| rank * rank).sum::<f64>();
            sums.iter_mut().zip(&ranked).for_each(|(sum, rank)| *sum += rank);
        }
        Some(Self { blocks: blocks.len(), sums, squares })
    }

    /// The mean rank of each value.
    pub fn mean_ranks(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.blocks as f64).collect()
    }

    /// The statistic and its p-value.
    pub fn test(&self) -> TestStatistic {
        let (n, k) = (self.blocks as f64, self.sums.len() as f64);
        let even = n * k * (k + 1.0) * (k + 1.0) / 4.0;
        let spread = self.squares - even;
        let between = self.sums_squared() - n * even;
        // All values are equal in each block.
        let statistic = if spread > 0.0 { (k - 1.0) * between / spread } else { 0.0 };
        // With two values it is the sign test, whose distribution is known: chi-squared is far off.
        let p = if k == 2.0 { self.signs() } else { chi_squared_tail(statistic, k - 1.0) };
        TestStatistic { statistic, p }
    }

    /// The p-value of the sign test of two values. Blocks in which they are equal do not count.
    fn signs(&self) -> f64 {
        // The squares of ranks 1 and 2 sum to 5, those of a tie to 4.5.
        let untied = (2.0 * self.squares - 9.0 * self.blocks as f64).round();
        let fewer = ((untied - (self.sums[0] - self.sums[1]).abs()) / 2.0).round() as u64;
        let ways = |wins: u64| binomial(untied as u64, wins) / 2.0_f64.powf(untied);
        (2.0 * (0..=fewer).map(ways).sum::<f64>()).min(1.0)
    }

    /// The p-value of the difference between two values, by Conover's t.
    pub fn pair(&self, one: usize, other: usize) -> f64 {
        let (n, k) = (self.blocks as f64, self.sums.len() as f64);
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
