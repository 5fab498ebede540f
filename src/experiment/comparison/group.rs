//! Groups: cells of a puzzle that differ in the compared factor alone.

use std::collections::HashSet;
use std::sync::Arc;

use thiserror::Error;

use super::super::cell::grouped;
use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Plan, Results, RunMetrics};
use super::ComparedFactor;
use crate::board::Puzzle;

/// The properties that the cells of a group share.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupKey {
    /// The block.
    pub block: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The method, unless it is compared, and all parameters that the spec names but the one that is.
    pub context: Vec<(&'static str, String)>,
}

/// Cells that differ in the compared factor alone, and their runs.
#[derive(Clone, Debug)]
pub(super) struct ComparisonGroup<'r> {
    pub key: GroupKey,
    pub levels: Vec<FactorLevel<'r>>,
}

/// A value of the factor, and the cells that have it.
#[derive(Clone, Debug)]
pub(super) struct FactorLevel<'r> {
    /// The value.
    pub value: String,
    /// Numbers of its cells, from 0; there are several if a spec lists a cell more than once.
    pub cells: Vec<usize>,
    /// The finished runs of evolution, each seed once.
    pub runs: Vec<&'r RunMetrics>,
}

/// A plan in which no two cells differ in the factor alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--compare {0}: {plan} has no puzzle with two cells that differ only in {0}{hint}", .factor.name(),
    hint = match *factor {
        ComparedFactor::METHOD => "; exact methods are not compared",
        ComparedFactor::BLOCK => "; each block needs exactly one cell for the puzzle",
        _ => ", or this parameter has no effect in these cells",
    })]
pub struct NothingToCompare {
    /// The experiment's name.
    pub plan: String,
    /// The factor that was to be compared.
    pub factor: ComparedFactor,
}

/// All groups of the cells that pass the filters of the results, in the order of the plan.
pub(super) fn groups<'r>(
    results: &'r Results<'_>,
    factor: ComparedFactor,
) -> Vec<ComparisonGroup<'r>> {
    let mut groups = planned(results.plan, &results.view.only, factor);
    for level in groups.iter_mut().flat_map(|group| &mut group.levels) {
        let mut seeds = HashSet::new();
        let runs = level.cells.iter().flat_map(|cell| results.seeded(*cell));
        let runs = runs.filter(|(seed, run)| run.is_evolved() && seeds.insert(*seed));
        level.runs = runs.map(|(_, run)| run).collect();
    }
    groups
}

/// The groups before anything has run.
pub(super) fn planned<'r>(
    plan: &Plan,
    only: &[CellFilter],
    factor: ComparedFactor,
) -> Vec<ComparisonGroup<'r>> {
    let level = |(number, cell): (usize, &Cell)| {
        let value = factor.of(cell).filter(|_| cell.seeds > 0 && all_hold(only, cell))?;
        Some((key(plan, cell, factor), (value, number)))
    };
    let group = |(key, values): (GroupKey, Vec<(String, usize)>)| {
        let level = |(value, cells): (String, Vec<usize>)| {
            // A block of several cells is no single configuration.
            let is_one = factor != ComparedFactor::BLOCK || cells.len() == 1;
            is_one.then_some(FactorLevel { value, cells, runs: Vec::new() })
        };
        ComparisonGroup {
            key,
            levels: grouped(values.into_iter()).into_iter().filter_map(level).collect(),
        }
    };
    let levels = plan.cells.iter().enumerate().filter_map(level);
    grouped(levels).into_iter().map(group).collect()
}

fn key(plan: &Plan, cell: &Cell, factor: ComparedFactor) -> GroupKey {
    if factor == ComparedFactor::BLOCK {
        return GroupKey { block: String::new(), puzzle: cell.puzzle.clone(), context: Vec::new() };
    }
    let mut context = vec![("method", cell.method.to_string())];
    context.extend(cell.values(&plan.parameters));
    context.retain(|(name, _)| *name != factor.name());
    GroupKey { block: cell.block.clone(), puzzle: cell.puzzle.clone(), context }
}
