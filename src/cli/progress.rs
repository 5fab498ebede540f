//! The progress bar: how far the duplicates have fallen, how fast, and how long nothing changed.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use ratatui::crossterm::terminal::size;

use super::output::Logger;
use crate::ga::{GenerationReport, Observer};
use crate::util::sanitize::line;

/// Characters of a puzzle's name.
const LONGEST_NAME: usize = 40;
/// Columns from which on there is room for a bar beside what it tells.
const ROOMY: u16 = 60;

/// Shows a run on a terminal; draws nothing elsewhere.
pub struct RunProgressBar {
    bar: ProgressBar,
    name: String,
    notes: Logger,
    account: Account,
}

impl RunProgressBar {
    /// A bar for a run on `puzzle`.
    pub fn new(puzzle: &str, notes: Logger) -> Self {
        let bar = bar(notes.quiet, Some(1));
        style(&bar, "{wide_msg}", "{elapsed} [{bar:16}] {wide_msg}");
        let name = line(puzzle, LONGEST_NAME);
        bar.set_message(name.clone());
        Self { bar, name, notes, account: Account::default() }
    }
}

/// A bar on stderr that goes on by itself, unless it is to be hidden.
pub fn bar(is_hidden: bool, length: Option<u64>) -> ProgressBar {
    let target =
        if is_hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(length, target);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Gives a bar its template: the narrow one where there is no room for the other. What its message
/// has no room for is left out, so that it takes one line.
pub fn style(bar: &ProgressBar, narrow: &str, roomy: &str) {
    let is_roomy = size().is_ok_and(|(columns, _)| columns >= ROOMY);
    // The templates are constants: should one ever be wrong, the plain bar still tells.
    if let Ok(style) = ProgressStyle::with_template(if is_roomy { roomy } else { narrow }) {
        bar.set_style(style.with_key("left", left).progress_chars("=> "));
    }
}

/// The time that is left, by what was done so far.
fn left(state: &ProgressState, to: &mut dyn fmt::Write) {
    let eta = state.eta();
    // Of nothing done nothing follows.
    let _ = match eta.is_zero() && Some(state.pos()) != state.len() {
        true => to.write_str("an unknown time"),
        false => write!(to, "{:#}", HumanDuration(eta)),
    };
}

impl Drop for RunProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for RunProgressBar {
    fn wants_boards(&self) -> bool {
        false
    }

    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if !self.bar.is_hidden() {
            let told = self.account.of(report);
            if self.account.found == report.generation {
                // The bar is full when no duplicate of the first generation's best is left.
                let worst = self.bar.length().filter(|_| report.generation > 0);
                let worst = worst.unwrap_or(report.best_so_far.into());
                self.bar.set_length(worst);
                self.bar.set_position(worst.saturating_sub(report.best_so_far.into()));
            }
            self.bar.set_message(format!("{}: {told}", self.name));
        }
        ControlFlow::Continue(())
    }

    fn warning(&mut self, message: &str) {
        let notes = self.notes;
        self.bar.suspend(|| notes.warn(message));
    }
}

/// A generation in a line, and since when there was no better one.
#[derive(Default)]
pub struct Account {
    best: Option<u16>,
    /// The generation that found the best.
    found: u32,
}

impl Account {
    /// What is told of a generation, the most important first.
    pub fn of(&mut self, report: &GenerationReport<'_>) -> String {
        let best = report.best_so_far;
        if self.best.replace(best) != Some(best) {
            self.found = report.generation;
        }
        let rate = report.evaluations as f64 / report.elapsed.as_secs_f64().max(1e-9);
        let restart = match report.restart {
            0 => String::new(),
            restart => format!(", restart {restart}"),
        };
        format!(
            "generation {}{restart}, best {best} (since {}), now {}, mean {:.1}, {} children/s",
            report.generation,
            self.found,
            report.best,
            report.sum as f64 / report.population as f64,
            HumanCount(rate as u64),
        )
    }
}
