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
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let both = first.iter().chain(second).filter(|one| one.event);
    let mut times: Vec<f64> = both.map(|one| one.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Events in the first sample beyond those expected, the least and the most that could be, and the variance.
    let (mut beyond, mut least, mut most, mut variance) = (0.0, 0.0, 0.0, 0.0);
    for time in times {
        let there = |of: &[Observed]| of.iter().filter(|one| one.time >= time).count() as f64;
        let events =
            |of: &[Observed]| of.iter().filter(|one| one.event && one.time == time).count() as f64;
        let (own, other) = (there(first), there(second));
        let all = own + other;
        let happened = events(first) + events(second);
        let share = own / all;
        beyond += events(first) - happened * share;
        least += (happened - other).max(0.0) - happened * share;
        most += happened.min(own) - happened * share;
        if all > 1.0 {
            let spread = happened * share * (1.0 - share);
            variance += spread * (all - happened) / (all - 1.0);
        }
    }
    // Nothing ever happened, or all at once.
    let statistic = |beyond: f64| if variance > 0.0 { beyond * beyond / variance } else { 0.0 };
    let p = |beyond: f64| chi_squared_tail(statistic(beyond), 1.0);
    let (statistic, least) = (statistic(beyond), p(least).min(p(most)));
    Some(TwoSampleTest { statistic, p: p(beyond), least })
}
