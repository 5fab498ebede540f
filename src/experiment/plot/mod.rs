//! The plot of an experiment: panels for what varies, as one SVG.
//!
//! - best and worst fitness by generation: the median over runs, a run that ended keeping its
//!   last values;
//! - success against population size, when that varies, with 95 % Wilson intervals; where work is
//!   bounded, for each block and length of improvement, with the work that a solution costs;
//! - share of the runs solved against work: how many of all runs had found a solution when they
//!   had spent as much.
//!
//! Lines are cells where there are few, else the cells that agree on what varies.

mod fitness;
mod groups;
mod law;
mod population;
mod work;

use super::Results;
use crate::report::Plot;
use groups::Groups;

/// All figures.
pub(super) fn plots(results: &Results<'_>) -> Vec<Plot> {
    let groups = Groups::of(results, &[]);
    let law = law::panels(&super::law(results));
    let population = if law.is_empty() { population::panel(results) } else { None };
    let panels = [fitness::panel(results, &groups), population]
        .into_iter()
        .flatten()
        .chain(law)
        .chain(work::panel(results, &groups));
    panels.map(|panel| Plot::of(&panel)).collect()
}
