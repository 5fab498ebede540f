//! Rates against the population, and over time.

use super::super::results::Sustained;
use super::super::{BenchResults, BenchTask, Measurement, Metric};
use crate::ga::Preset;
use crate::report::plot::{Axis, Facets, Layer, Panel, PlotMark};

/// Boards or children a second: a line an evaluator, a panel a preset where any breeds.
pub(super) fn figure(results: &BenchResults, what: Metric) -> Option<Facets> {
    // Whoever it is, whatever the population and the preset.
    let doer = |line: &Measurement| BenchTask { population: 0, preset: None, ..line.task };
    let mut doers: Vec<BenchTask> = Vec::new();
    let mut presets: Vec<Option<Preset>> = Vec::new();
    for line in results.of(what) {
        if !doers.contains(&doer(line)) {
            doers.push(doer(line));
        }
        if !presets.contains(&line.task.preset) {
            presets.push(line.task.preset);
        }
    }
    let layers = |preset: Option<Preset>, number: usize| {
        let of_it = |line: &&Measurement| line.task.preset == preset && doer(line) == doers[number];
        let mut lines: Vec<&Measurement> = results.of(what).filter(of_it).collect();
        // Between the populations of the plan more were measured later.
        lines.sort_by_key(|line| line.task.population);
        let at = |line: &&Measurement| f64::from(line.task.population);
        let points: Vec<(f64, f64)> =
            lines.iter().map(|line| (at(line), line.boards_per_second())).collect();
        let bars = lines.iter().map(|line| {
            let (low, high) = line.rate_quartiles();
            (at(line), low, high)
        });
        [
            (number, PlotMark::Intervals(bars.collect())),
            (number, PlotMark::Line(points.clone())),
            (number, PlotMark::Dots(points)),
        ]
    };
    let panel = |preset: &Option<Preset>| Panel {
        title: preset.map(|preset| preset.to_string()).unwrap_or_default(),
        layers: (0..doers.len()).flat_map(|number| layers(*preset, number)).collect(),
        note: String::new(),
    };
    let panels: Vec<Panel> = presets.iter().map(panel).collect();
    if panels.is_empty() {
        return None;
    }
    let (title, unit) = match what {
        Metric::Score => ("Scoring", "boards/s"),
        Metric::Generation => ("Generations", "children/s"),
        Metric::Upload => ("Uploads", "boards/s"),
    };
    let rates = results.of(what).flat_map(|line| {
        let (low, high) = line.rate_quartiles();
        [low, high]
    });
    let populations = results.of(what).map(|line| f64::from(line.task.population));
    Some(Facets {
        title: format!("{title} of {} boxes", results.plan.shape),
        caption: "Median of the repetitions, with their quartiles.".to_owned(),
        x: Axis::logarithmic("population (boards)", populations),
        y: Axis::logarithmic(unit, rates),
        panels,
        legend: doers.iter().map(BenchTask::doer).enumerate().collect(),
    })
}

/// Boards a second over time, a line an evaluator.
pub(super) fn sustained(results: &BenchResults) -> Option<Facets> {
    let layer = |(number, it): (usize, &Sustained)| {
        let rates = it.boards_per_second.iter().copied();
        (number, PlotMark::Line(it.seconds.iter().copied().zip(rates).collect()))
    };
    let layers: Vec<Layer> = results.sustained.iter().enumerate().map(layer).collect();
    let all = || results.sustained.iter();
    let last = all().flat_map(|it| it.seconds.iter().copied()).max_by(f64::total_cmp)?;
    let fastest =
        all().flat_map(|it| it.boards_per_second.iter().copied()).max_by(f64::total_cmp)?;
    let names = all().map(|it| it.evaluator.name().to_owned());
    Some(Facets {
        title: "Scoring without a pause".to_owned(),
        caption: String::new(),
        x: Axis::linear("seconds since the beginning", last),
        y: Axis::linear("boards/s", 1.05 * fastest),
        panels: vec![Panel { layers, ..Panel::default() }],
        legend: names.enumerate().collect(),
    })
}

/// What a row calls it.
pub(super) fn label(task: &BenchTask) -> String {
    match task.preset {
        Some(preset) => format!("{preset}, {}", task.doer()),
        None => task.doer(),
    }
}
