//! Two parameters against each other, where exactly two vary: a grid for each method and puzzle.

use super::super::{Results, RunMetrics};
use super::layout::PanelLayout;
use super::limits::PANELS;
use crate::report::plot::{Axis, Facets, Layer, Panel, PlotMark};

/// The two parameters that vary, if there are exactly two.
pub(super) fn pair(varying: &[&'static str]) -> Option<[&'static str; 2]> {
    varying.try_into().ok()
}

/// The share of runs solved for each pair of values, or the mean fitness where nothing is solved.
pub(super) fn figure(
    results: &Results<'_>,
    scheme: &PanelLayout<'_>,
    pair: [&'static str; 2],
) -> Option<Facets> {
    let plan = results.plan();
    let places: Vec<(usize, usize)> = (0..scheme.puzzles())
        .flat_map(|puzzle| (0..scheme.methods().len()).map(move |method| (puzzle, method)))
        .filter(|(puzzle, method)| !scheme.runs(*puzzle, *method).is_empty())
        .collect();
    if places.is_empty() || places.len() > PANELS {
        return None;
    }
    let all = || places.iter().flat_map(|(puzzle, method)| scheme.runs(*puzzle, *method));
    let solved = all().any(RunMetrics::solved);
    let worst = f64::from(all().map(|run| run.fitness).max()?).max(1.0);
    let values = pair.map(|name| {
        let mut values: Vec<String> = Vec::new();
        for (puzzle, method) in &places {
            for cell in scheme.cells(*puzzle, *method) {
                let value = plan.cells[cell].value(name).unwrap_or_default();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        // Numbers ascend; names stand as they were written.
        let number = |text: &String| text.parse::<f64>().unwrap_or(0.0);
        values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        values
    });
    let at = |cell: usize, which: usize| {
        let value = plan.cells[cell].value(pair[which]).unwrap_or_default();
        values[which].iter().position(|known| *known == value).unwrap_or(0)
    };
    let drawn = |cell: usize| {
        let runs: Vec<&RunMetrics> = results.of_cell(cell).filter(|run| run.work > 0).collect();
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
        (at(cell, 0), at(cell, 1), share, text)
    };
    let panels = places.iter().map(|(puzzle, method)| {
        let title = match scheme.methods().len() {
            1 => scheme.puzzle(*puzzle),
            _ => format!("{}, {}", scheme.puzzle(*puzzle), scheme.methods()[*method]),
        };
        let cells = scheme.cells(*puzzle, *method).map(drawn).collect();
        Panel { title, layers: vec![Layer::new(0, PlotMark::Cells(cells))], note: String::new() }
    });
    let panels: Vec<Panel> = panels.collect();
    let [x, y] = pair.map(|name| name.replace('_', " "));
    let (what, caption) = if solved {
        ("Runs solved", "Runs with a solution out of all; the darker the larger their share.")
    } else {
        ("Mean fitness at the end", "No run found a solution. The darker the better; 0 is solved.")
    };
    Some(Facets {
        title: format!("{what} by {x} and {y}"),
        caption: caption.to_owned(),
        x: Axis::names(x, &values[0]),
        y: Axis::names(y, &values[1]),
        panels,
        legend: Vec::new(),
    })
}
