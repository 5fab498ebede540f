//! Rates against the population, and over time.

use super::super::{BenchResults, BenchTask, What};
use crate::report::panel::{Axis, Curve, Panel, Stroke};

/// Boards or children a second, one line an evaluator and preset.
pub(super) fn panel(results: &BenchResults, what: What) -> Option<Panel> {
    let mut doers: Vec<BenchTask> = Vec::new();
    for line in results.of(what) {
        // The same whatever the population.
        let doer = BenchTask { population: 0, ..line.task };
        if !doers.contains(&doer) {
            doers.push(doer);
        }
    }
    let points = |doer: &BenchTask| -> Vec<(f64, f64)> {
        results
            .of(what)
            .filter(|line| BenchTask { population: 0, ..line.task } == *doer)
            .map(|line| (f64::from(line.task.population), line.boards_per_second()))
            .collect()
    };
    let lines: Vec<Curve> = doers
        .iter()
        .enumerate()
        .map(|(color, doer)| Curve {
            stroke: Stroke::Marked,
            ..Curve::new(label(doer), color, points(doer))
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    let (title, unit) = match what {
        What::Score => ("Scoring", "boards/s"),
        What::Generation => ("Generations", "children/s"),
        What::Upload => ("Uploads", "boards/s"),
    };
    let all = || lines.iter().flat_map(|line| line.points.iter().copied());
    Some(Panel {
        title: format!("{title} of {} boxes", results.plan.shape),
        x: Axis::logarithmic("population (boards)", all().map(|(x, _)| x))
            .marked_at(&results.plan.populations),
        y: Axis::logarithmic(unit, all().map(|(_, y)| y)),
        lines,
    })
}

/// Boards a second over time, one line an evaluator.
pub(super) fn sustained(results: &BenchResults) -> Option<Panel> {
    let lines: Vec<Curve> = results
        .sustained
        .iter()
        .enumerate()
        .map(|(color, sustained)| {
            let rates = sustained.boards_per_second.iter().copied();
            let points = sustained.seconds.iter().copied().zip(rates).collect();
            let label = sustained.evaluator.name().to_owned();
            Curve { stroke: Stroke::Solid, ..Curve::new(label, color, points) }
        })
        .collect();
    let highest = |of: fn(&(f64, f64)) -> f64| {
        lines.iter().flat_map(|line| &line.points).map(of).max_by(f64::total_cmp)
    };
    let (last, fastest) = (highest(|(x, _)| *x)?, highest(|(_, y)| *y)?);
    Some(Panel {
        title: "Scoring without a pause".to_owned(),
        x: Axis::linear("seconds since the beginning", last),
        y: Axis::linear("boards/s", 1.05 * fastest),
        lines,
    })
}

/// What a legend calls it.
pub(super) fn label(task: &BenchTask) -> String {
    match task.preset {
        Some(preset) => format!("{preset}, {}", task.doer()),
        None => task.doer(),
    }
}
