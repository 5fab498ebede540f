//! Fitness by generation: a panel for each puzzle, a colour for each method.

use super::super::RunMetrics;
use super::layout::PanelLayout;
use crate::report::Plot;
use crate::report::plot::{Axis, Facets, Layer, PlotMark, downsample, topmost};
use crate::statistics::Quantiles;

/// Runs from which on quartiles say something.
const SEVERAL: usize = 3;

pub(super) fn figure(layout: &PanelLayout<'_>) -> Option<Plot> {
    let runs = || layout.all().flat_map(|(panel, method)| layout.runs(panel, method));
    let last = runs().filter_map(|run| run.series.last()).max()?;
    let highest = runs().flat_map(|run| run.series.best.iter()).max()?;
    // A linear axis shows restarts best, but hides a method that ends soon.
    let soonest = layout.all().filter_map(|(panel, method)| {
        layout.runs(panel, method).iter().filter_map(|run| run.series.last()).max()
    });
    let alike = soonest.min().is_some_and(|soonest| soonest >= last / 20);
    let restarts = runs().any(|run| run.series.restarts().next().is_some());
    let x = Axis::generations(last, restarts && alike);
    let pixels = Facets::pixels(layout.panels.len());
    let figure = Facets {
        title: "Best fitness by generation".to_owned(),
        caption: format!(
            "Thick line: the median over the seeds of the best fitness so far, with quartiles for three or more \
             seeds. A run that ended keeps its last value. Thin line: the best fitness in each generation of the run \
             with the first seed. Rings mark the restarts of this run.{}",
            layout.varies()
        ),
        y: Axis::linear("fitness (0 is solved)", f64::from(*highest) * 1.05),
        panels: layout
            .draw(|panel, method| layers(method, &layout.runs(panel, method), &x, pixels)),
        legend: layout.legend(),
        x,
    };
    Some(figure.plot())
}

/// The layers of a method's runs.
fn layers(number: usize, runs: &[&RunMetrics], x: &Axis, pixels: u32) -> Vec<Layer> {
    let Some(first) = runs.first() else { return Vec::new() };
    // A place for each pixel: changes within one cannot be seen.
    let mut middle: Vec<(f64, f64)> = Vec::new();
    let mut band = Vec::new();
    let longest = f64::from(runs.iter().filter_map(|run| run.series.last()).max().unwrap_or(0));
    let courses: Vec<(&[u32], Vec<u16>)> =
        runs.iter().map(|run| (&run.series.generation[..], run.series.best_so_far())).collect();
    for pixel in 0..=pixels {
        let generation = x.value(f64::from(pixel) / f64::from(pixels));
        let whole = (generation + 1e-6).floor().min(longest);
        let best = courses.iter().filter_map(|(generations, best)| {
            let after = generations.partition_point(|generation| *generation <= whole as u32);
            best.get(after.checked_sub(1)?).copied()
        });
        let Some(spread) = Quantiles::of(best.map(f64::from)) else { continue };
        let at = generation.min(longest);
        middle.push((at, spread.median));
        band.push((at, spread.lower_quartile, spread.upper_quartile));
        if generation > longest {
            break;
        }
    }
    let point = |(generation, best): (u32, u16)| (f64::from(generation), f64::from(best));
    let series = &first.series;
    let best = series.generation.iter().copied().zip(series.best.iter().copied());
    let points: Vec<(f64, f64)> = best.map(point).collect();
    let rings: Vec<(f64, f64)> = series.restarts().map(point).collect();
    let middle = corners(&middle);
    let mut marks = vec![
        PlotMark::Thin(downsample(&points, x, pixels)),
        // A line of one point cannot be seen.
        if let [_] = middle[..] { PlotMark::Dots(middle) } else { PlotMark::Line(middle) },
        PlotMark::Rings(topmost(&rings, x, pixels)),
    ];
    if runs.len() >= SEVERAL && band.iter().any(|(_, low, high)| low < high) {
        marks.push(PlotMark::Band(band));
    }
    marks.into_iter().map(|mark| (number, mark)).collect()
}

/// A line without the points in the midst of level parts.
fn corners(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let is_level = |at: usize| {
        let around = at.checked_sub(1).and_then(|before| points.get(before..before + 3));
        around.is_some_and(|around| around.iter().all(|(_, y)| *y == points[at].1))
    };
    (0..points.len()).filter(|at| !is_level(*at)).map(|at| points[at]).collect()
}
