//! Pairs of values on a puzzle, and the test that tells their runs apart.
//!
//! One order of runs decides everything: of two solved runs the better one did less work. A solved run is
//! better than an unsolved one that did at least as much work. Of two unsolved runs the better one has fewer
//! conflicts left, after at most a tenth more work than the other. All else is open: nobody knows what the run
//! with less work would have found with more.
//!
//! ```text
//! work:      100      200      300
//! first:      S ................ U 7 conflicts      S: solved, U: unsolved
//! second:             S    U 9 conflicts
//!
//! S 100 is better than S 200 and than U; U 7 is worse than S 200. Whether U 9 would have had 7 conflicts or
//! fewer after as much work as U 7, nobody knows.
//! ```
//!
//! This is the order of D. M. Finkelstein and D. A. Schoenfeld, *Combining mortality and longitudinal measures
//! in clinical trials*, Statistics in Medicine 18 (1999), 1341-1354: first the time of the event, then a second
//! figure. The Mann-Whitney test and A12 count its pairs.

use std::cmp::Ordering;

use super::super::cell::grouped;
use super::super::run_metrics::{ALIKE, RunMetrics};
use super::group::{ComparisonGroup, FactorLevel, GroupKey};
use crate::statistics::{
    LEVEL, ShareInterval, TwoSampleTest, a12, holm, mann_whitney, runs_for_a12,
};

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
    /// Runs of each that would show an A12 like theirs to differ from one half; nothing where it is that.
    pub runs_for_a12: Option<u64>,
}

impl LevelSummary {
    fn of(level: &FactorLevel<'_>) -> Self {
        let solved = level.runs.iter().filter(|run| run.solved()).count();
        Self { value: level.value.clone(), cell: level.cell, runs: level.runs.len(), solved }
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

/// The test of two sets of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// Whether p is counted exactly; otherwise it is that of a normal distribution.
    pub exact: bool,
    /// Runs of both that were not solved.
    pub unsolved: usize,
    /// Share of the pairs of runs that are open.
    pub open: f64,
    /// Its statistic, U of the first, and its p.
    pub found: TwoSampleTest,
    /// Of all pairs of runs the share in which the first one's does better. Ties and open pairs count half.
    pub effect: ShareInterval,
}

impl TestResult {
    /// Of two sets of runs; nothing without runs in both.
    fn of(first: &[&RunMetrics], second: &[&RunMetrics]) -> Option<Self> {
        let or_tie =
            |one: &&RunMetrics, other: &&RunMetrics| order(one, other).unwrap_or(Ordering::Equal);
        let (found, exact) = mann_whitney(first, second, or_tie)?;
        let pairs = first.iter().flat_map(|one| second.iter().map(|other| order(one, other)));
        let open =
            pairs.filter(Option::is_none).count() as f64 / (first.len() * second.len()) as f64;
        let unsolved = first.iter().chain(second).filter(|run| !run.solved()).count();
        Some(Self { exact, unsolved, open, found, effect: a12(first, second, or_tie)? })
    }

    /// Whether no result could be significant: of so few runs, before the correction, which makes no p smaller, or
    /// with all pairs of runs open.
    pub fn too_few(&self) -> bool {
        self.found.least >= LEVEL || self.open == 1.0
    }
}

/// Which of two runs is better (`Less`); nothing if the pair is open.
pub(super) fn order(one: &RunMetrics, other: &RunMetrics) -> Option<Ordering> {
    if one.solved() && other.solved() {
        return Some(one.work.cmp(&other.work));
    }
    // A solution has fitness 0.
    let order = one.fitness.cmp(&other.fitness);
    let (better, worse) = if order.is_le() { (one, other) } else { (other, one) };
    let most = if better.solved() { 1.0 } else { ALIKE } * worse.work as f64;
    (order.is_eq() || better.work as f64 <= most).then_some(order)
}
