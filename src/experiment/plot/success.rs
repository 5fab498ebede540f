//! Success, and what a solution costs: a row for each method, grouped by puzzle.

use super::super::RunMetrics;
use super::layout::PanelLayout;
use crate::report::plot::{Axis, DotPlot, PlotRow};
use crate::statistics::{CensoredQuantiles, wilson};

/// Runs from which on quartiles are drawn.
const SEVERAL: usize = 5;

/// Runs solved, with Wilson intervals.
pub(super) fn shares(scheme: &PanelLayout<'_>) -> Option<DotPlot> {
    let row = |number: usize, runs: &[&RunMetrics]| {
        let solved = runs.iter().filter(|run| run.solved()).count();
        let interval = wilson(solved, runs.len());
        PlotRow {
            number,
            dots: vec![100.0 * solved as f64 / runs.len() as f64],
            interval: interval.map(|it| (100.0 * it.low, 100.0 * it.high)),
            note: format!("{solved}/{}", runs.len()),
            ..PlotRow::default()
        }
    };
    Some(DotPlot {
        title: "Runs solved".to_owned(),
        caption: "Share of the runs that found a solution, with its 95 % Wilson interval."
            .to_owned(),
        x: Axis::percent("runs solved (%)"),
        legend: Vec::new(),
        groups: groups(scheme, row)?,
    })
}

/// The work of each run.
pub(super) fn work(scheme: &PanelLayout<'_>) -> Option<DotPlot> {
    let row = |number: usize, runs: &[&RunMetrics]| {
        let spent = |solved: bool| -> Vec<f64> {
            runs.iter().filter(|run| run.solved() == solved).map(|run| run.work as f64).collect()
        };
        let (dots, crosses) = (spent(true), spent(false));
        let spread = CensoredQuantiles::of(dots.iter().copied(), crosses.len());
        let quartiles = spread.lower_quartile.zip(spread.upper_quartile);
        let interval = quartiles.filter(|_| runs.len() >= SEVERAL);
        let note = spread.median.map_or_else(
            || "median not reached".to_owned(),
            |median| format!("median {}", indicatif::HumanCount(median.round() as u64)),
        );
        PlotRow {
            number,
            dots,
            crosses,
            interval,
            middle: spread.median,
            note,
            ..PlotRow::default()
        }
    };
    let groups = groups(scheme, row)?;
    let all = groups.iter().flat_map(|(_, rows)| rows);
    let all: Vec<f64> = all.flat_map(|row| row.dots.iter().chain(&row.crosses)).copied().collect();
    Some(DotPlot {
        title: "Work of each run".to_owned(),
        caption: "Dots: runs with a solution. Crosses: runs that ended without one, which would have cost \
                  more. The stroke is the median over all runs, the line spans their quartiles, as far as \
                  they are known."
            .to_owned(),
        x: Axis::logarithmic("work (evaluations + moves)", all),
        legend: Vec::new(),
        groups,
    })
}

/// A row for each method that was asked for of a puzzle; nothing where no run evolved.
fn groups(
    scheme: &PanelLayout<'_>,
    row: impl Fn(usize, &[&RunMetrics]) -> PlotRow,
) -> Option<Vec<(String, Vec<PlotRow>)>> {
    let mut groups = Vec::new();
    for puzzle in 0..scheme.puzzles() {
        let of_method = |(number, label): (usize, &String)| {
            let (label, runs) = (label.clone(), scheme.runs(puzzle, number));
            if let Some(why) = scheme.why_not(puzzle, number) {
                return Some(PlotRow { label, note: why.to_owned(), ..PlotRow::default() });
            }
            (!runs.is_empty()).then(|| PlotRow { label, ..row(number, &runs) })
        };
        let rows: Vec<PlotRow> =
            scheme.methods().iter().enumerate().filter_map(of_method).collect();
        if !rows.is_empty() {
            groups.push((scheme.puzzle(puzzle), rows));
        }
    }
    let all = || groups.iter().flat_map(|(_, rows): &(String, Vec<PlotRow>)| rows);
    let drawn = all().any(|row| !row.dots.is_empty() || !row.crosses.is_empty());
    drawn.then_some(groups)
}
