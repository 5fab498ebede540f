//! Best and worst fitness by generation.

use super::super::{Results, Series};
use super::groups::Groups;
use crate::report::panel::{Axis, Curve, Panel, Stroke};

/// Generations from which on the axis is logarithmic: most changes in the first ones.
const LONG: u32 = 200;

pub(super) fn panel(results: &Results<'_>, groups: &Groups) -> Option<Panel> {
    let mut lines = Vec::new();
    let (mut last, mut highest) = (1, 1.0_f64);
    let all: Vec<Vec<&Series>> =
        groups.0.iter().map(|group| series(results, &group.cells)).collect();
    for series in all.iter().flatten() {
        last = last.max(series.last().unwrap_or(0));
    }
    for (color, (group, series)) in groups.0.iter().zip(&all).enumerate() {
        let mut generations: Vec<u32> =
            series.iter().flat_map(|series| &series.generation).copied().collect();
        generations.sort_unstable();
        generations.dedup();
        let line = |of: fn((u16, u16)) -> u16| -> Vec<(f64, f64)> {
            let at = |generation| median(series.iter().filter_map(|s| s.at(generation)).map(of));
            generations
                .iter()
                .filter_map(|generation| Some((f64::from(*generation), at(*generation)?)))
                .collect()
        };
        let (best, worst) = (line(|(best, _)| best), line(|(_, worst)| worst));
        highest = worst.iter().fold(highest, |highest, point| highest.max(point.1));
        lines.push(Curve::new(group.label.clone(), color, best));
        lines.push(Curve { stroke: Stroke::Dashed, ..Curve::new(String::new(), color, worst) });
    }
    (!lines.is_empty()).then(|| Panel {
        title: "Best (solid) and worst (dashed) fitness by generation, median over runs".into(),
        x: if last > LONG {
            Axis::logarithmic("generation (0 at the left edge)", [1.0, f64::from(last)])
        } else {
            Axis::linear("generation", f64::from(last))
        },
        y: Axis::linear("fitness (0 is solved)", highest * 1.05),
        lines,
    })
}

fn series<'a>(results: &'a Results<'_>, cells: &[usize]) -> Vec<&'a Series> {
    cells.iter().flat_map(|cell| results.of_cell(*cell)).map(|run| &run.series).collect()
}

fn median(values: impl Iterator<Item = u16>) -> Option<f64> {
    let mut values: Vec<u16> = values.collect();
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((f64::from(upper) + f64::from(lower)) / 2.0)
}
