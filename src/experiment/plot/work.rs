//! Share of the runs solved against work.

use super::super::{Figures, Results};
use super::groups::Groups;
use crate::report::panel::{Axis, Line, Panel};

pub(super) fn panel(results: &Results<'_>, groups: &Groups) -> Option<Panel> {
    let mut spent: Vec<f64> = Vec::new();
    let mut lines = Vec::new();
    for (color, group) in groups.0.iter().enumerate() {
        let runs: Vec<&Figures> =
            group.cells.iter().flat_map(|cell| results.of_cell(*cell)).collect();
        let most = runs.iter().map(|run| run.work).max()? as f64;
        let mut solved: Vec<f64> =
            runs.iter().filter(|run| run.solved()).map(|run| run.work as f64).collect();
        solved.sort_by(f64::total_cmp);
        spent.extend(runs.iter().filter(|run| run.work > 0).map(|run| run.work as f64));
        // A step up at the work of each solution.
        let mut points = Vec::new();
        let mut share = 0.0;
        for (count, work) in solved.iter().enumerate() {
            points.push((*work, share));
            share = 100.0 * (count + 1) as f64 / runs.len() as f64;
            points.push((*work, share));
        }
        if points.is_empty() {
            points.push((runs.iter().map(|run| run.work).min()? as f64, 0.0));
        }
        points.push((most, share));
        lines.push(Line::new(group.label.clone(), color, points));
    }
    (!lines.is_empty()).then(|| Panel {
        title: "Share of the runs solved by the work spent".into(),
        x: Axis::logarithmic("work (evaluations + moves)", spent),
        y: Axis::percent("runs solved (%)"),
        lines,
    })
}
