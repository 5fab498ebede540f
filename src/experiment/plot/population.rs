//! Success and expected work by population size, where a method has several: a panel for each puzzle or class of
//! puzzles, a line for each method; dashed, where work is bounded, the results that independent runs of a smaller
//! population would have with the same work. Where children are improved for several lengths, that which costs
//! least is drawn of each population.

use std::cmp::Ordering;

use super::super::population_scaling::points;
use super::super::{Results, ScalingPoint};
use super::layout::PanelLayout;
use crate::report::Plot;
use crate::report::plot::{Axis, Facets, Layer, PlotMark};

/// Both figures, or neither where the population does not vary.
pub(super) fn figures(results: &Results<'_>, layout: &PanelLayout<'_>) -> Vec<Plot> {
    let mut lengths = false;
    // Of each panel and method, ascending by population.
    let mut line = |(panel, method): (usize, usize)| -> Vec<ScalingPoint> {
        let cells: Vec<usize> = layout.cells(panel, method).collect();
        let mut points = points(results, &cells);
        points.retain(|point| point.runs > 0);
        points.sort_by(|a, b| a.population.cmp(&b.population).then(cheaper(a, b)));
        let all = points.len();
        points.dedup_by_key(|point| point.population);
        lengths |= points.len() < all;
        points
    };
    let lines: Vec<Vec<ScalingPoint>> = layout.all().map(&mut line).collect();
    let all = || lines.iter().flatten();
    let mut sizes: Vec<u32> = all().map(|point| point.population).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let (methods, pixels) = (layout.methods.len(), Facets::pixels(layout.panels.len()));
    let figure = |title: &str, caption: &str, y: Axis, of: &dyn Fn(&ScalingPoint) -> PlotPoint| {
        let values = sizes.iter().copied().map(f64::from);
        let x = Axis::logarithmic("population (individuals)", values).marked_at(&sizes);
        let panels = layout.draw(|panel, method| {
            // Intervals of different methods stand side by side, six pixels from each other.
            let aside = 6.0 * (method as f64 - (methods - 1) as f64 / 2.0) / f64::from(pixels);
            let at = |point: &ScalingPoint| x.value(x.share(point.population.into()) + aside);
            let points = &lines[panel * methods + method];
            layers(method, points.iter().map(|point| (at(point), of(point))).collect())
        });
        let dashed = match all().any(|point| point.independent.is_some()) {
            true => " Dashed: independent runs of a smaller population that share the work.",
            false => "",
        };
        let over = if layout.pooled { " Means over the puzzles of a panel." } else { "" };
        let least = match lengths {
            true => " Of each population that length of local search which costs least.",
            false => "",
        };
        let (title, caption) = (title.to_owned(), format!("{caption}{over}{least}{dashed}"));
        Facets { title, caption, x, y, panels, legend: layout.legend() }.plot()
    };
    let percent = |share: f64| 100.0 * share;
    let mut figures = vec![figure(
        "Runs solved by population size",
        "Share of the runs that found a solution, with its 95 % Wilson interval.",
        Axis::linear("runs solved (%)", 100.0),
        &|point| PlotPoint {
            middle: point.success.map(|success| percent(success.share)),
            interval: point.success.map(|success| (percent(success.low), percent(success.high))),
            independent: point.independent.as_ref().map(|other| percent(other.success)),
        },
    )];
    let work = |point: &ScalingPoint| {
        let other = point.independent.as_ref().and_then(|other| other.work.mean);
        [point.work.mean, point.work.low, point.work.high, other]
    };
    let known: Vec<f64> = all().flat_map(work).flatten().collect();
    if !known.is_empty() {
        let y = Axis::logarithmic("work for a solution", known);
        let edge = y.value(1.0);
        figures.push(figure(
            "Expected work by population size",
            "Work of all runs over solutions, with a 95 % bootstrap interval, up to the edge where it has no \
             end; none where nothing was solved.",
            y,
            &|point| PlotPoint {
                middle: point.work.mean,
                interval: point.work.low.map(|low| (low, point.work.high.unwrap_or(edge))),
                independent: point.independent.as_ref().and_then(|other| other.work.mean),
            },
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

/// The values that are drawn of a point.
struct PlotPoint {
    middle: Option<f64>,
    interval: Option<(f64, f64)>,
    independent: Option<f64>,
}

/// The layers of a method's points, each with its place along the axis.
fn layers(number: usize, drawn: Vec<(f64, PlotPoint)>) -> Vec<Layer> {
    let line = |part: &[(f64, PlotPoint)]| -> Vec<(f64, f64)> {
        part.iter().filter_map(|(x, it)| Some((*x, it.middle?))).collect()
    };
    let middle = line(&drawn);
    if middle.is_empty() {
        return Vec::new();
    }
    let bars = drawn.iter().filter_map(|(x, it)| it.interval.map(|(low, high)| (*x, low, high)));
    let dashed = drawn.iter().filter_map(|(x, it)| Some((*x, it.independent?)));
    // A line ends where a population has no figure, so that it does not tell of that one too.
    let known = drawn.split(|(_, it)| it.middle.is_none()).filter(|part| part.len() > 1);
    let lines = known.map(|part| PlotMark::Line(line(part)));
    let others = [
        PlotMark::Intervals(bars.collect()),
        PlotMark::Dots(middle),
        PlotMark::Dashed(dashed.collect()),
    ];
    lines.chain(others).map(|mark| (number, mark)).collect()
}
