//! The progress bar: how far the duplicates have fallen, how fast, and how long nothing changed.

use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::Notes;
use crate::board::Geometry;
use crate::evolve::{GenerationReport, Observer};
use crate::format::{duplicates, marked};

/// Shows a run on a terminal; draws nothing elsewhere.
pub struct Progress {
    bar: ProgressBar,
    geometry: Geometry,
    /// Whether the best board is drawn.
    watch: bool,
    notes: Notes,
    /// Best fitness so far, and the generation that found it.
    best: Option<(u16, u32)>,
}

impl Progress {
    /// A bar for a run on `puzzle`.
    pub fn new(puzzle: &str, geometry: Geometry, watch: bool, notes: Notes) -> Self {
        let target =
            if notes.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let template = "{prefix} [{bar:24}] {elapsed} {msg}";
        // The template is a constant: should it ever be wrong, the plain bar still tells.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(puzzle.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, geometry, watch, notes, best: None }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if self.bar.is_hidden() {
            return ControlFlow::Continue(());
        }
        let fitness = report.best_so_far;
        let found = match self.best {
            None => {
                // The bar is full when no duplicate of the first generation's best is left.
                self.bar.set_length(fitness.into());
                report.generation
            }
            Some((best, found)) if fitness == best => found,
            Some(_) => report.generation,
        };
        self.best = Some((fitness, found));
        let duplicates_left = self.bar.length().unwrap_or(0).saturating_sub(fitness.into());
        self.bar.set_position(duplicates_left);
        let rate = report.evaluations as f64 / report.elapsed.as_secs_f64().max(1e-9);
        let mut message = format!(
            "generation {}, best {fitness} (since {found}), mean {:.1}, {} children/s",
            report.generation,
            report.sum as f64 / report.population as f64,
            HumanCount(rate as u64),
        );
        if report.restart > 0 {
            message += &format!(", restart {}", report.restart);
        }
        if self.watch {
            let cells = &report.best_board[..self.geometry.cells()];
            message += "\n";
            message += &marked(self.geometry, cells, &duplicates(self.geometry, cells));
        }
        self.bar.set_message(message);
        ControlFlow::Continue(())
    }

    fn warning(&mut self, message: &str) {
        let notes = self.notes;
        self.bar.suspend(|| notes.say(&format!("warning: {message}")));
    }
}
