//! The log-rank test of N. Mantel, *Evaluation of survival data and two new rank order statistics
//! arising in its consideration*, Cancer Chemotherapy Reports 50 (1966), 163-170.
//!
//! At each time of an event, the expected number of events in the first sample is that of both
//! times its share of those still at risk; the differences to the observed numbers are summed, and the
//! variance is hypergeometric. An observation censored at a time is still at risk at that time.
//!
//! 3, 5 and one censored at 8 against 9 and 12: at 3 the first sample has 1 event, and 3/5 were
//! expected; at 5 1 and 2/4; at 9 and 12 none and none.

use super::TestStatistic;
use super::distributions::chi_squared_tail;

/// A time of an event, or the time at which the observation was censored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The time, in any unit.
    pub time: f64,
    /// Whether the event happened; if not, the time is censored.
    pub event: bool,
}

/// The statistic, chi-squared with one degree of freedom, and its p; `None` if a sample
/// is empty.
pub fn log_rank(first: &[Observed], second: &[Observed]) -> Option<TestStatistic> {
    Some(Sums::of(first, second)?.tested(|sums| sums.beyond))
}

/// The least p that there could be, were all events those of the sample that it makes least: given who
/// is still there at each time. Where few events happen while both samples are, no p is small, however
/// they fell: R. E. Tarone, *A modified Bonferroni method for discrete data*, Biometrics 46 (1990),
/// 515-522.
pub fn log_rank_least(first: &[Observed], second: &[Observed]) -> Option<f64> {
    let sums = Sums::of(first, second)?;
    let (least, most) = (sums.tested(|sums| sums.least), sums.tested(|sums| sums.most));
    Some(least.p.min(most.p))
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

    fn tested(&self, beyond: impl Fn(&Self) -> f64) -> TestStatistic {
        let beyond = beyond(self);
        // Nothing ever happened, or all at once.
        let statistic = if self.variance > 0.0 { beyond * beyond / self.variance } else { 0.0 };
        TestStatistic { statistic, p: chi_squared_tail(statistic, 1.0) }
    }
}
