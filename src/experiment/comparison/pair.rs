//! Pairs of values on a puzzle, and the test that tells their runs apart.
//!
//! One order of runs decides everything. All runs of a pair are compared at one budget: the least work that an
//! unsolved run of either side has spent, and up to a tenth more. Of two runs solved within it, the better one did
//! less work. One that is solved within it is better than all others. If no run ended beyond it, the better one of two
//! unsolved runs has fewer conflicts left. All else is open: nobody knows what the run with less work would have found
//! with more, or how many conflicts the other had left at the budget.
//!
//! ```text
//! work:      100      200      300      400
//! first:      S ................ U 7 conflicts          S: solved, U: unsolved
//! second:             S           U 9 conflicts
//!
//! The budget is 300 to 330. S 100 is better than S 200, both are better than the others, and U 7 is better than U 9.
//! With another run S 400 or U 400, which is beyond the budget, the order of U 7 and U 9 would be open, too.
//! ```
//!
//! Whether a pair is open must not depend on the side. Otherwise runs of the side that ends later could only win or
//! only lose, and the test would find a difference where there is none.
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
    /// Number of its first cell, from 0.
    pub cell: usize,
    /// Runs of evolution that are finished.
    pub runs: usize,
    /// Those that are solved; late ones are not.
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
    /// The smallest p after the correction that pairs with as many runs could have.
    pub least_holm: f64,
    /// Runs of each that would show an A12 like theirs to differ from one half; nothing where it is that.
    pub runs_for_a12: Option<u64>,
}

impl LevelSummary {
    fn of(level: &FactorLevel<'_>) -> Self {
        let solved = level.runs.iter().filter(|run| run.solved()).count();
        let (value, cell) = (level.value.clone(), level.cells[0]);
        Self { value, cell, runs: level.runs.len(), solved }
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
        let (key, [p_holm, least_holm]) = (group.key.clone(), [evidence.found.p, 0.0]);
        let runs_for_a12 = runs_for_a12(evidence.effect.share);
        Some(Self { key, evidence, p_holm, least_holm, runs_for_a12, first, second })
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

    /// Whether no result could be significant, because there are too few runs or all pairs of runs are open.
    pub fn too_few(&self) -> bool {
        self.least_holm >= LEVEL || self.evidence.open == 1.0
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
    let corrected = |p: fn(&TwoSampleTest) -> f64| {
        holm(&all.iter().map(|pair| p(&pair.evidence.found)).collect::<Vec<_>>())
    };
    let (found, least) = (corrected(|test| test.p), corrected(|test| test.least));
    for (pair, corrected) in all.iter_mut().zip(found.into_iter().zip(least)) {
        (pair.p_holm, pair.least_holm) = corrected;
    }
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
        let budget = SharedBudget::of(first, second);
        let or_tie = |one: &&RunMetrics, other: &&RunMetrics| {
            budget.order(one, other).unwrap_or(Ordering::Equal)
        };
        let (found, exact) = mann_whitney(first, second, or_tie)?;
        let pairs = first.iter().flat_map(|one| second.iter().map(|it| budget.order(one, it)));
        let open =
            pairs.filter(Option::is_none).count() as f64 / (first.len() * second.len()) as f64;
        let unsolved = first.iter().chain(second).filter(|run| !run.solved()).count();
        let effect = a12(found.statistic, [first.len(), second.len()]);
        Some(Self { exact, unsolved, open, found, effect })
    }
}

/// The work up to which the runs of a pair are compared.
pub(super) struct SharedBudget {
    /// A tenth more than the least work of an unsolved run.
    most: f64,
    /// Whether no run has spent more.
    all_within: bool,
}

impl SharedBudget {
    /// The budget of some runs on both sides.
    pub fn of(first: &[&RunMetrics], second: &[&RunMetrics]) -> Self {
        let all = || first.iter().chain(second);
        let unsolved = all().filter(|run| !run.solved());
        let most = unsolved.map(|run| ALIKE * run.work as f64).fold(f64::INFINITY, f64::min);
        Self { most, all_within: all().all(|run| run.work as f64 <= most) }
    }

    /// Which of two runs is better (`Less`); nothing if the pair is open.
    pub fn order(&self, one: &RunMetrics, other: &RunMetrics) -> Option<Ordering> {
        match [one, other].map(|run| run.solved() && run.work as f64 <= self.most) {
            [true, true] => Some(one.work.cmp(&other.work)),
            [true, false] => Some(Ordering::Less),
            [false, true] => Some(Ordering::Greater),
            [false, false] => self.all_within.then(|| one.fitness.cmp(&other.fitness)),
        }
    }
}
