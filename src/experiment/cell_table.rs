//! The table of an experiment as people read it: one row a cell, only what varies.

use super::{Cell, CellSummary, Plan, Status};
use crate::report::{Table, dash};
use crate::statistics::CensoredQuantiles;
use crate::util::quantity::count;

/// The table of all cells.
pub(super) fn cell_table(plan: &Plan, summaries: &[CellSummary]) -> Table {
    let varies = |of: &dyn Fn(&Cell) -> Option<String>| {
        let mut values = plan.cells.iter().filter_map(of);
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let blocks = varies(&|cell| Some(cell.block.clone()));
    let value = |cell: &Cell, name| cell.value(name).unwrap_or_default();
    let parameters: Vec<&'static str> =
        plan.parameters.iter().copied().filter(|name| varies(&|cell| cell.value(name))).collect();
    let unsolved = summaries.iter().any(|summary| summary.unsolved_fitness.is_some());

    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.extend(["puzzle", "method"]);
    header.extend(&parameters);
    header.extend(["solved", "success (95 %)", "generations", "work", "expected work"]);
    header.extend(unsolved.then_some("fitness unsolved"));
    header.extend(["s a run", "boards/s"]);

    let rows = plan.cells.iter().zip(summaries).map(|(cell, summary)| {
        let mut row = if blocks { vec![cell.block.clone()] } else { Vec::new() };
        row.extend([cell.puzzle.name.clone(), cell.method.to_string()]);
        row.extend(parameters.iter().map(|name| value(cell, name)));
        row.extend([
            solved(summary),
            summary.success.map_or_else(dash, |success| success.to_string()),
            spread(&summary.generations),
            spread(&summary.work),
            summary.expected_work.mean.map_or_else(dash, whole),
        ]);
        if unsolved {
            row.push(summary.unsolved_fitness.map_or_else(dash, |mean| format!("{mean:.1}")));
        }
        row.extend([
            summary.median_seconds.map_or_else(dash, |seconds| format!("{seconds:.3}")),
            summary.children_per_second.map_or_else(dash, whole),
        ]);
        row
    });
    let notes = notes(&plan.cells, summaries);
    Table { title: String::new(), header, rows: rows.collect(), notes }
}

fn notes(cells: &[Cell], summaries: &[CellSummary]) -> Vec<String> {
    let mut notes = vec![
        "Success with its 95 % Wilson interval. Generations and work (evaluations and moves) to a \
         solution: median (quartiles) over all runs; a - falls among runs without a solution. \
         Expected work: that of all runs over successes. Seconds: median of all runs. Boards/s: \
         of one run."
            .to_owned(),
    ];
    let mut note = |status: Status, text: &str| {
        let count = summaries.iter().filter(|summary| summary.status == status).count();
        match count {
            0 => {}
            1 => notes.push(format!("1 row is {status}: {text}")),
            _ => notes.push(format!("{count} rows are {status}: {text}")),
        }
    };
    note(
        Status::Unfinished,
        "some of their runs are missing: with --export-json, --resume does them.",
    );
    note(Status::Presolved, "presolve alone left nothing to evolve, which is no success.");
    note(Status::NotBuilt, "this program was built without the method.");
    note(Status::Blank, "the work allowed does not pay the generations asked for.");
    for (cell, summary) in cells.iter().zip(summaries) {
        let note = match summary.status {
            Status::Contradictory => {
                format!("{} has no solution: {}.", cell.puzzle.name, summary.remark)
            }
            Status::RejectedRecord => {
                format!("{} by {} was skipped: {}.", cell.puzzle.name, cell.method, summary.remark)
            }
            _ if summary.remark.is_empty() => continue,
            _ => format!("{}: {}.", cell.puzzle.name, summary.remark),
        };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// `17/20`, or why not.
fn solved(summary: &CellSummary) -> String {
    match summary.status {
        Status::Done => format!("{}/{}", summary.solved, summary.runs),
        Status::Unfinished => {
            format!("{}/{} of {}", summary.solved, summary.runs, summary.planned)
        }
        other => other.to_string(),
    }
}

/// `12 (8 to 20)`.
fn spread(spread: &CensoredQuantiles) -> String {
    let show = |figure: Option<f64>| figure.map_or_else(dash, whole);
    match spread.lower_quartile {
        None => dash(),
        Some(_) => format!(
            "{} ({} to {})",
            show(spread.median),
            show(spread.lower_quartile),
            show(spread.upper_quartile)
        ),
    }
}

/// To the nearest whole number.
fn whole(figure: f64) -> String {
    count(figure.round() as u64)
}
