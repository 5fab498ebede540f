//! The figure of runs solved against work: how many of all runs had found a solution when they had
//! spent as much.

use super::Spent;
use super::panel::{Axis, Curve, Panel};

/// A line for each list of runs, by its label; nothing where no run is.
pub(crate) fn solved_by_work<'a>(
    lists: impl IntoIterator<Item = (String, &'a [Spent])>,
) -> Option<Panel> {
    let mut spent: Vec<f64> = Vec::new();
    let mut lines = Vec::new();
    for (color, (label, runs)) in lists.into_iter().enumerate() {
        let least = runs.iter().map(|run| run.work).min()? as f64;
        let most = runs.iter().map(|run| run.work).max()? as f64;
        let mut solved: Vec<f64> =
            runs.iter().filter(|run| run.solved).map(|run| run.work as f64).collect();
        solved.sort_by(f64::total_cmp);
        spent.extend(runs.iter().filter(|run| run.work > 0).map(|run| run.work as f64));
        lines.push(Curve::new(label, color, steps(&solved, runs.len(), (least, most))));
    }
    (!lines.is_empty()).then(|| Panel {
        title: "Share of the runs solved by the work spent".into(),
        x: Axis::logarithmic("work (evaluations + moves)", spent),
        y: Axis::percent("runs solved (%)"),
        lines,
    })
}

/// A step up at the work of each solution; of more solutions than can be told from each other, at
/// some of them.
fn steps(solved: &[f64], runs: usize, (least, most): (f64, f64)) -> Vec<(f64, f64)> {
    const STEPS: usize = 2_000;
    let every = solved.len().div_ceil(STEPS).max(1);
    let mut share = 0.0;
    let mut points = Vec::new();
    for (count, work) in solved.iter().enumerate().filter(|(count, _)| (count + 1) % every == 0) {
        points.push((*work, share));
        share = 100.0 * (count + 1) as f64 / runs as f64;
        points.push((*work, share));
    }
    if points.is_empty() {
        points.push((least, 0.0));
    }
    points.push((most, 100.0 * solved.len() as f64 / runs as f64));
    points
}
