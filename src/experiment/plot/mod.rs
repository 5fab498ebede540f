//! The figures of an experiment, each with a panel or a group for each puzzle and a colour for each method:
//!
//! - best fitness by generation;
//! - runs solved, with their intervals;
//! - where the population varies, success and expected work by population size;
//! - where exactly two parameters vary, a map of both;
//! - runs solved by the work spent, and the work of each run;
//! - where something is compared on several puzzles, its mean ranks over them.
//!
//! Of more methods than can be told from each other only those figures are drawn in which the
//! parameter that makes them so many lies along an axis.

mod convergence;
mod critical;
mod crowded;
mod heat;
mod population;
mod scheme;
mod success;

pub use crowded::{Crowded, check};

use super::{Comparisons, Results, Spent};
use crate::report::Plot;
use crate::report::plot::{Facets, solved_by_work};
use crowded::{METHODS, PANELS};
use scheme::{Scheme, varying};

/// All figures of runs that can be drawn.
pub(super) fn plots(results: &Results<'_>) -> Vec<Plot> {
    let varying = varying(results.plan(), &results.view().only);
    let scheme = Scheme::by(results, &varying);
    if scheme.puzzles() > PANELS {
        return Vec::new();
    }
    let apart = (1..=METHODS).contains(&scheme.methods().len());
    let mut plots = Vec::new();
    if apart {
        plots.extend(convergence::figure(results, &scheme).map(|figure| Plot::of(&figure)));
        plots.extend(success::shares(&scheme).map(|figure| Plot::of(&figure)));
    }
    if varying.contains(&"population") {
        let along: Vec<&'static str> =
            varying.iter().copied().filter(|name| *name != "population").collect();
        let scheme = Scheme::by(results, &along);
        if (1..=METHODS).contains(&scheme.methods().len()) {
            plots.extend(population::figures(results, &scheme).iter().map(|it| Plot::of(it)));
        }
    }
    if let Some(pair) = heat::pair(&varying) {
        let scheme = Scheme::by(results, &[]);
        plots.extend(heat::figure(results, &scheme, pair).map(|figure| Plot::of(&figure)));
    }
    if apart {
        plots.extend(by_work(&scheme).map(|figure| Plot::of(&figure)));
        plots.extend(success::work(&scheme).map(|figure| Plot::of(&figure)));
    }
    plots
}

/// The figures of what is compared.
pub(super) fn ranked(compared: &Comparisons) -> Vec<Plot> {
    let rankings = compared.rankings.iter().take(PANELS);
    rankings.filter_map(critical::figure).map(|figure| Plot::of(&figure)).collect()
}

fn by_work(scheme: &Scheme<'_>) -> Option<Facets> {
    let lists = |puzzle: usize| -> Vec<(usize, Vec<Spent>)> {
        let runs = |method| scheme.runs(puzzle, method).into_iter().map(Spent::of).collect();
        (0..scheme.methods().len()).map(|method| (method, runs(method))).collect()
    };
    let panels: Vec<_> =
        (0..scheme.puzzles()).map(|puzzle| (scheme.puzzle(puzzle), lists(puzzle))).collect();
    solved_by_work(&panels, scheme.legend())
}

#[cfg(test)]
mod tests;
