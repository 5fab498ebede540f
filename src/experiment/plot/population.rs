//! Success against population size.

use std::collections::BTreeMap;

use super::super::{Results, wilson};
use super::groups::Groups;
use crate::report::panel::{Axis, Curve, Panel, Stroke};

pub(super) fn panel(results: &Results<'_>) -> Option<Panel> {
    let plan = results.plan();
    let groups = Groups::of(results, &["population"]);
    let mut sizes: Vec<u32> = groups
        .0
        .iter()
        .flat_map(|group| &group.cells)
        .map(|cell| plan.cells[*cell].config.population)
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 2 {
        return None;
    }
    let lines = groups.0.iter().enumerate().map(|(color, group)| {
        let mut counts: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for cell in &group.cells {
            let count = counts.entry(plan.cells[*cell].config.population).or_default();
            for run in results.of_cell(*cell) {
                count.0 += u64::from(run.solved());
                count.1 += 1;
            }
        }
        let share = |(solved, runs): &(u64, u64)| 100.0 * *solved as f64 / (*runs).max(1) as f64;
        let points = counts.iter().map(|(size, count)| (f64::from(*size), share(count))).collect();
        let bars = counts
            .iter()
            .filter_map(|(size, (solved, runs))| {
                let (low, high) = wilson(*solved, *runs)?;
                Some((f64::from(*size), 100.0 * low, 100.0 * high))
            })
            .collect();
        Curve { stroke: Stroke::Dots, bars, ..Curve::new(group.label.clone(), color, points) }
    });
    Some(Panel {
        title: "Runs solved by population size, with 95 % Wilson intervals".into(),
        lines: lines.collect(),
        x: Axis::logarithmic("population (individuals)", sizes.iter().copied().map(f64::from))
            .marked_at(&sizes),
        y: Axis::percent("runs solved (%)"),
    })
}
