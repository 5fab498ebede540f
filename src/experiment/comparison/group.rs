//! Groups: cells of a puzzle that differ in the aspect alone.

use std::sync::Arc;

use thiserror::Error;

use super::super::cell_filter::all_hold;
use super::super::{Cell, CellFilter, Plan, Results, RunMetrics};
use super::ComparedFactor;
use crate::board::Puzzle;

/// What the cells of a group have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupKey {
    /// The block.
    pub block: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The method, unless it is compared, and all parameters that the spec names but the one that is.
    pub context: Vec<(&'static str, String)>,
}

/// Cells that differ in the aspect alone, and their runs.
#[derive(Clone, Debug)]
pub(super) struct ComparisonGroup<'r> {
    pub key: GroupKey,
    pub arms: Vec<FactorLevel<'r>>,
}

/// One value of the aspect.
#[derive(Clone, Debug)]
pub(super) struct FactorLevel<'r> {
    /// The value.
    pub value: String,
    /// Number of its cell, from 0.
    pub cell: usize,
    /// The finished runs of evolution.
    pub runs: Vec<&'r RunMetrics>,
}

/// No two cells differ in the aspect alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--compare {aspect}: {plan} has no two {} where all else is equal", .aspect.plural())]
pub struct NothingToCompare {
    /// The experiment's name.
    pub plan: String,
    /// What was to be compared.
    pub aspect: ComparedFactor,
}

/// All groups of the cells that are shown, in the order of the plan.
pub(super) fn groups<'r>(
    results: &'r Results<'_>,
    aspect: ComparedFactor,
) -> Vec<ComparisonGroup<'r>> {
    let mut groups = planned(results.plan(), &results.view().only, aspect);
    for arm in groups.iter_mut().flat_map(|group| &mut group.arms) {
        arm.runs = results.of_cell(arm.cell).filter(|run| run.work > 0).collect();
    }
    groups
}

/// The groups before anything has run.
fn planned<'r>(
    plan: &Plan,
    only: &[CellFilter],
    aspect: ComparedFactor,
) -> Vec<ComparisonGroup<'r>> {
    let mut groups: Vec<ComparisonGroup<'_>> = Vec::new();
    let cells = plan.cells.iter().enumerate();
    for (number, cell) in cells.filter(|(_, cell)| cell.seeds > 0 && all_hold(only, cell)) {
        let Some(value) = aspect.of(cell) else { continue };
        let key = key(plan, cell, aspect);
        let arm = FactorLevel { value, cell: number, runs: Vec::new() };
        match groups.iter_mut().find(|group| group.key == key) {
            None => groups.push(ComparisonGroup { key, arms: vec![arm] }),
            // A spec may list the same thing twice.
            Some(group) if group.arms.iter().any(|known| known.value == arm.value) => {}
            Some(group) => group.arms.push(arm),
        }
    }
    groups
}

fn key(plan: &Plan, cell: &Cell, aspect: ComparedFactor) -> GroupKey {
    let method = (aspect != ComparedFactor::Method).then(|| ("method", cell.method.to_string()));
    let others = plan.parameters.iter().filter(|name| aspect != ComparedFactor::Parameter(name));
    let values = others.filter_map(|name| Some((*name, cell.value(name)?)));
    GroupKey {
        block: cell.block.clone(),
        puzzle: cell.puzzle.clone(),
        context: method.into_iter().chain(values).collect(),
    }
}

/// Whether any group has two values.
pub(super) fn check(plan: &Plan, aspect: ComparedFactor) -> Result<(), NothingToCompare> {
    match planned(plan, &[], aspect).iter().any(|group| group.arms.len() > 1) {
        true => Ok(()),
        false => Err(NothingToCompare { plan: plan.name.clone(), aspect }),
    }
}
