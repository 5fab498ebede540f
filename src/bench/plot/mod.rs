//! The plot of a bench, as one SVG: boards a second against the population, one line an
//! evaluator, both axes logarithmic; the same of generations; where a generation's time goes, one
//! bar a preset and evaluator; and rates over time where scoring was sustained.

mod parts;
mod rates;

use super::{BenchResults, What};
use crate::report::Plot;

/// All figures.
pub(super) fn plots(results: &BenchResults) -> Vec<Plot> {
    let panels = [
        rates::panel(results, What::Score),
        rates::panel(results, What::Upload),
        rates::panel(results, What::Generation),
        rates::sustained(results),
    ];
    let panels = panels.into_iter().flatten().map(|panel| Plot::of(&panel));
    panels.chain(parts::Bars::of(results).map(|bars| Plot::of(&bars))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::plan::tests::plan;
    use super::super::{BenchRun, Machine};
    use super::*;
    use crate::interrupt::Interrupt;

    #[test]
    fn an_empty_bench_has_a_plot_and_a_full_one_has_its_lines_and_bars() {
        let mut results = BenchResults::new(plan(&[20, 200]), Machine::default(), None);
        assert!(plots(&results).is_empty());
        let bench =
            BenchRun { device: None, opening: Duration::ZERO, interrupt: &Interrupt::new() };
        results.plan.sustained = Some(Duration::from_millis(1));
        bench.run(&mut results, &mut |_, _| Ok(())).unwrap();
        let text = Plot::below_each_other(&plots(&results));
        assert!(text.ends_with("</svg>\n"));
        for part in [
            "boards/s",
            "children/s",
            "population (boards)",
            "cpu scalar, 1 thread",
            "cellular, cpu",
            "breeding",
            "kernel",
            "seconds since the beginning",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("NaN"));
    }
}
