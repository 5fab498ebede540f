//! Runs solved against work: how many of all runs had found a solution when they had spent as much
//! (an empirical distribution of what a solution costs, where runs without one cost more).

use super::{Axis, Facets, Layer, Panel, PlotMark};
use crate::report::RunCost;

/// Lists of runs, each with the number of its colour.
type Numbered = Vec<(usize, Vec<RunCost>)>;

/// Steps that are drawn of a line.
const STEPS: usize = 2_000;

/// A panel for each list of lists of runs, each with its number, by what the panel is of. Nothing
/// where no run is.
pub(crate) fn work_ecdf(
    panels: &[(String, Numbered)],
    legend: Vec<(usize, String)>,
) -> Option<Facets> {
    let all = || panels.iter().flat_map(|(_, lists)| lists).flat_map(|(_, runs)| runs);
    all().next()?;
    let drawn = panels.iter().map(|(title, lists)| Panel {
        title: title.clone(),
        layers: lists
            .iter()
            .filter(|(_, runs)| !runs.is_empty())
            .map(|(number, runs)| Layer::new(*number, PlotMark::Line(steps(runs))))
            .collect(),
        note: String::new(),
    });
    Some(Facets {
        title: "Runs solved by the work spent".to_owned(),
        caption:
            "Share of all runs that had found a solution when they had spent as much; a line ends \
                  where the longest run did."
                .to_owned(),
        x: Axis::logarithmic("work (evaluations + moves)", all().map(|run| run.work as f64)),
        y: Axis::percent("runs solved (%)"),
        panels: drawn.collect(),
        legend,
    })
}

/// The end of the line of these runs: the most work, and the share that is solved in percent.
fn end(runs: &[RunCost]) -> (f64, f64) {
    let most = runs.iter().map(|run| run.work).max().unwrap_or(0) as f64;
    let solved = runs.iter().filter(|run| run.solved).count();
    (most, 100.0 * solved as f64 / runs.len().max(1) as f64)
}

/// A step up at the work of each solution; of more solutions than can be told from each other, at
/// some of them.
fn steps(runs: &[RunCost]) -> Vec<(f64, f64)> {
    let mut solved: Vec<f64> =
        runs.iter().filter(|run| run.solved).map(|run| run.work as f64).collect();
    solved.sort_by(f64::total_cmp);
    let every = solved.len().div_ceil(STEPS).max(1);
    let mut share = 0.0;
    let mut points = vec![(0.0, 0.0)];
    for (count, work) in solved.iter().enumerate().filter(|(count, _)| (count + 1) % every == 0) {
        points.push((*work, share));
        share = 100.0 * (count + 1) as f64 / runs.len() as f64;
        points.push((*work, share));
    }
    points.push(end(runs));
    points
}
