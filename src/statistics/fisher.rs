//! The exact test of two shares of R. A. Fisher, *Statistical Methods for Research Workers*, fifth
//! edition, 1934, section 21.02.
//!
//! Given how many of both samples succeeded, the number of those in the first is hypergeometric. P is
//! the probability of all counts that are no more likely than the observed one: 3 of 3 against 0 of 3 is
//! one of 20 ways to distribute three successes, as likely as 0 of 3 against 3 of 3, so that p is 0.1.

use statrs::function::factorial::ln_binomial;

use super::TestStatistic;

/// Probabilities within this ratio count as equal: they differ by rounding.
const ROUNDING: f64 = 1e-7;

/// The successes in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successes {
    /// Number of successes.
    pub of: usize,
    /// Size of the sample, at least the number of successes.
    pub all: usize,
}

/// The successes of the first sample and the two-sided p; `None` if a sample is empty.
pub fn fisher(first: Successes, second: Successes) -> Option<TestStatistic> {
    let table = ContingencyTable::of(first, second)?;
    Some(TestStatistic { statistic: first.of as f64, p: table.p(first.of) })
}

/// The smallest p possible for samples of these sizes with this total of successes.
pub fn fisher_least(first: Successes, second: Successes) -> Option<f64> {
    let table = ContingencyTable::of(first, second)?;
    Some(table.p(table.fewest).min(table.p(table.most())))
}

/// The distribution of the number of successes in the first sample.
struct ContingencyTable {
    /// The smallest possible number.
    fewest: usize,
    /// The probabilities of that number, of one more, and so on.
    likely: Vec<f64>,
}

impl ContingencyTable {
    fn of(first: Successes, second: Successes) -> Option<Self> {
        if first.all == 0 || second.all == 0 {
            return None;
        }
        let successes = first.of + second.of;
        let (fewest, most) = (successes.saturating_sub(second.all), successes.min(first.all));
        let ways = |of: usize, all: usize| ln_binomial(all as u64, of as u64);
        let total = ways(successes, first.all + second.all);
        let likely = (fewest..=most)
            .map(|own| (ways(own, first.all) + ways(successes - own, second.all) - total).exp());
        Some(Self { fewest, likely: likely.collect() })
    }

    fn most(&self) -> usize {
        self.fewest + self.likely.len() - 1
    }

    fn p(&self, own: usize) -> f64 {
        let seen = self.likely[own - self.fewest] * (1.0 + ROUNDING);
        self.likely.iter().filter(|likely| **likely <= seen).sum::<f64>().min(1.0)
    }
}
