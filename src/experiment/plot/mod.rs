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

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use super::Results;
use crate::report::panel::{self, HEIGHT, Panel, WIDTH};
use groups::Groups;

/// The plot as SVG text.
pub fn plot(results: &mut Results<'_>) -> String {
    let groups = Groups::of(results, &[]);
    let law = law::panels(&super::law(results));
    let population = if law.is_empty() { population::panel(results) } else { None };
    let panels: Vec<Panel> = [fitness::panel(results, &groups), population]
        .into_iter()
        .flatten()
        .chain(law)
        .chain(work::panel(results, &groups))
        .collect();
    let count = panels.len().max(1);
    let mut text = String::new();
    {
        let size = (WIDTH, HEIGHT * count as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = panel::clear(&root).and_then(|()| {
            let areas = root.split_evenly((count, 1));
            areas.iter().zip(&panels).try_for_each(|(area, panel)| panel.draw(area))?;
            root.present()
        });
        // Drawing into a string does not fail.
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    text
}
