//! The figures of a bench: boards a second by population, a line for each evaluator, both axes logarithmic;
//! the same for generations, a panel for each preset; and where the time of a generation goes, a bar for each
//! preset and evaluator.

use super::measurement::{GenerationPhase, Measurement};
use super::plan::Metric;
use super::results::BenchResults;
use crate::ga::Preset;
use crate::report::Plot;
use crate::report::plot::{Axis, DotPlot, Facets, Panel, PlotMark, PlotRow};
use crate::util::distinct;
use crate::util::quantity::{count, time};

/// All figures.
pub(super) fn plots(results: &BenchResults) -> Vec<Plot> {
    let rates = [Metric::Score, Metric::Upload, Metric::Generation];
    let rates = rates.into_iter().filter_map(|what| throughput(results, what));
    let plots = rates.map(|figure| figure.plot());
    plots.chain(breakdown(results).map(|figure| figure.plot())).collect()
}

/// Boards or children a second: a line for each executor, and for generations a panel for each preset.
fn throughput(results: &BenchResults, what: Metric) -> Option<Facets> {
    // A task without its population and preset represents its executor.
    let executor = |line: &Measurement| line.task.executor();
    // An executor has one colour in all figures.
    let executors = distinct(results.measurements.iter().map(executor));
    let presets = distinct(results.of(what).map(|line| line.task.preset));
    let layers = |preset: Option<Preset>, number: usize| {
        let is_shown =
            |line: &&Measurement| line.task.preset == preset && executor(line) == executors[number];
        let mut lines: Vec<&Measurement> = results.of(what).filter(is_shown).collect();
        // Populations between those of the plan were measured later.
        lines.sort_by_key(|line| line.task.population);
        let at = |line: &&Measurement| f64::from(line.task.population);
        let points: Vec<(f64, f64)> =
            lines.iter().map(|line| (at(line), line.boards_per_second())).collect();
        let bars = lines.iter().map(|line| {
            let (low, high) = line.rate_quartiles();
            (at(line), low, high)
        });
        let limits = lines.iter().filter_map(|line| Some((at(line), line.limit_rate()?)));
        [
            (number, PlotMark::Dashed(limits.collect())),
            (number, PlotMark::Line(points.clone())),
            (number, PlotMark::Intervals(bars.collect())),
            (number, PlotMark::Dots(points)),
        ]
    };
    let panel = |preset: &Option<Preset>| Panel {
        title: preset.map(|preset| preset.to_string()).unwrap_or_default(),
        layers: (0..executors.len()).flat_map(|number| layers(*preset, number)).collect(),
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
        [low, high].into_iter().chain(line.limit_rate())
    });
    let is_shown = |name: &String| results.of(what).any(|line| executor(line) == *name);
    let limits = results.of(what).any(|line| line.limit.is_some());
    let limit = if limits { " Dashed lines show limits: rates of reads or copies." } else { "" };
    let populations = results.of(what).map(|line| f64::from(line.task.population));
    Some(Facets {
        title: format!("{title}, boards of {} boxes", results.plan.shape),
        caption: format!("Medians with quartiles.{limit} {}", results.machine_text()),
        x: Axis::logarithmic("population (boards)", populations),
        y: Axis::logarithmic(unit, rates),
        panels,
        legend: executors.iter().cloned().enumerate().filter(|(_, name)| is_shown(name)).collect(),
    })
}

/// Where the time of a generation goes: a bar for each preset and executor, at the largest population. A bar
/// shows the shares of the phases in their sum, which is more than the whole time where phases overlap.
fn breakdown(results: &BenchResults) -> Option<DotPlot> {
    let largest = results.of(Metric::Generation).map(|line| line.task.population).max()?;
    let lines = results.of(Metric::Generation).filter(|line| line.task.population == largest);
    let population = count(largest.into());
    Some(DotPlot {
        title: format!("Where the time of a generation of {population} goes"),
        caption: format!(
            "Bars show each phase as a share of the sum of all phases. The time after a bar is the median of a \
             generation. \"overlap 1.5x\" means that phases overlap: their sum is 1.5 times this time. {}",
            results.machine_text()
        ),
        x: Axis::linear("share of the summed time of all phases (%)", 100.0),
        legend: GenerationPhase::ALL
            .iter()
            .map(|part| (*part as usize, part.name().to_owned()))
            .collect(),
        groups: vec![(String::new(), lines.map(bar).collect())],
    })
}

fn bar(line: &Measurement) -> PlotRow {
    let phases = line.phases();
    let all: f64 = phases.iter().map(|(_, share)| share).sum();
    let share =
        |(phase, share): (GenerationPhase, f64)| (phase as usize, 100.0 * share / all.max(1e-12));
    let time = time(line.seconds.median);
    let note = if all > 1.01 { format!("{time}, overlap {all:.2}x") } else { time };
    let preset = line.task.preset.map(|preset| format!("{preset}, ")).unwrap_or_default();
    let label = preset + &line.task.executor();
    PlotRow { label, parts: phases.into_iter().map(share).collect(), note, ..PlotRow::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::plan;
    use crate::bench::run;
    use crate::report::SystemInfo;
    use crate::report::plot::tests::{lines, texts};
    use crate::util::interrupt::Interrupt;

    fn lines_of(svg: &str, color: &str) -> usize {
        lines(svg, color).len()
    }

    #[test]
    fn an_empty_bench_has_a_plot_and_a_full_one_has_its_lines_and_bars() {
        let mut results = BenchResults::new(plan(&[20, 200]), SystemInfo::default(), None);
        assert!(plots(&results).is_empty());
        run(&mut results, None, &Interrupt::new(), &mut |_, _, _| {}).unwrap();
        let text = Plot::stacked(&plots(&results));
        assert!(text.ends_with("</svg>\n"));
        for part in [
            "boards/s",
            "children/s",
            "population (boards)",
            "cpu scalar, 1 thread",
            "cellular",
            "share of the summed time of all phases (%)",
            "breeding",
            "kernel",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("NaN"));
        assert!(!texts(&text).contains(&"120"), "no share is above 100 %");
        let lines: Vec<_> = results.of(Metric::Score).collect();
        let intervals = lines.iter().filter(|line| line.rate_quartiles().0 > 0.0).count();
        let scoring = &plots(&results)[0].svg;
        let bars = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"];
        let bars: usize = bars.iter().map(|color| lines_of(scoring, color)).sum();
        // Each interval has a stroke and two ends; each line is one more, as in the legend.
        assert!(bars >= 3 * intervals, "{bars} of {intervals}");
    }
}
