//! The log-rank test of N. Mantel, *Evaluation of survival data and two new rank order statistics
//! arising in its consideration*, Cancer Chemotherapy Reports 50 (1966), 163-170.
//!
//! At each time of an event, the expected number of events in the first sample is that of both
//! times its share of those still at risk; the differences to the observed numbers are summed, and the
//! variance is hypergeometric. An observation censored at a time is still at risk at that time.
//!
//! 3, 5 and one censored at 8 against 9 and 12: at 3 the first sample has 1 event, and 3/5 were
//! expected; at 5 1 and 2/4; at 9 and 12 none and none.

use super::TwoSampleTest;
use super::distributions::chi_squared_tail;

/// A time of an event, or the time at which the observation was censored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The time, in any unit.
    pub time: f64,
    /// Whether the event happened; if not, the time is censored.
    pub event: bool,
}

/// The statistic, chi-squared with one degree of freedom, and its p; `None` if a sample is empty. The least p
/// is that of the same events, were they all in the sample that makes it least, given which observations are
/// at risk at each time: where few events happen while both samples are, no p is small.
pub fn log_rank(first: &[Observed], second: &[Observed]) -> Option<TwoSampleTest> {
    let sums = Sums::of(first, second)?;
    let (statistic, p) = sums.tested(sums.beyond);
    let least = sums.tested(sums.least).1.min(sums.tested(sums.most).1);
    Some(TwoSampleTest { statistic, p, least })
}

/// Sums over all times at which something happens.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Events in the first sample beyond those expected.
    beyond: f64,
    /// The least that could be.
    least: f64,
    /// The most.
    most: f64,
    variance: f64,
}

impl Sums {
    fn of(first: &[Observed], second: &[Observed]) -> Option<Self> {
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let both = first.iter().chain(second).filter(|one| one.event);
        let mut times: Vec<f64> = both.map(|one| one.time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut sums = Self::default();
        for time in times {
            let there = |of: &[Observed]| of.iter().filter(|one| one.time >= time).count() as f64;
            let events = |of: &[Observed]| {
                of.iter().filter(|one| one.event && one.time == time).count() as f64
            };
            let (own, other) = (there(first), there(second));
            let all = own + other;
            let happened = events(first) + events(second);
            let share = own / all;
            sums.beyond += events(first) - happened * share;
            sums.least += (happened - other).max(0.0) - happened * share;
            sums.most += happened.min(own) - happened * share;
            if all > 1.0 {
                let spread = happened * share * (1.0 - share);
                sums.variance += spread * (all - happened) / (all - 1.0);
            }
        }
        Some(sums)
    }

    /// The statistic and p of this many events beyond those expected.
    fn tested(&self, beyond: f64) -> (f64, f64) {
        // Nothing ever happened, or all at once.
        let statistic = if self.variance > 0.0 { beyond * beyond / self.variance } else { 0.0 };
        (statistic, chi_squared_tail(statistic, 1.0))
    }
}
