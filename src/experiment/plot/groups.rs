//! Which runs share a line of the plot.

use super::super::{Cell, Results, Skip};

/// Lines that can be told from each other.
pub(super) const MOST: usize = 8;

/// Cells that share a line.
pub(super) struct Group {
    /// What they have in common.
    pub label: String,
    /// Their numbers.
    pub cells: Vec<usize>,
}

/// All lines of a panel.
pub(super) struct Groups(pub Vec<Group>);

impl Groups {
    /// Lines for the cells that run, whatever they say about the aspects `but`.
    pub fn of(results: &Results<'_>, but: &[&str]) -> Self {
        let plan = results.plan();
        let cells: Vec<usize> = (0..plan.cells.len())
            .filter(|cell| !matches!(plan.cells[*cell].skip, Some(Skip::Contradictory(_))))
            .filter(|cell| results.of_cell(*cell).any(|run| run.work > 0))
            .collect();
        let mut names = vec!["method", "population"];
        names.extend(plan.parameters.iter().filter(|name| **name != "population"));
        names.extend(["puzzle", "block"]);
        names.retain(|name| !but.contains(name));
        let varying: Vec<&str> = names
            .into_iter()
            .filter(|name| {
                cells.iter().any(|cell| {
                    aspect(&plan.cells[*cell], name) != aspect(&plan.cells[cells[0]], name)
                })
            })
            .collect();
        // The puzzle opens a label that tells everything.
        let mut all = varying.clone();
        all.sort_by_key(|name| *name != "puzzle");
        let by = |names: &[&str]| Self::by(&plan.cells, &cells, names);
        let few = |groups: &Self| groups.0.len() <= MOST;
        Some(by(&all))
            .filter(few)
            .or_else(|| varying.iter().map(|name| by(&[name])).find(few))
            .unwrap_or_else(|| by(&[]))
    }

    fn by(all: &[Cell], cells: &[usize], names: &[&str]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for cell in cells {
            let parts: Vec<String> = names
                .iter()
                .map(|name| label(&all[*cell], name))
                .filter(|part| !part.is_empty())
                .collect();
            let label = if parts.is_empty() { "all runs".to_owned() } else { parts.join(", ") };
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.cells.push(*cell),
                None => groups.push(Group { label, cells: vec![*cell] }),
            }
        }
        Self(groups)
    }
}

fn aspect(cell: &Cell, name: &str) -> String {
    match name {
        "method" => cell.method.to_string(),
        "puzzle" => cell.puzzle.name.clone(),
        "block" => cell.block.clone(),
        parameter => cell.value(parameter).unwrap_or_default(),
    }
}

/// Names speak for themselves, numbers do not.
fn label(cell: &Cell, name: &str) -> String {
    let value = aspect(cell, name);
    match value.parse::<f64>() {
        Ok(_) if !["method", "puzzle", "block"].contains(&name) => {
            format!("{} {value}", name.replace('_', " "))
        }
        _ => value,
    }
}
