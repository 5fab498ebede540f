//! Success, and the work that a solution takes: a row for each method, grouped by puzzle.

use super::super::RunMetrics;
use super::super::summary::{solved_text, whole};
use super::layout::PanelLayout;
use crate::report::Plot;
use crate::report::plot::{Axis, DotPlot, PlotRow};
use crate::statistics::{CensoredQuantiles, wilson};

/// Runs from which on quartiles are drawn.
const SEVERAL: usize = 5;

/// Runs solved, with Wilson intervals.
pub(super) fn shares(layout: &PanelLayout<'_>) -> Option<Plot> {
    let row = |runs: &[&RunMetrics]| {
        let solved = runs.iter().filter(|run| run.solved()).count();
        let late = runs.iter().filter(|run| run.late).count();
        let interval = wilson(solved, runs.len());
        PlotRow {
            dots: vec![100.0 * solved as f64 / runs.len() as f64],
            interval: interval.map(|it| (100.0 * it.low, 100.0 * it.high)),
            note: solved_text(solved, [runs.len(); 2], late),
            ..PlotRow::default()
        }
    };
    let figure = DotPlot {
        title: "Runs solved".to_owned(),
        caption: format!(
            "Share of the runs that found a solution within 1.1 times max_work, with its 95 % Wilson interval. Late \
             runs found a solution with more work.{}",
            layout.varies()
        ),
        x: Axis::linear("runs solved (%)", 100.0),
        legend: Vec::new(),
        groups: groups(layout, row)?,
    };
    Some(figure.plot())
}

/// The work of each run.
pub(super) fn work(layout: &PanelLayout<'_>) -> Option<Plot> {
    let row = |runs: &[&RunMetrics]| {
        let spent = |solved: bool| -> Vec<f64> {
            let found = runs.iter().map(|run| run.cost()).filter(|run| run.solved == solved);
            found.map(|run| run.work as f64).collect()
        };
        let (dots, crosses) = (spent(true), spent(false));
        let spread = CensoredQuantiles::of(dots.iter().copied(), crosses.len());
        let quartiles = spread.lower_quartile.zip(spread.upper_quartile);
        let median = spread.median.map_or("not reached".to_owned(), whole);
        let late = match runs.iter().filter(|run| run.late).count() {
            0 => String::new(),
            late => format!(", {late} late"),
        };
        let note = format!("{} unsolved{late}; median {median}", crosses.len());
        let (interval, middle) = (quartiles.filter(|_| runs.len() >= SEVERAL), spread.median);
        PlotRow { dots, crosses, interval, middle, note, ..PlotRow::default() }
    };
    let groups = groups(layout, row)?;
    let all = groups.iter().flat_map(|(_, rows)| rows);
    let all: Vec<f64> = all.flat_map(|row| row.dots.iter().chain(&row.crosses)).copied().collect();
    let figure = DotPlot {
        title: "Work of each run".to_owned(),
        caption: "Dots: solved runs, late ones included. Crosses: unsolved runs, which would need more work. \
                  The vertical mark is the median of all runs. The horizontal line spans their quartiles. \
                  If the median or a quartile falls among the unsolved runs, it is not drawn."
            .to_owned(),
        x: Axis::logarithmic("work (evaluations + moves)", all),
        legend: Vec::new(),
        groups,
    };
    Some(figure.plot())
}

/// A row for each method that has runs of a puzzle; nothing where no run evolved.
fn groups(
    layout: &PanelLayout<'_>,
    row: impl Fn(&[&RunMetrics]) -> PlotRow,
) -> Option<Vec<(String, Vec<PlotRow>)>> {
    let group = |(panel, title): (usize, &String)| {
        let of_method = |(number, label): (usize, &String)| {
            let (label, runs) = (label.clone(), layout.runs(panel, number));
            (!runs.is_empty()).then(|| PlotRow { label, number, ..row(&runs) })
        };
        let rows = layout.methods.iter().enumerate().filter_map(of_method);
        (title.clone(), rows.collect::<Vec<_>>())
    };
    let groups = layout.panels.iter().enumerate().map(group);
    let groups: Vec<_> = groups.filter(|(_, rows)| !rows.is_empty()).collect();
    (!groups.is_empty()).then_some(groups)
}
