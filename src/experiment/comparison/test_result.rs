//! Which test tells two sets of runs apart, and why it is that one.
//!
//! Runs without a solution would have needed more work than they spent, nobody knows how much: they
//! are censored, and the log-rank test takes them as such. Where all runs of both are solved, or none
//! is, nothing is censored, and ranks are enough: of the work, or of the best fitness.
//!
//! The log-rank test sees nothing but solutions found with work that runs of both have spent. Where the
//! unsolved runs of one end before the other solves anything, as those of few generations may, it could
//! tell nothing at 5 %, however the solutions fell; there Fisher's exact test goes by how many runs were
//! solved, each with what it was given. Which one it is depends on who was still there when something
//! was solved, never on who solved it.

use std::cmp::Ordering;

use super::super::RunMetrics;
use crate::statistics::{
    LEVEL, Observed, ShareInterval, Successes, TestStatistic, a12, fisher, fisher_least, log_rank,
    log_rank_least, mann_whitney, mann_whitney_least,
};
use crate::util::named_enum::named;

named! {
    /// A test of two samples.
    pub enum Test {
        /// Mann and Whitney's, its distribution counted out.
        Exact = "mann-whitney-exact",
        /// Mann and Whitney's, by the normal distribution, corrected for ties and continuity.
        Normal = "mann-whitney-normal",
        /// Of times to an event that some never saw.
        LogRank = "log-rank",
        /// Fisher's of two shares, its distribution counted out.
        Fisher = "fisher-exact",
    }
}

named! {
    /// The figure that is compared.
    pub enum ComparedMetric {
        /// The best board's fitness.
        Fitness = "fitness",
        /// Evaluations plus moves to a solution.
        Work = "work",
        /// Whether there is a solution.
        Solved = "solved",
    }
}

/// What two sets of runs say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The test.
    pub test: Test,
    /// What it compares.
    pub figure: ComparedMetric,
    /// Runs of both that were not solved, and how many there are.
    pub censored: (usize, usize),
    /// Its statistic: U of the first, chi-squared with one degree of freedom, or how many of the first
    /// are solved.
    pub statistic: f64,
    /// How often chance alone gives one as extreme.
    pub p: f64,
    /// The least p that so many runs, solved when they were, could have given.
    pub least: f64,
    /// Of all pairs of runs the share in which the first one's does better. Where censoring leaves open
    /// which does, it is a tie.
    pub effect: ShareInterval,
}

impl TestResult {
    /// Of two sets of runs; nothing without runs in both.
    pub(super) fn of(first: &[&RunMetrics], second: &[&RunMetrics]) -> Option<Self> {
        let all = first.len() + second.len();
        let unsolved = first.iter().chain(second).filter(|run| !run.solved()).count();
        let censored = (unsolved, all);
        let ranked = |figure: ComparedMetric, value: fn(&RunMetrics) -> f64| {
            let values =
                |runs: &[&RunMetrics]| runs.iter().map(|run| value(run)).collect::<Vec<_>>();
            let (first, second) = (values(first), values(second));
            let (TestStatistic { statistic, p }, exact) = mann_whitney(&first, &second)?;
            let effect = a12(&first, &second, f64::total_cmp)?;
            let test = if exact { Test::Exact } else { Test::Normal };
            let least = mann_whitney_least(first.len(), second.len());
            Some(Self { test, figure, censored, statistic, p, least, effect })
        };
        match unsolved {
            0 => ranked(ComparedMetric::Work, |run| run.work as f64),
            _ if unsolved == all => ranked(ComparedMetric::Fitness, |run| run.fitness.into()),
            _ => Self::of_censored(&observed(first), &observed(second)),
        }
    }

    /// Of runs of which some are solved.
    fn of_censored(first: &[Observed], second: &[Observed]) -> Option<Self> {
        let successes = |runs: &[Observed]| Successes {
            of: runs.iter().filter(|run| run.event).count(),
            all: runs.len(),
        };
        let (of_first, of_second) = (successes(first), successes(second));
        let all = of_first.all + of_second.all;
        let censored = (all - of_first.of - of_second.of, all);
        let least = log_rank_least(first, second)?;
        let least_of_shares = fisher_least(of_first, of_second)?;
        if least < LEVEL || least_of_shares >= LEVEL {
            let TestStatistic { statistic, p } = log_rank(first, second)?;
            let effect = a12(first, second, sooner)?;
            let (test, figure) = (Test::LogRank, ComparedMetric::Work);
            return Some(Self { test, figure, censored, statistic, p, least, effect });
        }
        let TestStatistic { statistic, p } = fisher(of_first, of_second)?;
        let effect = a12(first, second, |one, other| other.event.cmp(&one.event))?;
        let (test, figure, least) = (Test::Fisher, ComparedMetric::Solved, least_of_shares);
        Some(Self { test, figure, censored, statistic, p, least, effect })
    }

    /// Which test, and why, in words.
    pub fn text(&self) -> String {
        let (unsolved, all) = self.censored;
        let text = match (self.test, self.figure) {
            (Test::LogRank, _) => format!("log-rank on work: {unsolved} of {all} runs not solved"),
            (Test::Fisher, _) => format!(
                "Fisher's exact on solved runs: {unsolved} of {all} not solved, hardly a solution within \
                 work that both spent"
            ),
            (test, ComparedMetric::Fitness) => {
                format!("{} on fitness: no run solved", rank_sum(test))
            }
            (test, _) => format!("{} on work: all runs solved", rank_sum(test)),
        };
        // Before the correction, which makes no p smaller.
        if self.least < LEVEL { text } else { text + "; too few to tell anything at 5 %" }
    }
}

fn rank_sum(test: Test) -> &'static str {
    if test == Test::Exact { "exact Mann-Whitney" } else { "Mann-Whitney" }
}

fn observed(runs: &[&RunMetrics]) -> Vec<Observed> {
    runs.iter().map(|run| Observed { time: run.work as f64, event: run.solved() }).collect()
}

/// Which of two was solved with less work, as far as that is known.
fn sooner(one: &Observed, other: &Observed) -> Ordering {
    match (one.event, other.event) {
        (true, true) => one.time.total_cmp(&other.time),
        // It would have taken more than it spent.
        (true, false) if one.time <= other.time => Ordering::Less,
        (false, true) if other.time <= one.time => Ordering::Greater,
        _ => Ordering::Equal,
    }
}
