//! The exact test of two shares of R. A. Fisher, *Statistical Methods for Research Workers*, fifth
//! edition, 1934, section 21.02.
//!
//! Given how many of both samples succeeded, the number of those in the first is hypergeometric. P is
//! the probability of all numbers that are no more likely than the one seen: 3 of 3 against 0 of 3 is
//! one of 20 ways to deal three successes out, as likely as 0 of 3 against 3 of 3, so that p is 0.1.

use statrs::function::factorial::ln_binomial;

use super::Tested;

/// What is as likely up to rounding counts as equally likely.
const ROUNDING: f64 = 1e-7;

/// Successes in a sample of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successes {
    /// Those that succeeded.
    pub of: usize,
    /// All, which are at least as many.
    pub all: usize,
}

/// The successes of the first sample and the two-sided p; nothing without a trial in both.
pub fn fisher(first: Successes, second: Successes) -> Option<Tested> {
    let table = ContingencyTable::of(first, second)?;
    Some(Tested { statistic: first.of as f64, p: table.p(first.of) })
}

/// The least p that samples of these sizes with so many successes together could have.
pub fn fisher_least(first: Successes, second: Successes) -> Option<f64> {
    let table = ContingencyTable::of(first, second)?;
    Some(table.p(table.fewest).min(table.p(table.most())))
}

/// The probabilities of so many successes in the first sample.
struct ContingencyTable {
    /// The fewest there can be.
    fewest: usize,
    /// Of the fewest, of one more, and so on.
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
