//! Fitness by generation: a panel for each puzzle, a colour for each method.

use super::super::{Results, RunMetrics};
use super::layout::PanelLayout;
use crate::report::plot::{Axis, Facets, Layer, PlotMark, RING, downsample, topmost};
use crate::statistics::Quantiles;

/// Runs from which on quartiles say something.
const SEVERAL: usize = 3;

pub(super) fn figure(results: &Results<'_>, scheme: &PanelLayout<'_>) -> Option<Facets> {
    let places = || {
        (0..scheme.puzzles())
            .flat_map(|puzzle| (0..scheme.methods().len()).map(move |m| (puzzle, m)))
    };
    let runs = || places().flat_map(|(puzzle, method)| scheme.runs(puzzle, method));
    let last = runs().filter_map(|run| run.series.last()).max()?;
    let highest = runs().flat_map(|run| run.series.best.iter()).max()?;
    let x = Axis::generations(last, results.view().scaling);
    let several = places().any(|(puzzle, method)| scheme.runs(puzzle, method).len() > 1);
    let pixels = Facets::pixels(scheme.puzzles());
    let panels = scheme.panels(|puzzle| {
        let methods = 0..scheme.methods().len();
        methods.flat_map(|m| layers(m, &scheme.runs(puzzle, m), &x, pixels)).collect()
    });
    let caption = if several {
        "Thick: the best fitness so far, median over seeds, with the quartiles from three seeds on; a run \
         that ended keeps its last value. Thin: the best of each generation in the first seed's run; rings \
         mark its restarts."
    } else {
        "Thick: the best fitness so far. Thin: the best of each generation; rings mark restarts."
    };
    Some(Facets {
        title: "Best fitness by generation".to_owned(),
        caption: caption.to_owned(),
        y: Axis::linear("fitness (0 is solved)", f64::from(*highest) * 1.05),
        panels,
        legend: scheme.legend(),
        x,
    })
}

/// What is drawn of a method's runs.
fn layers(number: usize, runs: &[&RunMetrics], x: &Axis, pixels: u32) -> Vec<Layer> {
    let Some(first) = runs.first() else { return Vec::new() };
    // A place for each pixel: what happens within one is not to be seen.
    let mut middle: Vec<(f64, f64)> = Vec::new();
    let mut band = Vec::new();
    let longest = runs.iter().filter_map(|run| run.series.last()).max().unwrap_or(0);
    let courses: Vec<(&[u32], Vec<u16>)> =
        runs.iter().map(|run| (&run.series.generation[..], run.series.best_so_far())).collect();
    for pixel in 0..=pixels {
        let generation = x.value(f64::from(pixel) / f64::from(pixels));
        let whole = (generation + 1e-6).floor().min(f64::from(longest));
        let best = courses.iter().filter_map(|(generations, best)| {
            let after = generations.partition_point(|generation| *generation <= whole as u32);
            best.get(after.checked_sub(1)?).copied()
        });
        let Some(spread) = Quantiles::of(best.map(f64::from)) else { continue };
        let at = generation.min(f64::from(longest));
        middle.push((at, spread.median));
        band.push((at, spread.lower_quartile, spread.upper_quartile));
        if generation > f64::from(longest) {
            break;
        }
    }
    let series = &first.series;
    let points: Vec<(f64, f64)> = series
        .generation
        .iter()
        .zip(&series.best)
        .map(|(generation, best)| (f64::from(*generation), f64::from(*best)))
        .collect();
    let rings: Vec<(f64, f64)> =
        series.restarts().map(|(at, best)| (f64::from(at), f64::from(best))).collect();
    let mut layers = vec![
        Layer::new(number, PlotMark::Line(corners(&middle))),
        Layer::new(number, PlotMark::Thin(downsample(&points, x, pixels))),
        Layer::new(number, PlotMark::Rings(topmost(&rings, x, pixels, RING))),
    ];
    if runs.len() >= SEVERAL && band.iter().any(|(_, low, high)| low < high) {
        layers.push(Layer::new(number, PlotMark::Band(band)));
    }
    layers
}

/// A line without the points in the midst of level parts.
fn corners(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let level = |at: usize| {
        at > 0
            && at + 1 < points.len()
            && points[at - 1].1 == points[at].1
            && points[at].1 == points[at + 1].1
    };
    (0..points.len()).filter(|at| !level(*at)).map(|at| points[at]).collect()
}
