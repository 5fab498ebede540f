//! Pairs of values on a puzzle.

use super::TestResult;
use super::group::{ComparisonGroup, FactorLevel};
use crate::statistics::{LEVEL, holm, runs_for_a12, runs_for_shares};

/// One of two that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Its value of the aspect.
    pub value: String,
    /// Number of its cell, from 0.
    pub cell: usize,
    /// Runs of evolution that are finished.
    pub runs: usize,
    /// Those with a solution.
    pub solved: usize,
}

/// Two values of the aspect on a puzzle, where all else is equal.
#[derive(Clone, Debug, PartialEq)]
pub struct PairwiseTest {
    /// The block.
    pub block: String,
    /// The puzzle's name.
    pub puzzle: String,
    /// What both have in common: the method unless it is compared, and parameters that the spec names.
    pub context: Vec<(&'static str, String)>,
    /// The first.
    pub first: LevelSummary,
    /// The second.
    pub second: LevelSummary,
    /// What their runs say.
    pub evidence: TestResult,
    /// Its p, corrected by Holm for all pairs of the puzzle in its block.
    pub p_holm: f64,
    /// Runs of each that would tell shares of success as far apart as theirs; nothing where these are
    /// equal.
    pub runs_for_shares: Option<u64>,
    /// Runs of each that would tell an A12 like theirs from one half; nothing where it is that.
    pub runs_for_a12: Option<u64>,
}

impl LevelSummary {
    fn of(arm: &FactorLevel<'_>) -> Self {
        let solved = arm.runs.iter().filter(|run| run.solved()).count();
        Self { value: arm.value.clone(), cell: arm.cell, runs: arm.runs.len(), solved }
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
            block: group.key.block.clone(),
            puzzle: group.key.puzzle.name.clone(),
            context: group.key.context.clone(),
            evidence,
            p_holm: evidence.p,
            runs_for_shares: runs_for_shares(first.share(), second.share()),
            runs_for_a12: runs_for_a12(evidence.effect.share),
            first,
            second,
        })
    }

    /// The one that does better, if they are told apart at 5 % after the correction.
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
    let mut puzzles: Vec<Vec<&ComparisonGroup<'_>>> = Vec::new();
    for group in groups {
        let same = |known: &&mut Vec<&ComparisonGroup<'_>>| {
            let key = &known[0].key;
            (&key.block, &key.puzzle) == (&group.key.block, &group.key.puzzle)
        };
        match puzzles.iter_mut().find(same) {
            Some(known) => known.push(group),
            None => puzzles.push(vec![group]),
        }
    }
    puzzles.iter().flat_map(|groups| of_puzzle(groups)).collect()
}

fn of_puzzle(groups: &[&ComparisonGroup<'_>]) -> Vec<PairwiseTest> {
    let mut all: Vec<PairwiseTest> = Vec::new();
    for group in groups {
        for (place, first) in group.arms.iter().enumerate() {
            let others = group.arms[place + 1..].iter();
            all.extend(others.filter_map(|second| PairwiseTest::of(group, first, second)));
        }
    }
    let corrected = holm(&all.iter().map(|pair| pair.evidence.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(pair, p)| pair.p_holm = p);
    all
}
