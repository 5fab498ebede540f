//! Observes a run, and ends it once a board is nearly solved.
//!
//! ```text
//! $ cargo run --release --example watch
//! ```

use std::error::Error;
use std::ops::ControlFlow;

use evodoku::ga::{GenerationReport, Observer, Overrides};
use evodoku::{Preset, Solver, format};

/// Records every fifth generation, and ends the run at a board with at most ten duplicates.
#[derive(Default)]
struct Watcher(Vec<String>);

impl Observer for Watcher {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let GenerationReport { generation, best, worst, .. } = *report;
        if let Some(distinct) = report.distinct {
            let line = format!("{generation:>3}: best {best}, worst {worst}, {distinct} different");
            self.0.push(line);
        }
        if best <= 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", watched()?.join("\n"));
    Ok(())
}

/// Returns a line for each fifth generation, and one that says how the run ended.
fn watched() -> Result<Vec<String>, Box<dyn Error>> {
    let puzzle = format::load("easter-monster", None)?.puzzle;
    let often = Overrides { distinct_every: Some(5), ..Overrides::default() };
    let mut watcher = Watcher::default();
    let solver = Solver::new(Preset::Boxes).population(2_000).set(often).seed(1);
    let outcome = solver.solve_with(&puzzle, &mut watcher)?.outcome;
    watcher.0.push(format!("ended by {} at fitness {}", outcome.stop_reason, outcome.fitness));
    Ok(watcher.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_watcher_ends_the_run() {
        let lines = super::watched().unwrap();
        assert!(lines.len() > 2, "{lines:?}");
        assert!(
            lines.last().is_some_and(|line| line.starts_with("ended by observer")),
            "{lines:?}"
        );
    }
}
