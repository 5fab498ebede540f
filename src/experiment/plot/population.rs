//! Success and expected work by population size, where a method has several: a panel for each puzzle or class of
//! puzzles, a line for each method; dashed, where work is bounded, the results that independent runs of a smaller
//! population would have with the same work. Where children are improved for several lengths, that which costs
//! least is drawn of each population.

use std::cmp::Ordering;

use super::super::population_scaling::points;
use super::super::{Cell, Results, ScalingPoint};
use super::layout::PanelLayout;
use crate::report::Plot;
use crate::report::plot::{Axis, Facets, Layer, PlotMark};
use crate::util::distinct;
use crate::util::quantity::count;

/// Both figures, or neither where the population does not vary.
pub(super) fn figures(results: &Results<'_>, layout: &PanelLayout<'_>) -> Vec<Plot> {
    // Of each panel and method, ascending by population.
    let line = |(panel, method): (usize, usize)| -> Vec<ScalingPoint> {
        let cells: Vec<usize> = layout.cells(panel, method).collect();
        let mut points = points(results, &cells);
        points.retain(|point| point.runs > 0);
        points.sort_by(|a, b| a.population.cmp(&b.population).then(cheaper(a, b)));
        points.dedup_by_key(|point| point.population);
        points
    };
    let lines: Vec<Vec<ScalingPoint>> = layout.all().map(line).collect();
    let all = || lines.iter().flatten();
    let mut sizes: Vec<u32> = all().map(|point| point.population).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let (methods, pixels) = (layout.methods.len(), Facets::pixels(layout.panels.len()));
    let figure = |title: &str, caption: &str, y: Axis, of: fn(&ScalingPoint) -> PlotPoint| {
        let (values, edge) = (sizes.iter().copied().map(f64::from), y.value(1.0));
        let x = Axis::logarithmic("population (individuals)", values).marked_at(&sizes);
        let panels = layout.draw(|panel, method| {
            // Intervals of different methods stand side by side, six pixels from each other.
            let aside = 6.0 * (method as f64 - (methods - 1) as f64 / 2.0) / f64::from(pixels);
            let at = |point: &ScalingPoint| x.value(x.share(point.population.into()) + aside);
            let points = lines[panel * methods + method].iter();
            let points = points.map(|point| (at(point), of(point))).collect();
            layers(layout.colours[method], edge, points)
        });
        let runs = all().map(|point| point.runs).max().unwrap_or(0);
        let cells = layout.all().flat_map(|(panel, method)| layout.cells(panel, method));
        let cells = cells.map(|cell| &results.plan.cells[cell]);
        let limit = |cell: &Cell| match cell.config.max_work {
            0 => "no max_work (so populations may spend unequal work)".to_owned(),
            work => format!("max_work {}", count(work)),
        };
        let limits = distinct(cells.map(limit)).join(" or ");
        let caption = format!(
            "{caption} At most {runs} runs per point, with {limits}. Each point is a mean over the puzzles of a panel, \
             for the cheapest length of local search (steps or tries). Dashed line, or a ring: independent runs of a \
             smaller population, which share the work of one run."
        );
        Facets { title: title.to_owned(), caption, x, y, panels, legend: layout.legend() }.plot()
    };
    let mut figures = vec![figure(
        "Runs solved by population size",
        "Share of the runs that are solved, with its 95 % Wilson interval.",
        Axis::linear("runs solved (%)", 100.0),
        success_of,
    )];
    let known = all().map(cost_of).flat_map(|it| [it.middle, it.low, it.high, it.independent]);
    let known: Vec<f64> = known.flatten().collect();
    if !known.is_empty() {
        figures.push(figure(
            "Expected work by population size",
            "Work of all runs, divided by solved runs, with a 95 % bootstrap interval. An interval without \
             an upper end reaches the edge of the plot. A population has no point if it never solved one of the puzzles.",
            Axis::logarithmic("work for a solution", known),
            cost_of,
        ));
    }
    figures
}

/// Which of two points costs less, or where neither cost is known solves more.
fn cheaper(a: &ScalingPoint, b: &ScalingPoint) -> Ordering {
    let cost = |point: &ScalingPoint| point.work.mean.unwrap_or(f64::INFINITY);
    let failed = |point: &ScalingPoint| point.success.map_or(1.0, |success| 1.0 - success.share);
    cost(a).total_cmp(&cost(b)).then(failed(a).total_cmp(&failed(b)))
}

/// The values that are drawn of a point: one, its interval and that of independent runs.
struct PlotPoint {
    middle: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    independent: Option<f64>,
}

fn success_of(point: &ScalingPoint) -> PlotPoint {
    let percent = |share: f64| 100.0 * share;
    PlotPoint {
        middle: point.success.map(|success| percent(success.share)),
        low: point.success.map(|success| percent(success.low)),
        high: point.success.map(|success| percent(success.high)),
        independent: point.independent.as_ref().map(|other| percent(other.success.share)),
    }
}

fn cost_of(point: &ScalingPoint) -> PlotPoint {
    let independent = point.independent.as_ref().and_then(|other| other.work.mean);
    PlotPoint { middle: point.work.mean, low: point.work.low, high: point.work.high, independent }
}

/// The layers of a method's points, each with its place along the axis. An interval without an end ends at the
/// edge.
fn layers(number: usize, edge: f64, drawn: Vec<(f64, PlotPoint)>) -> Vec<Layer> {
    let line = |part: &[(f64, PlotPoint)]| -> Vec<(f64, f64)> {
        part.iter().filter_map(|(x, it)| Some((*x, it.middle?))).collect()
    };
    let middle = line(&drawn);
    if middle.is_empty() {
        return Vec::new();
    }
    let bars = drawn.iter().filter_map(|(x, it)| Some((*x, it.low?, it.high.unwrap_or(edge))));
    let dashed: Vec<_> = drawn.iter().filter_map(|(x, it)| Some((*x, it.independent?))).collect();
    let alone = if let [_] = dashed[..] { PlotMark::Rings } else { PlotMark::Dashed };
    // A line ends where a population has no figure, so that it does not tell of that one too.
    let known = drawn.split(|(_, it)| it.middle.is_none()).filter(|part| part.len() > 1);
    let lines = known.map(|part| PlotMark::Line(line(part)));
    let above = [PlotMark::Intervals(bars.collect()), PlotMark::Dots(middle)];
    [alone(dashed)].into_iter().chain(lines).chain(above).map(|mark| (number, mark)).collect()
}
