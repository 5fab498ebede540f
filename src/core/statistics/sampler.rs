//! Measuring something again and again until its median is known.
//!
//! The first repetitions warm up and are not counted. After each of the others an interval that
//! holds the median in about 95 of 100 cases is read off the sorted times: from the one at rank
//! `(n - 1.96 √n) / 2` to the one at rank `1 + (n + 1.96 √n) / 2`, which holds whatever the times'
//! distribution is (W. J. Conover, *Practical Nonparametric Statistics*, 1999, section 3.2). Half
//! of its width against the median says how *steady* the median is.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Quantiles;
use crate::fitness::{GenerationTimes, PhaseTimes};
use crate::util::interrupt::Interrupt;

/// The rule by which repetitions stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingRule {
    /// Repetitions that are not counted.
    pub warm_up: usize,
    /// The least repetitions that are counted, if there is time.
    pub least: usize,
    /// The most repetitions that are counted.
    pub most: usize,
    /// The least time of all counted repetitions, so that a short one is not measured in one favourable
    /// moment.
    pub shortest: Duration,
    /// The largest half width of the median's interval, as a share of the median.
    pub steady: f64,
    /// The time for all repetitions. At least one is counted.
    pub budget: Duration,
}

impl Default for StoppingRule {
    /// Steady within 2 %, after 5 repetitions and 100 ms; at most 5,000 repetitions, or 3 s.
    fn default() -> Self {
        let (shortest, budget) = (Duration::from_millis(100), Duration::from_secs(3));
        Self { warm_up: 2, least: 5, most: 5_000, shortest, steady: 0.02, budget }
    }
}

/// One repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Its time.
    pub time: Duration,
    /// Its parts, which may overlap in time.
    pub parts: GenerationTimes,
}

impl Sample {
    /// A repetition without parts.
    pub fn of(time: Duration) -> Self {
        Self { time, ..Self::default() }
    }

    /// A repetition of scoring alone.
    pub fn scored(time: Duration, score: PhaseTimes) -> Self {
        Self { time, parts: GenerationTimes { score, ..GenerationTimes::default() } }
    }
}

/// The repetitions so far.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The rule, with the repetitions of the warm-up that are left.
    rule: StoppingRule,
    spent: Duration,
    /// Those that are counted, the shortest first.
    samples: Vec<Sample>,
}

impl Samples {
    /// No repetitions yet.
    pub fn new(rule: StoppingRule) -> Self {
        Self { rule, spent: Duration::ZERO, samples: Vec::new() }
    }

    /// Adds a repetition; returns whether the rule is met.
    pub fn add(&mut self, sample: Sample) -> bool {
        self.spent += sample.time;
        // A repetition that takes the whole budget is counted even without a warm-up.
        if self.rule.warm_up > 0 && self.spent < self.rule.budget {
            self.rule.warm_up -= 1;
            return false;
        }
        self.rule.warm_up = 0;
        let place = self.samples.partition_point(|other| other.time < sample.time);
        self.samples.insert(place, sample);
        self.is_enough()
    }

    fn is_enough(&self) -> bool {
        let StoppingRule { least, most, shortest, steady, budget, .. } = self.rule;
        let settled = || {
            self.count() >= least
                && self.samples.iter().map(|sample| sample.time).sum::<Duration>() >= shortest
                && self.unsteadiness().is_some_and(|share| share <= steady)
        };
        self.spent >= budget || self.count() >= most || settled()
    }

    /// Repetitions that were counted.
    pub fn count(&self) -> usize {
        self.samples.len()
    }

    /// Half the width of the median's interval, as a share of the median.
    pub fn unsteadiness(&self) -> Option<f64> {
        let count = self.count() as f64;
        let reach = 1.96 * count.sqrt();
        // Ranks from 1, kept within the times there are.
        let below = ((count - reach) / 2.0).floor().max(1.0) as usize;
        let above = (1.0 + (count + reach) / 2.0).ceil().min(count) as usize;
        let time = |rank: usize| Some(self.samples.get(rank.checked_sub(1)?)?.time.as_secs_f64());
        let width = time(above)? - time(below)?;
        let median = self.seconds()?.median;
        (median > 0.0).then(|| width / 2.0 / median)
    }

    /// The spread of their times in seconds.
    pub fn seconds(&self) -> Option<Quantiles> {
        Quantiles::of(self.samples.iter().map(|sample| sample.time.as_secs_f64()))
    }

    /// The median of a part, in seconds.
    pub fn part(&self, part: impl Fn(&GenerationTimes) -> Duration) -> Option<f64> {
        let figures = self.samples.iter().map(|sample| part(&sample.parts).as_secs_f64());
        Quantiles::of(figures).map(|spread| spread.median)
    }
}

/// Repeats `once`, which returns its time or that it was broken off, until the rule is met or an interrupt.
///
/// # Errors
/// The error of `once`.
pub fn measure<E>(
    rule: StoppingRule,
    interrupt: &Interrupt,
    mut once: impl FnMut() -> Result<Option<Sample>, E>,
) -> Result<Samples, E> {
    let mut samples = Samples::new(rule);
    while !interrupt.is_requested() {
        match once()? {
            Some(sample) if !samples.add(sample) => {}
            _ => break,
        }
    }
    Ok(samples)
}

/// A lead that counts: medians are repeated until they are known to within 2 %.
const LEAD: f64 = 1.02;

/// The population from which on the second of two rates wins, out of both by population; `Err` has the largest
/// population, if the second does not win there.
///
/// It is the smallest of the populations that both were measured at from which on the second, that of an adapter, wins at
/// every one. A larger population gives a GPU more to do at once, and spreads the cost of a call over more boards;
/// so where it wins once it should win further on, and a single win below others that it loses is noise. So
/// is a lead smaller than medians are known to.
pub fn break_even(rates: &BTreeMap<u32, [f64; 2]>) -> Option<Result<u32, u32>> {
    let (largest, _) = rates.last_key_value()?;
    let winning = rates.iter().rev().take_while(|(_, [cpu, gpu])| *gpu > LEAD * cpu);
    Some(winning.last().map_or(Err(*largest), |(population, _)| Ok(*population)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_median_is_not_asked_for_more() {
        let rule = StoppingRule { warm_up: 1, least: 5, ..StoppingRule::default() };
        let mut times = [900, 100, 101, 99, 100, 100].into_iter().map(Duration::from_millis);
        let once = || Ok::<_, ()>(times.next().map(Sample::of));
        let samples = measure(rule, &Interrupt::new(), once).unwrap();
        assert_eq!(samples.count(), 5);
        assert_eq!(samples.seconds().unwrap().median, 0.1);
    }

    /// Measures a thing that takes these times, the last one for ever; returns how often it ran.
    fn runs(rule: StoppingRule, millis: &[u64]) -> (usize, Samples) {
        let mut ran = 0;
        let samples = measure(rule, &Interrupt::new(), || {
            let time = millis[ran.min(millis.len() - 1)];
            ran += 1;
            Ok::<_, ()>(Some(Sample::of(Duration::from_millis(time))))
        });
        (ran, samples.unwrap())
    }

    const RULE: StoppingRule = StoppingRule {
        warm_up: 2,
        least: 5,
        most: 50,
        shortest: Duration::ZERO,
        steady: 0.02,
        budget: Duration::from_secs(1_000),
    };

    #[test]
    fn a_steady_thing_is_measured_as_often_as_it_has_to_be() {
        let (ran, samples) = runs(RULE, &[500, 300, 100]);
        assert_eq!((ran, samples.count()), (7, 5));
        assert_eq!(samples.seconds().unwrap().worst, 0.1, "warming up is not counted");
        assert_eq!(samples.unsteadiness(), Some(0.0));
    }

    #[test]
    fn one_outlier_does_not_unsettle_a_median() {
        let (ran, samples) = runs(RULE, &[1, 1, 100, 900, 100]);
        assert!(ran < 20, "{ran}");
        assert_eq!(samples.seconds().unwrap().median, 0.1);
        assert_eq!(samples.seconds().unwrap().worst, 0.9);
    }

    #[test]
    fn what_never_settles_ends_by_count_or_by_time() {
        let restless: Vec<u64> = (0..100).map(|run| 100 + 50 * (run % 2)).collect();
        let (_, samples) = runs(RULE, &restless);
        assert_eq!(samples.count(), 50);
        let hasty = StoppingRule { budget: Duration::from_millis(800), ..RULE };
        let (ran, samples) = runs(hasty, &restless);
        assert_eq!((ran, samples.count()), (7, 5));
    }

    #[test]
    fn a_short_thing_is_measured_for_a_while() {
        let rule = StoppingRule { shortest: Duration::from_millis(30), ..RULE };
        let (_, samples) = runs(rule, &[1]);
        assert_eq!(samples.count(), 30);
    }

    #[test]
    fn a_budget_that_warming_up_spends_leaves_one_count() {
        let (ran, samples) =
            runs(StoppingRule { budget: Duration::from_secs(2), ..RULE }, &[3_000]);
        assert_eq!((ran, samples.count()), (1, 1));
        let (ran, samples) = runs(StoppingRule { budget: Duration::ZERO, ..RULE }, &[3]);
        assert_eq!((ran, samples.count()), (1, 1));
    }

    #[test]
    fn a_request_to_stop_ends_it() {
        let interrupt = Interrupt::new();
        let mut ran = 0;
        let samples = measure(RULE, &interrupt, || {
            ran += 1;
            if ran == 4 {
                interrupt.request();
            }
            Ok::<_, ()>(Some(Sample::of(Duration::from_millis(ran))))
        });
        assert_eq!((samples.unwrap().count(), ran), (2, 4));
    }

    #[test]
    fn parts_have_medians_of_their_own() {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..RULE });
        for (kernel, upload) in [(1, 30), (2, 10), (9, 20)] {
            let [kernel, upload] = [kernel, upload].map(Duration::from_secs);
            let phases = PhaseTimes { kernel, upload, ..PhaseTimes::default() };
            samples.add(Sample::scored(Duration::from_secs(40), phases));
        }
        assert_eq!(samples.part(|parts| parts.score.kernel), Some(2.0));
        assert_eq!(samples.part(|parts| parts.score.upload), Some(20.0));
    }

    #[test]
    fn the_break_even_is_where_the_adapter_begins_to_win_for_good() {
        let of = |rates: &[(u32, [f64; 2])]| break_even(&rates.iter().copied().collect());
        let (behind, ahead) = ([2.0, 1.0], [1.0, 2.0]);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(10, behind), (100, behind)]), Some(Err(100)));
        assert_eq!(of(&[(10, behind), (100, ahead), (1_000, ahead)]), Some(Ok(100)));
        assert_eq!(of(&[(10, ahead), (100, behind), (1_000, ahead)]), Some(Ok(1_000)));
        assert_eq!(of(&[(10, ahead), (100, behind)]), Some(Err(100)));
        for draw in [[1.0, 1.0], [1.0, 1.01]] {
            assert_eq!(of(&[(10, draw)]), Some(Err(10)), "a draw is no win");
        }
    }
}
