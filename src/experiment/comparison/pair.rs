//! Pairs of values on a puzzle.

use super::Evidence;
use super::group::{Arm, Group};
use crate::statistics::{LEVEL, holm, runs_for_a12, runs_for_shares};

/// One of two that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
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
pub struct Comparison {
    /// The block.
    pub block: String,
    /// The puzzle's name.
    pub puzzle: String,
    /// What both have in common: the method unless it is compared, and parameters that the spec names.
    pub context: Vec<(&'static str, String)>,
    /// The first.
    pub first: Side,
    /// The second.
    pub second: Side,
    /// What their runs say.
    pub evidence: Evidence,
    /// Its p, corrected by Holm for all pairs of the puzzle in its block.
    pub p_holm: f64,
    /// Runs of each that would tell shares of success as far apart as theirs; nothing where these are
    /// equal.
    pub runs_for_shares: Option<u64>,
    /// Runs of each that would tell an A12 like theirs from one half; nothing where it is that.
    pub runs_for_a12: Option<u64>,
}

impl Side {
    fn of(arm: &Arm<'_>) -> Self {
        let solved = arm.runs.iter().filter(|run| run.solved()).count();
        Self { value: arm.value.clone(), cell: arm.cell, runs: arm.runs.len(), solved }
    }

    fn share(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}

impl Comparison {
    fn of(group: &Group<'_>, first: &Arm<'_>, second: &Arm<'_>) -> Option<Self> {
        let evidence = Evidence::of(&first.runs, &second.runs)?;
        let (first, second) = (Side::of(first), Side::of(second));
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
    pub fn better(&self) -> Option<&Side> {
        let share = self.evidence.effect.share;
        match self.p_holm < LEVEL {
            true if share > 0.5 => Some(&self.first),
            true if share < 0.5 => Some(&self.second),
            _ => None,
        }
    }
}

/// All pairs, those of a puzzle together.
pub(super) fn pairs(groups: &[Group<'_>]) -> Vec<Comparison> {
    let mut puzzles: Vec<Vec<&Group<'_>>> = Vec::new();
    for group in groups {
        let same = |known: &&mut Vec<&Group<'_>>| {
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

fn of_puzzle(groups: &[&Group<'_>]) -> Vec<Comparison> {
    let mut all: Vec<Comparison> = Vec::new();
    for group in groups {
        for (place, first) in group.arms.iter().enumerate() {
            let others = group.arms[place + 1..].iter();
            all.extend(others.filter_map(|second| Comparison::of(group, first, second)));
        }
    }
    let corrected = holm(&all.iter().map(|pair| pair.evidence.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(pair, p)| pair.p_holm = p);
    all
}
