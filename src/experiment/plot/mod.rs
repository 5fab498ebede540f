//! The figures of an experiment, each with a panel or a group for each puzzle and a colour for each method:
//!
//! - best fitness by generation;
//! - runs solved, with their intervals;
//! - where the population varies, success and expected work by population size, with a panel for each class
//!   of puzzles first;
//! - where exactly two parameters vary, a map of both;
//! - runs solved by the work spent, and the work of each run;
//! - where something is compared on several puzzles, its mean ranks over them.
//!
//! Of more methods than can be told from each other only those figures are drawn in which the
//! parameter that makes them so many lies along an axis, and of more puzzles only those with a panel a class.

mod convergence;
mod critical_difference;
mod heatmap;
mod layout;
mod limits;
mod population;
mod puzzle_class;
mod success;

pub use limits::check;

use super::cell::LENGTHS;
use super::{Comparisons, Results, RunCost};
use crate::report::Plot;
use crate::report::plot::{Facets, work_ecdf};
use layout::{PanelLayout, varying};
use limits::{METHODS, PANELS};
use puzzle_class::classes;

/// All figures of runs that can be drawn.
pub(super) fn plots(results: &Results<'_>) -> Vec<Plot> {
    let only = &results.view().only;
    let varying = varying(results.plan(), only);
    let along: Vec<&'static str> = apart_from(&varying, &["population"]);
    let sized = along.len() < varying.len();
    let told = |scheme: &PanelLayout<'_>| (1..=METHODS).contains(&scheme.methods().len());
    let mut plots = Vec::new();
    let by_size = |scheme: PanelLayout<'_>| -> Vec<Plot> {
        let drawn = sized && told(&scheme);
        let figures = drawn.then(|| population::figures(results, &scheme));
        figures.iter().flatten().map(|it| Plot::of(it)).collect()
    };
    let classes = classes(results.plan(), only);
    if !classes.is_empty() {
        plots.extend(by_size(PanelLayout::by_class(
            results,
            &classes,
            &apart_from(&along, &LENGTHS),
        )));
    }
    let scheme = PanelLayout::by(results, &varying);
    if scheme.puzzles() > PANELS {
        return plots;
    }
    if told(&scheme) {
        plots.extend(convergence::figure(results, &scheme).map(|figure| Plot::of(&figure)));
        plots.extend(success::shares(&scheme).map(|figure| Plot::of(&figure)));
    }
    plots.extend(by_size(PanelLayout::by(results, &along)));
    if let Some(pair) = heatmap::pair(&varying) {
        let scheme = PanelLayout::by(results, &[]);
        plots.extend(heatmap::figure(results, &scheme, pair).map(|figure| Plot::of(&figure)));
    }
    if told(&scheme) {
        plots.extend(by_work(&scheme).map(|figure| Plot::of(&figure)));
        plots.extend(success::work(&scheme).map(|figure| Plot::of(&figure)));
    }
    plots
}

/// These parameters but for those that lie along an axis or are chosen.
fn apart_from(parameters: &[&'static str], others: &[&str]) -> Vec<&'static str> {
    parameters.iter().copied().filter(|name| !others.contains(name)).collect()
}

/// The figures of what is compared.
pub(super) fn ranked(compared: &Comparisons) -> Vec<Plot> {
    let rankings = compared.rankings.iter().take(PANELS);
    rankings.filter_map(critical_difference::figure).map(|figure| Plot::of(&figure)).collect()
}

fn by_work(scheme: &PanelLayout<'_>) -> Option<Facets> {
    let lists = |puzzle: usize| -> Vec<(usize, Vec<RunCost>)> {
        let runs = |method| scheme.runs(puzzle, method).into_iter().map(RunCost::of).collect();
        (0..scheme.methods().len()).map(|method| (method, runs(method))).collect()
    };
    let panels: Vec<_> =
        (0..scheme.puzzles()).map(|puzzle| (scheme.puzzle(puzzle), lists(puzzle))).collect();
    work_ecdf(&panels, scheme.legend())
}

#[cfg(test)]
mod tests;
