//! The progress bar of a list: puzzles done, puzzles a second, and the time that is left.

use std::ffi::OsString;
use std::thread;

use indicatif::ProgressBar;

use super::is_piped;
use crate::cli::input::InputArgs;
use crate::cli::output::Logger;
use crate::cli::progress::{self, style};
use crate::format;

/// Shows a list's progress on a terminal; draws nothing elsewhere.
#[derive(Clone)]
pub struct ListBar(ProgressBar);

impl ListBar {
    /// A bar for the puzzles of these arguments, or one that is never `drawn`.
    pub fn new(arguments: &[OsString], input: &InputArgs, notes: Logger, drawn: bool) -> Self {
        let bar = progress::bar(notes.quiet || !drawn, None);
        if !bar.is_hidden() {
            style(&bar, "{pos} {wide_msg}", "{pos} puzzles, {elapsed} so far, {wide_msg}");
            let counted = bar.clone();
            count(arguments, input, move |total| {
                counted.set_length(total);
                style(
                    &counted,
                    "{pos}/{len} {wide_msg}",
                    "[{bar:16}] {pos} of {len} puzzles, {elapsed} so far, {left} left, {wide_msg}",
                );
            });
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

/// Counts the puzzles besides, and tells how many there are when they are known. What comes
/// through a pipe can be read but once, and is not counted.
pub fn count(arguments: &[OsString], input: &InputArgs, tell: impl FnOnce(u64) + Send + 'static) {
    if arguments.iter().any(|argument| is_piped(argument)) {
        return;
    }
    let (arguments, options) = (arguments.to_vec(), input.options());
    thread::spawn(move || {
        let puzzles = |argument: &OsString| {
            format::open(argument, &options).map_or(1, |puzzles| puzzles.count() as u64)
        };
        tell(arguments.iter().map(puzzles).sum());
    });
}
