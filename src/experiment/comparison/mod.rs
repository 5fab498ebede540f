//! Comparisons of methods, or of values of a parameter, on each puzzle by itself.
//!
//! Runs that differ in one *factor* alone, the method or a parameter, are compared in pairs
//! ([`PairwiseTest`]): of two methods on a puzzle, a test (`TestResult` gives the test and the reason for it), its p
//! corrected for all pairs of the puzzle, the share of pairs of runs that the first wins, and how many
//! runs would show as much. Nothing is pooled over puzzles but ranks ([`MethodRanking`]).
//!
//! Exact methods have neither generations nor work, and what presolve alone solves says nothing of
//! evolution: neither is compared.

mod factor;
mod group;
mod pair;
mod ranking;
mod tables;
#[cfg(test)]
mod tests;

pub use factor::ComparedFactor;
pub use group::NothingToCompare;
pub use pair::{LevelSummary, PairwiseTest};
pub use ranking::MethodRanking;

pub(super) use tables::{pair_rows, pair_table, ranking_rows, ranking_table};

use super::{Plan, Results};
use group::groups;

/// All comparisons of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparisons {
    /// Pairs, by puzzle.
    pub pairs: Vec<PairwiseTest>,
    /// Ranks over puzzles.
    pub rankings: Vec<MethodRanking>,
}

impl Comparisons {
    /// The comparisons of the finished runs, by the factor of the view; none if it has none.
    pub fn of(results: &Results<'_>) -> Self {
        let Some(factor) = results.view.compare else { return Self::default() };
        let groups = groups(results, factor);
        Self { pairs: pair::pairs(&groups), rankings: ranking::rankings(&groups) }
    }

    /// Finds that something in a plan can be compared.
    ///
    /// # Errors
    /// [`NothingToCompare`] when the factor has one value only wherever all else is equal.
    pub fn check(plan: &Plan, factor: ComparedFactor) -> Result<(), NothingToCompare> {
        match group::planned(plan, &[], factor).iter().any(|group| group.levels.len() > 1) {
            true => Ok(()),
            false => Err(NothingToCompare { plan: plan.name.clone(), factor }),
        }
    }
}
