//! Comparisons: what runs say about methods, or about values of a parameter, on each puzzle by itself.
//!
//! Runs that differ in one *aspect* alone, the method or a parameter, are compared in pairs
//! ([`PairwiseTest`]): of two methods on a puzzle, a test ([`TestResult`] tells which, and why), its p
//! corrected for all pairs of the puzzle, the share of pairs of runs that the first wins, and how many
//! runs would tell as much. Nothing is pooled over puzzles but ranks ([`MethodRanking`]).
//!
//! Exact methods have neither generations nor work, and what presolve alone solves says nothing of
//! evolution: neither is compared.

mod columns;
mod factor;
mod group;
mod pair;
mod ranking;
mod table;
mod test_result;
#[cfg(test)]
mod tests;

pub use factor::ComparedFactor;
pub use group::NothingToCompare;
pub use pair::{LevelSummary, PairwiseTest};
pub use ranking::MethodRanking;
pub use test_result::TestResult;

pub(super) use columns::{columns, names, rankings};
pub(super) use table::tables;

use super::{Plan, Results};
use group::{ComparisonGroup, groups};

/// All that is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparisons {
    /// Pairs, by puzzle.
    pub pairs: Vec<PairwiseTest>,
    /// Ranks over puzzles.
    pub rankings: Vec<MethodRanking>,
}

impl Comparisons {
    /// Of the finished runs of results, if their view asks for it.
    pub fn of(results: &Results<'_>) -> Self {
        let Some(aspect) = results.view().compare else { return Self::default() };
        let groups: Vec<ComparisonGroup<'_>> = groups(results, aspect);
        Self { pairs: pair::pairs(&groups), rankings: ranking::rankings(&groups) }
    }

    /// Whether anything in a plan can be compared.
    ///
    /// # Errors
    /// [`NothingToCompare`] when the aspect has one value only wherever all else is equal.
    pub fn check(plan: &Plan, aspect: ComparedFactor) -> Result<(), NothingToCompare> {
        group::check(plan, aspect)
    }
}
