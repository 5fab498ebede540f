//! Which runs share a line of the plot.

use indicatif::HumanCount;

use super::super::{Cell, Results};

/// Lines that can be told from each other.
pub(super) const MOST: usize = 8;

/// Parameters that end a run.
const BUDGETS: [&str; 3] = ["max_generations", "max_work", "time_limit"];

/// Cells that share a line.
pub(super) struct CellGroup {
    /// What they have in common.
    pub label: String,
    /// Their numbers.
    pub cells: Vec<usize>,
}

/// All lines of a panel.
pub(super) struct Groups(pub Vec<CellGroup>);

impl Groups {
    /// Lines for the cells that run, by as many of the aspects that vary as can be told from each
    /// other, `but` some: by method and puzzle before parameters, by budgets last.
    pub fn of(results: &Results<'_>, but: &[&str]) -> Self {
        let plan = results.plan();
        let cells: Vec<usize> = (0..plan.cells.len())
            .filter(|cell| results.of_cell(*cell).any(|run| run.work > 0))
            .collect();
        let mut names = vec!["method", "puzzle", "population"];
        let parameters = plan.parameters.iter().filter(|name| **name != "population");
        names.extend(parameters.clone().filter(|name| !BUDGETS.contains(name)));
        names.push("block");
        names.extend(parameters.filter(|name| BUDGETS.contains(name)));
        names.retain(|name| !but.contains(name));
        let mut taken: Vec<&str> = Vec::new();
        let mut groups = Self::by(&plan.cells, &cells, &taken);
        for name in names {
            let more: Vec<&str> = taken.iter().copied().chain([name]).collect();
            let finer = Self::by(&plan.cells, &cells, &more);
            // An aspect that splits nothing has nothing to say.
            if (groups.0.len() + 1..=MOST).contains(&finer.0.len()) {
                (taken, groups) = (more, finer);
            }
        }
        groups
    }

    fn by(all: &[Cell], cells: &[usize], names: &[&str]) -> Self {
        let mut groups: Vec<CellGroup> = Vec::new();
        for cell in cells {
            let parts: Vec<String> = names
                .iter()
                .map(|name| label(&all[*cell], name))
                .filter(|part| !part.is_empty())
                .collect();
            let label = if parts.is_empty() { "all runs".to_owned() } else { parts.join(", ") };
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.cells.push(*cell),
                None => groups.push(CellGroup { label, cells: vec![*cell] }),
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
    if ["method", "puzzle", "block"].contains(&name) || value.parse::<f64>().is_err() {
        return value;
    }
    let value = value.parse().map_or(value, |count| HumanCount(count).to_string());
    format!("{} {value}", name.replace('_', " "))
}
