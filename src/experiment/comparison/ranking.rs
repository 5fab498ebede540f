//! Ranks over puzzles: on each puzzle the values of the factor are ranked, and Friedman's test asks
//! whether their mean ranks could be chance.
//!
//! On a puzzle the values are ranked by their runs against the runs of all other values, in the order of runs that
//! the pairs have: so a value cannot win by a larger budget alone. Each of several groups of values has its own
//! ranks.

use std::sync::Arc;

use super::super::cell::grouped;
use super::group::{ComparisonGroup, FactorLevel};
use super::pair::SharedBudget;
use crate::board::Puzzle;
use crate::statistics::{Friedman, LEVEL, TestStatistic, critical_difference, puzzles_for_a_rank};

/// The ranks of values over several puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodRanking {
    /// The parameters that all of them share.
    pub context: Vec<(&'static str, String)>,
    /// The puzzles, each with the first block that has all runs of it.
    pub puzzles: Vec<(String, String)>,
    /// Puzzles that are left out: they lack runs of some value, or all pairs with its runs are open.
    pub left_out: usize,
    /// The values and their mean ranks, the least first.
    pub ranks: Vec<(String, f64)>,
    /// Friedman's chi-squared, and its p.
    pub test: TestStatistic,
    /// Whether p is counted exactly; otherwise it is that of chi-squared.
    pub exact: bool,
    /// Nemenyi's critical difference of mean ranks at 5 %.
    pub critical_difference: f64,
    /// Puzzles over which mean ranks that are one apart would differ by it.
    pub puzzles_for_a_rank: u64,
}

impl MethodRanking {
    fn of(groups: &[&ComparisonGroup<'_>]) -> Option<Self> {
        let whole = |group: &&&ComparisonGroup<'_>| {
            group.levels.iter().all(|level| lost(level, &group.levels).is_some())
        };
        let of_puzzle = |group: &ComparisonGroup<'_>| group.key.puzzle.clone();
        let complete = groups.iter().filter(whole).map(|group| (of_puzzle(group), *group));
        let complete = grouped(complete);
        let (_, first) = complete.first().filter(|_| complete.len() > 1)?;
        let first = first[0];
        let values: Vec<String> = first.levels.iter().map(|level| level.value.clone()).collect();
        // Blocks may list the same values in another order. A puzzle of several blocks is ranked once, by the sum
        // over its complete blocks.
        let of = |(_, groups): &(Arc<Puzzle>, Vec<&ComparisonGroup<'_>>)| -> Vec<f64> {
            let lost = |value: &String, group: &&ComparisonGroup<'_>| {
                lost(group.levels.iter().find(|level| level.value == *value)?, &group.levels)
            };
            let in_all = |value| groups.iter().filter_map(|group| lost(value, group)).sum();
            values.iter().map(in_all).collect()
        };
        let friedman = Friedman::of(&complete.iter().map(of).collect::<Vec<_>>())?;
        let (approximate, counted) = (friedman.test(), friedman.counted());
        let mut ranks: Vec<(String, f64)> = values.into_iter().zip(friedman.mean_ranks()).collect();
        ranks.sort_by(|a, b| a.1.total_cmp(&b.1));
        let place = |(puzzle, groups): &(Arc<Puzzle>, Vec<&ComparisonGroup<'_>>)| {
            (groups[0].key.block.clone(), puzzle.name.clone())
        };
        let all = grouped(groups.iter().map(|group| (of_puzzle(group), ())));
        Some(Self {
            context: first.key.context.clone(),
            left_out: all.len() - complete.len(),
            test: TestStatistic { p: counted.unwrap_or(approximate.p), ..approximate },
            exact: counted.is_some(),
            critical_difference: critical_difference(ranks.len(), complete.len()),
            puzzles_for_a_rank: puzzles_for_a_rank(ranks.len()),
            puzzles: complete.iter().map(place).collect(),
            ranks,
        })
    }

    /// The pairs of values whose mean ranks differ by more than the critical difference, the better one first.
    pub fn apart(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.ranks.iter().enumerate().flat_map(|(place, (one, rank))| {
            self.ranks[place + 1..].iter().map(move |(other, later)| (one, other, later - rank))
        });
        let apart = pairs.filter(|(_, _, difference)| self.is_apart(*difference));
        apart.map(|(one, other, _)| (one.as_str(), other.as_str()))
    }

    /// Whether a difference of mean ranks is significant: by Friedman's test for all values, and then by
    /// Nemenyi's for two.
    fn is_apart(&self, difference: f64) -> bool {
        self.test.p < LEVEL && difference > self.critical_difference
    }

    /// The largest sets of values, from one place to another, that the critical difference does not
    /// tell apart.
    pub fn alike(&self) -> Vec<(usize, usize)> {
        let mut sets: Vec<(usize, usize)> = Vec::new();
        for (first, (_, rank)) in self.ranks.iter().enumerate() {
            let near = |(_, other): &(String, f64)| !self.is_apart(other - rank);
            let last = self.ranks.iter().rposition(near).unwrap_or(first);
            if last > first && sets.last().is_none_or(|(_, before)| last > *before) {
                sets.push((first, last));
            }
        }
        sets
    }
}

/// The share of pairs with a run of another value in which the run of this one is worse, less the share in which
/// it is better. Ties and open pairs are neither; nothing if all are open. A billionth is rounding.
fn lost(level: &FactorLevel<'_>, all: &[FactorLevel<'_>]) -> Option<f64> {
    let (mut lost, mut is_known) = (0.0, false);
    for other in all.iter().filter(|other| other.value != level.value) {
        let budget = SharedBudget::of(&level.runs, &other.runs);
        let pairs = level.runs.iter().flat_map(|one| other.runs.iter().map(move |run| (one, run)));
        let orders: Vec<_> = pairs.filter_map(|(one, run)| budget.order(one, run)).collect();
        is_known |= !orders.is_empty();
        let sum: i64 = orders.into_iter().map(|order| order as i64).sum();
        lost += sum as f64 / (level.runs.len() * other.runs.len()).max(1) as f64;
    }
    is_known.then(|| (lost * 1e9).round())
}

/// The ranks of each set of values with the same context, where there are several puzzles.
pub(super) fn rankings(groups: &[ComparisonGroup<'_>]) -> Vec<MethodRanking> {
    let several = groups.iter().filter(|group| group.levels.len() > 1);
    let keyed = several.map(|group| ((&group.key.context, values(group)), group));
    grouped(keyed).iter().filter_map(|(_, groups)| MethodRanking::of(groups)).collect()
}

fn values<'g>(group: &'g ComparisonGroup<'_>) -> Vec<&'g str> {
    let mut values: Vec<&str> = group.levels.iter().map(|level| level.value.as_str()).collect();
    values.sort_unstable();
    values
}
