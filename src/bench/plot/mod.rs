//! The figures of a bench: boards a second against the population, a line an evaluator, both axes
//! logarithmic; the same of generations, a panel a preset; where a generation's time goes, a bar a
//! preset and evaluator; and rates over time where scoring was sustained.

mod breakdown;
mod throughput;

use super::{BenchResults, Metric};
use crate::report::Plot;

/// All figures.
pub(super) fn plots(results: &BenchResults) -> Vec<Plot> {
    let figures = [
        throughput::figure(results, Metric::Score),
        throughput::figure(results, Metric::Upload),
        throughput::figure(results, Metric::Generation),
        throughput::sustained(results),
    ];
    let rates = figures.iter().flatten().map(|figure| figure.plot());
    rates.chain(breakdown::figure(results).map(|figure| figure.plot())).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::plan::tests::plan;
    use super::super::{BenchRun, SystemInfo};
    use super::*;
    use crate::report::plot::tests::{lines, texts};
    use crate::util::interrupt::Interrupt;

    fn lines_of(svg: &str, color: &str) -> usize {
        lines(svg, color).len()
    }

    #[test]
    fn an_empty_bench_has_a_plot_and_a_full_one_has_its_lines_and_bars() {
        let mut results = BenchResults::new(plan(&[20, 200]), SystemInfo::default(), None);
        assert!(plots(&results).is_empty());
        let bench =
            BenchRun { device: None, opening: Duration::ZERO, interrupt: &Interrupt::new() };
        results.plan.sustained = Some(Duration::from_millis(1));
        bench.run(&mut results, &mut |_, _| Ok(())).unwrap();
        let text = Plot::stacked(&plots(&results));
        assert!(text.ends_with("</svg>\n"));
        for part in [
            "boards/s",
            "children/s",
            "population (boards)",
            "cpu scalar, 1 thread",
            "cellular",
            "share of the parts&apos; time (%)",
            "breeding",
            "kernel",
            "seconds since the beginning",
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
