//! Where a generation's time goes: a bar a preset and evaluator, at the largest population that was
//! measured. Parts that overlap in time add up to more than it: a bar has the shares of their sum.

use super::super::{BenchResults, GenerationPhase, Measurement, Metric};
use super::throughput::label;
use crate::report::plot::{Axis, DotPlot, PlotRow};

/// The bars; nothing where no generation was measured.
pub(super) fn figure(results: &BenchResults) -> Option<DotPlot> {
    let largest = results.of(Metric::Generation).map(|line| line.task.population).max()?;
    let lines = results.of(Metric::Generation);
    let rows = lines.filter(|line| line.task.population == largest).map(row).collect();
    let population = indicatif::HumanCount(largest.into());
    Some(DotPlot {
        title: format!("Where the time of a generation of {population} goes"),
        caption: "Share of each part in the time of all parts, with the median time of a generation. Where \
                  parts overlap, they take together so many times as long."
            .to_owned(),
        x: Axis::linear("share of the parts' time (%)", 100.0),
        legend: GenerationPhase::ALL.iter().map(|part| (*part as usize, part.name().to_owned())).collect(),
        groups: vec![(String::new(), rows)],
    })
}

fn row(line: &Measurement) -> PlotRow {
    let parts = line.parts();
    let all: f64 = parts.iter().map(|(_, share)| share).sum();
    let parts = parts.iter().map(|(part, share)| (*part as usize, 100.0 * share / all.max(1e-12)));
    let time = format!("{:.3} ms", 1e3 * line.seconds.median);
    let note = if all > 1.01 { format!("{time}, overlap {all:.2}x") } else { time };
    PlotRow { label: label(&line.task), parts: parts.collect(), note, ..PlotRow::default() }
}
