//! The progress of one run: a bar on a terminal, or a line now and then.

use std::fmt;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use ratatui::crossterm::terminal::size;

use super::output::Logger;
use crate::ga::{GenerationReport, Observer};
use crate::util::quantity;
use crate::util::sanitize::line;
use crate::util::threads::spawn;

/// Characters of a puzzle's name.
const LONGEST_NAME: usize = 40;
/// The least columns for a bar beside its message.
const ROOMY: u16 = 60;
/// The time from one tick of a bar to the next.
const TICK: Duration = Duration::from_millis(250);
/// The least time from one line to the next.
const EVERY: Duration = Duration::from_secs(2);

/// A bar on stderr that redraws itself at intervals, unless it is hidden.
pub fn bar(is_hidden: bool, length: Option<u64>) -> ProgressBar {
    let target =
        if is_hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(length, target);
    let weak = bar.downgrade();
    // Without the thread it moves when there is news.
    let _ = spawn("bar", move || {
        while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(TICK);
        }
    });
    bar
}

/// Sets the template of a bar: the narrow one where there is no room for the other. Messages are cut so
/// that the bar takes one line.
pub fn style(bar: &ProgressBar, narrow: &str, roomy: &str) {
    let is_roomy = size().is_ok_and(|(columns, _)| columns >= ROOMY);
    // The templates are constants: if one were wrong, the default would be used.
    if let Ok(style) = ProgressStyle::with_template(if is_roomy { roomy } else { narrow }) {
        bar.set_style(style.with_key("eta", write_eta).progress_chars("=> "));
    }
}

/// Writes the time that is left, which nobody knows before something has ended.
fn write_eta(state: &ProgressState, out: &mut dyn fmt::Write) {
    // A bar has nowhere to report that its text could not be written.
    let _ = match state.pos() {
        0 => write!(out, "?"),
        _ => write!(out, "{:#}", HumanDuration(state.eta())),
    };
}

/// Shows a run: as a bar on a terminal, or as lines on stderr where `--watch` has no screen.
pub struct RunProgress {
    name: String,
    notes: Logger,
    bar: Option<ProgressBar>,
    /// The time of the last line.
    last: Option<Instant>,
}

impl RunProgress {
    /// Lines for a run on a puzzle.
    pub fn lines(puzzle: &str, notes: Logger) -> Self {
        let name = line(puzzle, LONGEST_NAME);
        Self { name, notes, bar: None, last: None }
    }

    /// A bar for a run on a puzzle; nothing in a file or a pipe.
    pub fn bar(puzzle: &str, notes: Logger) -> Self {
        let bar = bar(notes.quiet, None);
        style(&bar, "{wide_msg}", "{elapsed} {wide_msg}");
        let mut progress = Self::lines(puzzle, notes);
        bar.set_message(progress.name.clone());
        progress.bar = Some(bar);
        progress
    }

    /// A generation in a line, the most important figures first.
    fn summary(&self, report: &GenerationReport<'_>) -> String {
        let rate = report.evaluations as f64 / report.elapsed.as_secs_f64().max(1e-9);
        let restart = match report.restart {
            0 => String::new(),
            restart => format!(", restart {restart}"),
        };
        format!(
            "{}: generation {}{restart}, best {}, now {}, mean {:.1}, {} children/s",
            self.name,
            report.generation,
            report.best_so_far,
            report.best,
            report.sum as f64 / report.population as f64,
            quantity::count(rate as u64),
        )
    }
}

impl Observer for RunProgress {
    fn wants_boards(&self) -> bool {
        false
    }

    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let summary = self.summary(report);
        if let Some(bar) = &self.bar {
            bar.set_message(summary);
        } else if self.last.is_none_or(|last| last.elapsed() >= EVERY) {
            self.last = Some(Instant::now());
            self.notes.say(&summary);
        }
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.notes.warn(message)),
            None => self.notes.warn(message),
        }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}
