//! The progress bar of a list: puzzles done, puzzles a second, and the time that is left.

use std::ffi::OsString;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::is_piped;
use crate::cli::input::InputArgs;
use crate::cli::output::Notes;
use crate::format::{self, Options};

/// Shows a list's progress on a terminal; draws nothing elsewhere.
#[derive(Clone)]
pub struct ListBar(ProgressBar);

impl ListBar {
    /// A bar for the puzzles of these arguments, or one that is never `drawn`.
    pub fn new(arguments: &[OsString], input: &InputArgs, notes: Notes, drawn: bool) -> Self {
        let hidden = notes.quiet || !drawn;
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if !bar.is_hidden() {
            style(&bar, "{pos} puzzles, {elapsed} so far, {msg}");
            bar.enable_steady_tick(Duration::from_millis(250));
            count(bar.clone(), arguments.to_vec(), input.options());
        }
        Self(bar)
    }

    /// Another puzzle is done, of which so many were solved.
    pub fn done(&self, solved: usize) {
        if self.0.is_hidden() {
            return;
        }
        self.0.inc(1);
        let seconds = self.0.elapsed().as_secs_f64().max(1e-9);
        let rate = self.0.position() as f64 / seconds;
        self.0.set_message(format!("{rate:.1} puzzles/s, solved {solved}"));
    }

    /// Takes the bar away while something is written.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.0.suspend(write)
    }

    /// Takes it away for good.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn style(bar: &ProgressBar, template: &str) {
    // The templates are constants: should one ever be wrong, the plain bar still tells.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}

/// Counts the puzzles besides, and gives the bar its length when they are known. What comes
/// through a pipe can be read but once, and has none.
fn count(bar: ProgressBar, arguments: Vec<OsString>, options: Options) {
    if arguments.iter().any(|argument| is_piped(argument)) {
        return;
    }
    thread::spawn(move || {
        let puzzles = |argument: &OsString| {
            format::open(argument, &options).map_or(1, |puzzles| puzzles.count() as u64)
        };
        let total = arguments.iter().map(puzzles).sum();
        bar.set_length(total);
        style(&bar, "[{bar:24}] {pos} of {len} puzzles, {elapsed} so far, {eta} left, {msg}");
    });
}
