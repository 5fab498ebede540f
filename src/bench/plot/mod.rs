//! The plot of a bench, as one SVG: boards a second against the population, one line an
//! evaluator, both axes logarithmic; the same of generations; where a generation's time goes, one
//! bar a preset and evaluator; and rates over time where scoring was sustained.

mod parts;
mod rates;

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use super::{Results, What};
use crate::report::panel::{self, HEIGHT, Panel, WIDTH};

/// The plot as SVG text.
pub fn plot(results: &Results) -> String {
    let panels: Vec<Panel> = [
        rates::panel(results, What::Score),
        rates::panel(results, What::Upload),
        rates::panel(results, What::Generation),
        rates::sustained(results),
    ]
    .into_iter()
    .flatten()
    .collect();
    let bars = parts::Bars::of(results);
    let drawn_height = HEIGHT * panels.len() as u32 + bars.height();
    let mut text = String::new();
    {
        let size = (WIDTH, drawn_height.max(1));
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = panel::clear(&root).and_then(|()| {
            let mut rest = root.clone();
            for panel in &panels {
                let (area, below) = rest.split_vertically(HEIGHT);
                panel.draw(&area)?;
                rest = below;
            }
            bars.draw(&rest)?;
            root.present()
        });
        // Drawing into a string does not fail.
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::plan::tests::plan;
    use super::super::{Bench, Interrupt, Machine};
    use super::*;

    #[test]
    fn an_empty_bench_has_a_plot_and_a_full_one_has_its_lines_and_bars() {
        let mut results = Results::new(plan(&[20, 200]), Machine::default(), None);
        assert!(plot(&results).ends_with("</svg>\n"));
        let bench = Bench { device: None, opening: Duration::ZERO, interrupt: &Interrupt::new() };
        results.plan.sustained = Some(Duration::from_millis(1));
        bench.run(&mut results, &mut |_, _| Ok(())).unwrap();
        let text = plot(&results);
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
