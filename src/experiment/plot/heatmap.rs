//! Two parameters against each other, where exactly two vary: a grid for each method and puzzle.

use super::super::{Results, RunMetrics};
use super::layout::{PANELS, PanelLayout};
use crate::report::Plot;
use crate::report::plot::{Axis, Facets, Panel, PlotMark};
use crate::util::distinct;

/// The share of runs solved for each pair of values, or the mean fitness where nothing is solved.
pub(super) fn figure(
    results: &Results<'_>,
    layout: &PanelLayout<'_>,
    pair: [&'static str; 2],
) -> Option<Plot> {
    let is_empty = |(panel, method): &(usize, usize)| layout.runs(*panel, *method).is_empty();
    let places: Vec<_> = layout.all().filter(|place| !is_empty(place)).collect();
    if places.is_empty() || places.len() > PANELS {
        return None;
    }
    let all = || places.iter().flat_map(|(panel, method)| layout.runs(*panel, *method));
    let solved = all().any(RunMetrics::solved);
    let worst = f64::from(all().map(|run| run.fitness).max()?).max(1.0);
    let value = |cell: usize, name| results.plan.cells[cell].value(name).unwrap_or_default();
    let values = pair.map(|name| {
        let cells = places.iter().flat_map(|(panel, method)| layout.cells(*panel, *method));
        let mut values = distinct(cells.map(|cell| value(cell, name)));
        // Numbers ascend; names are in the order of the spec.
        let number = |text: &String| text.parse::<f64>().unwrap_or(0.0);
        values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        values
    });
    let drawn = |cell: usize| {
        let runs: Vec<&RunMetrics> = results.of_cell(cell).filter(|run| run.is_evolved()).collect();
        let count = runs.len() as f64;
        let (share, text) = match (runs.is_empty(), solved) {
            (true, _) => (None, "-".to_owned()),
            (false, true) => {
                let solved = runs.iter().filter(|run| run.solved()).count();
                (Some(solved as f64 / count), format!("{solved}/{}", runs.len()))
            }
            (false, false) => {
                let mean = runs.iter().map(|run| f64::from(run.fitness)).sum::<f64>() / count;
                (Some(1.0 - mean / worst), format!("{mean:.1}"))
            }
        };
        let at = |which: usize| {
            let value = value(cell, pair[which]);
            values[which].iter().position(|known| *known == value).unwrap_or(0)
        };
        (at(0), at(1), share, text)
    };
    let panels = places.iter().map(|(panel, method)| {
        let title = match layout.methods.len() {
            1 => layout.panels[*panel].clone(),
            _ => format!("{}, {}", layout.panels[*panel], layout.methods[*method]),
        };
        let cells = layout.cells(*panel, *method).map(drawn).collect();
        Panel { title, layers: vec![(0, PlotMark::Cells(cells))], note: String::new() }
    });
    let [x, y] = pair.map(|name| name.replace('_', " "));
    let (what, caption) = if solved {
        ("Runs solved", "Cells show solved runs / all runs. Darker means a larger share.")
    } else {
        ("Mean fitness at the end", "No run is solved. Darker is better; 0 is a solution.")
    };
    let figure = Facets {
        title: format!("{what} by {x} and {y}"),
        caption: caption.to_owned(),
        x: Axis::names(x, &values[0]),
        y: Axis::names(y, &values[1]),
        panels: panels.collect(),
        legend: Vec::new(),
    };
    Some(figure.plot())
}
