//! Pairs of values on a puzzle, and the test that tells their runs apart.
//!
//! Runs without a solution would have needed more work than they spent, and how much is unknown: they
//! are censored, and the log-rank test takes them as such. Where all runs of both are solved, or none
//! is, nothing is censored, and ranks are enough: of the work, or of the best fitness.
//!
//! The log-rank test sees nothing but solutions found with work that runs of both have spent. Where the
//! unsolved runs of one end before the other solves anything, as those of few generations may, it could
//! tell nothing at 5 %, however the solutions fell; there Fisher's exact test compares how many runs were
//! solved, each with its own bounds. The choice of the test depends on which runs were not over when something
//! was solved, never on which of them solved it.

use std::cmp::Ordering;

use super::super::RunMetrics;
use super::super::cell::grouped;
use super::group::{ComparisonGroup, FactorLevel, GroupKey};
use crate::statistics::{
    LEVEL, Observed, ShareInterval, Successes, TwoSampleTest, a12, fisher, holm, log_rank,
    mann_whitney, runs_for_a12, runs_for_shares,
};
use crate::util::named_enum::named;

/// One of two that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Its value of the factor.
    pub value: String,
    /// Number of its cell, from 0.
    pub cell: usize,
    /// Runs of evolution that are finished.
    pub runs: usize,
    /// Those with a solution.
    pub solved: usize,
}

/// Two values of the factor on a puzzle, where all else is equal.
#[derive(Clone, Debug, PartialEq)]
pub struct PairwiseTest {
    /// The properties that both share.
    pub key: GroupKey,
    /// The first.
    pub first: LevelSummary,
    /// The second.
    pub second: LevelSummary,
    /// The test of their runs.
    pub evidence: TestResult,
    /// Its p, corrected by Holm for all pairs of the puzzle in its block.
    pub p_holm: f64,
    /// Runs of each that would show a difference of shares of success like theirs; nothing where these are
    /// equal.
    pub runs_for_shares: Option<u64>,
    /// Runs of each that would show an A12 like theirs to differ from one half; nothing where it is that.
    pub runs_for_a12: Option<u64>,
}

impl LevelSummary {
    fn of(level: &FactorLevel<'_>) -> Self {
        let solved = level.runs.iter().filter(|run| run.solved()).count();
        Self { value: level.value.clone(), cell: level.cell, runs: level.runs.len(), solved }
    }

    fn share(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}

impl PairwiseTest {
    fn of(
        group: &ComparisonGroup<'_>,
        first: &FactorLevel<'_>,
        second: &FactorLevel<'_>,
    ) -> Option<Self> {
        let evidence = TestResult::of(&first.runs, &second.runs)?;
        let (first, second) = (LevelSummary::of(first), LevelSummary::of(second));
        Some(Self {
            key: group.key.clone(),
            evidence,
            p_holm: evidence.found.p,
            runs_for_shares: runs_for_shares(first.share(), second.share()),
            runs_for_a12: runs_for_a12(evidence.effect.share),
            first,
            second,
        })
    }

    /// The better one, if they differ at 5 % after the correction.
    pub fn better(&self) -> Option<&LevelSummary> {
        let share = self.evidence.effect.share;
        match self.p_holm < LEVEL {
            true if share > 0.5 => Some(&self.first),
            true if share < 0.5 => Some(&self.second),
            _ => None,
        }
    }
}

/// All pairs, those of a puzzle together.
pub(super) fn pairs(groups: &[ComparisonGroup<'_>]) -> Vec<PairwiseTest> {
    let keyed = groups.iter().map(|group| ((&group.key.block, &group.key.puzzle), group));
    grouped(keyed).iter().flat_map(|(_, groups)| of_puzzle(groups)).collect()
}

fn of_puzzle(groups: &[&ComparisonGroup<'_>]) -> Vec<PairwiseTest> {
    let mut all: Vec<PairwiseTest> = Vec::new();
    for group in groups {
        for (place, first) in group.levels.iter().enumerate() {
            let others = group.levels[place + 1..].iter();
            all.extend(others.filter_map(|second| PairwiseTest::of(group, first, second)));
        }
    }
    let corrected = holm(&all.iter().map(|pair| pair.evidence.found.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(pair, p)| pair.p_holm = p);
    all
}

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

/// The test of two sets of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The test.
    pub test: Test,
    /// The figure that it compares.
    pub figure: ComparedMetric,
    /// Runs of both that were not solved, and how many there are.
    pub censored: (usize, usize),
    /// Its statistic, which is U of the first, chi-squared with one degree of freedom, or how many of the first
    /// are solved; and its p.
    pub found: TwoSampleTest,
    /// Of all pairs of runs the share in which the first one's does better. Where censoring leaves open
    /// which does, it is a tie.
    pub effect: ShareInterval,
}

impl TestResult {
    /// Of two sets of runs; nothing without runs in both.
    fn of(first: &[&RunMetrics], second: &[&RunMetrics]) -> Option<Self> {
        let all = first.len() + second.len();
        let unsolved = first.iter().chain(second).filter(|run| !run.solved()).count();
        let ranked = |figure: ComparedMetric, value: fn(&RunMetrics) -> f64| {
            let [first, second] =
                [first, second].map(|runs| runs.iter().map(|run| value(run)).collect::<Vec<_>>());
            let (found, exact) = mann_whitney(&first, &second)?;
            let test = if exact { Test::Exact } else { Test::Normal };
            Some((test, figure, found, a12(&first, &second, f64::total_cmp)?))
        };
        let (test, figure, found, effect) = match unsolved {
            0 => ranked(ComparedMetric::Work, |run| run.work as f64)?,
            _ if unsolved == all => ranked(ComparedMetric::Fitness, |run| run.fitness.into())?,
            _ => Self::of_censored(&observed(first), &observed(second))?,
        };
        Some(Self { test, figure, censored: (unsolved, all), found, effect })
    }

    /// Of runs of which some are solved.
    fn of_censored(
        first: &[Observed],
        second: &[Observed],
    ) -> Option<(Test, ComparedMetric, TwoSampleTest, ShareInterval)> {
        let successes = |runs: &[Observed]| Successes {
            of: runs.iter().filter(|run| run.event).count(),
            all: runs.len(),
        };
        let by_work = log_rank(first, second)?;
        let by_shares = fisher(successes(first), successes(second))?;
        if by_work.least < LEVEL || by_shares.least >= LEVEL {
            let effect = a12(first, second, sooner)?;
            return Some((Test::LogRank, ComparedMetric::Work, by_work, effect));
        }
        let effect = a12(first, second, |one, other| other.event.cmp(&one.event))?;
        Some((Test::Fisher, ComparedMetric::Solved, by_shares, effect))
    }

    /// The name of the test and the reason for it, in words.
    pub fn text(&self) -> String {
        let (unsolved, all) = self.censored;
        let text = match (self.test, self.figure) {
            (Test::LogRank, _) => format!("log-rank on work: {unsolved} of {all} runs not solved"),
            (Test::Fisher, _) => format!(
                "Fisher's exact on solved runs: {unsolved} of {all} not solved, too few solutions \
                 within the work of both"
            ),
            (test, ComparedMetric::Fitness) => {
                format!("{} on fitness: no run solved", rank_sum(test))
            }
            (test, _) => format!("{} on work: all runs solved", rank_sum(test)),
        };
        // Before the correction, which makes no p smaller.
        if self.found.least < LEVEL { text } else { text + "; too few to find a difference at 5 %" }
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
