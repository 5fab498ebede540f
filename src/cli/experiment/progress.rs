//! The bar of an experiment: runs done, time left and successes so far.

use indicatif::ProgressBar;

use crate::cli::output::Logger;
use crate::cli::progress;
use crate::experiment::{Results, StopCause};

/// Runs done, time left and successes so far, on a terminal.
pub struct ExperimentBar {
    pub bar: ProgressBar,
    solved: usize,
    done: usize,
    /// Whether a fault of the device was told.
    told: bool,
    notes: Logger,
}

impl ExperimentBar {
    pub fn new(missing: usize, results: &Results<'_>, notes: Logger) -> Self {
        let done = results.finished().count();
        let bar = progress::bar(notes.quiet, Some((done + missing) as u64));
        progress::style(
            &bar,
            "{pos}/{len} {wide_msg}",
            "[{bar:24}] {pos} of {len} runs, {elapsed} so far, {left} left, {wide_msg}",
        );
        let solved = results.finished().filter(|run| run.figures.solved()).count();
        // What was there before says nothing about the time that is left.
        bar.set_position(done as u64);
        bar.reset_eta();
        let progress = Self { bar, solved, done, told: false, notes };
        progress.show();
        progress
    }

    pub fn finished(&mut self, results: &Results<'_>, run: usize) {
        let Some(result) = results.run(run) else { return };
        self.done += 1;
        self.solved += usize::from(result.figures.solved());
        if let (false, Some(fault)) = (self.told, &result.figures.fault) {
            self.told = true;
            let notes = self.notes;
            let warning = match result.figures.end {
                // An exact method's solver.
                StopCause::Failed => fault.clone(),
                _ => format!("{fault}; the run went on on the CPU"),
            };
            self.bar.suspend(|| notes.warn(&warning));
        }
        self.bar.set_position(self.done as u64);
        self.show();
    }

    fn show(&self) {
        self.bar.set_message(format!("solved {} of {}", self.solved, self.done));
    }
}
