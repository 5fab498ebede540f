//! Groups: cells of a puzzle that differ in the compared factor alone.

use std::sync::Arc;

use thiserror::Error;

use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Plan, Results, RunMetrics};
use super::ComparedFactor;
use crate::board::Puzzle;

/// The properties that the cells of a group share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupKey {
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

/// A value of the factor, and the cell that has it.
#[derive(Clone, Debug)]
pub(super) struct FactorLevel<'r> {
    /// The value.
    pub value: String,
    /// Number of its cell, from 0.
    pub cell: usize,
    /// The finished runs of evolution.
    pub runs: Vec<&'r RunMetrics>,
}

/// A plan in which no two cells differ in the factor alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--compare {factor}: {plan} has no two {} where all else is equal", .factor.plural())]
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
    let mut groups = planned(results.plan(), &results.view().only, factor);
    for level in groups.iter_mut().flat_map(|group| &mut group.levels) {
        level.runs = results.of_cell(level.cell).filter(|run| run.work > 0).collect();
    }
    groups
}

/// The groups before anything has run.
pub(super) fn planned<'r>(
    plan: &Plan,
    only: &[CellFilter],
    factor: ComparedFactor,
) -> Vec<ComparisonGroup<'r>> {
    let mut groups: Vec<ComparisonGroup<'_>> = Vec::new();
    let cells = plan.cells.iter().enumerate();
    for (number, cell) in cells.filter(|(_, cell)| cell.seeds > 0 && all_hold(only, cell)) {
        let Some(value) = factor.of(cell) else { continue };
        let key = key(plan, cell, factor);
        let level = FactorLevel { value, cell: number, runs: Vec::new() };
        match groups.iter_mut().find(|group| group.key == key) {
            None => groups.push(ComparisonGroup { key, levels: vec![level] }),
            // A spec may list the same thing twice.
            Some(group) if group.levels.iter().any(|known| known.value == level.value) => {}
            Some(group) => group.levels.push(level),
        }
    }
    groups
}

fn key(plan: &Plan, cell: &Cell, factor: ComparedFactor) -> GroupKey {
    let values = plan.parameters.iter().filter_map(|name| Some((*name, cell.value(name)?)));
    let mut context = vec![("method", cell.method.to_string())];
    context.extend(values);
    context.retain(|(name, _)| *name != factor.name());
    GroupKey { block: cell.block.clone(), puzzle: cell.puzzle.clone(), context }
}

/// Collects groups that are the `same` into lists, in the order of the first of each.
pub(super) fn collect<'g, 'r>(
    groups: impl Iterator<Item = &'g ComparisonGroup<'r>>,
    same: impl Fn(&ComparisonGroup<'r>, &ComparisonGroup<'r>) -> bool,
) -> Vec<Vec<&'g ComparisonGroup<'r>>> {
    let mut lists: Vec<Vec<&ComparisonGroup<'r>>> = Vec::new();
    for group in groups {
        match lists.iter_mut().find(|list| same(list[0], group)) {
            Some(list) => list.push(group),
            None => lists.push(vec![group]),
        }
    }
    lists
}
