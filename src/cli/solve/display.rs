//! The output of `solve` during runs: the display of each run, the progress of a list, and messages.

use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;

use crate::board::{Geometry, SearchSpace};
use crate::cli::config_args::ConfigArgs;
use crate::cli::exports::tell;
use crate::cli::input::{InputArgs, is_piped, say_shape};
use crate::cli::output::Logger;
use crate::cli::progress::{self, RunProgress, style};
use crate::cli::summary;
use crate::cli::tui::{PuzzleStatus, RunTitle, Screen, Throttle};
use crate::format::{self, Alphabet, ParsedPuzzle};
use crate::ga::{Config, Observer, Run};
use crate::report::OutputError;
use crate::run::{BackendInfo, Solver};
use crate::util::lock;
use crate::util::threads::spawn;

/// How a run is displayed.
pub enum Display {
    /// It does not show.
    Nothing,
    /// A bar on a terminal.
    Bar,
    /// The live screen.
    Screen(Screen),
    /// A line now and then.
    Lines,
}

impl Display {
    /// The observer that displays a run.
    pub fn watcher(
        &self,
        run: &Run<'_>,
        backend: &BackendInfo,
        notes: Logger,
    ) -> Option<Box<dyn Observer + Send>> {
        let name = &run.space.puzzle.name;
        match self {
            Self::Nothing => None,
            Self::Bar => Some(Box::new(RunProgress::bar(name, notes))),
            Self::Lines => Some(Box::new(RunProgress::lines(name, notes))),
            Self::Screen(screen) => {
                screen.begin(RunTitle {
                    puzzle: run.space.puzzle.clone(),
                    preset: run.config.preset,
                    population: run.config.population,
                    seed: run.seed,
                    engine: Some(summary::of_backend(backend)),
                });
                Some(Box::new(screen.clone()))
            }
        }
    }

    /// A puzzle of a list is done.
    pub fn done(&self, name: &str, verdict: PuzzleStatus) {
        if let Self::Screen(screen) = self {
            screen.done(name, verdict);
        }
    }

    /// All runs have ended.
    pub fn finish(&self) {
        if let Self::Screen(screen) = self {
            screen.finish();
        }
    }
}

/// A bar for the puzzles of these arguments, or one that is never `drawn`. Without a terminal it draws nothing.
pub fn list_bar(
    arguments: &[OsString],
    input: &InputArgs,
    notes: Logger,
    drawn: bool,
) -> ProgressBar {
    let bar = progress::bar(notes.quiet || !drawn, None);
    if !bar.is_hidden() {
        style(&bar, "{pos} {wide_msg}", "{pos} puzzles, {elapsed} so far, {wide_msg}");
        let counted = bar.clone();
        count(arguments, input, move |total| {
            counted.set_length(total);
            style(
                &counted,
                "{pos}/{len} {wide_msg}",
                "[{bar:16}] {pos} of {len} puzzles, {elapsed} so far, {eta} left, {wide_msg}",
            );
        });
    }
    bar
}

/// Counts the puzzles on a thread of its own, and passes their number to `tell`. A pipe can be read but once,
/// and is not counted.
pub fn count(arguments: &[OsString], input: &InputArgs, tell: impl FnOnce(u64) + Send + 'static) {
    if arguments.iter().any(|argument| is_piped(argument)) {
        return;
    }
    let (arguments, options) = (arguments.to_vec(), input.options());
    // Without the thread there is no number.
    let _ = spawn("count", move || {
        let puzzles = |argument: &OsString| {
            format::open(argument, &options).map_or(1, |puzzles| puzzles.count() as u64)
        };
        tell(arguments.iter().map(puzzles).sum());
    });
}

/// Messages and displays while puzzles are solved.
pub struct Messages {
    pub notes: Logger,
    /// The bar of the list.
    pub bar: ProgressBar,
    /// How each run is shown.
    pub display: Display,
    /// Bounds how fast generations follow each other, with `--slow` or `--watch`.
    pub throttle: Option<Arc<Throttle>>,
    /// The characters of values, if they were named.
    pub alphabet: Option<Alphabet>,
    /// Where the settings are from.
    pub configure: ConfigArgs,
    /// Whether the parameters that follow from the first puzzle were printed.
    pub choices_said: AtomicBool,
    /// Shapes that were remarked on.
    pub shapes_said: Mutex<HashSet<Geometry>>,
}

impl Messages {
    /// Once for a list of boards of one shape.
    pub fn remark_on(&self, reading: &ParsedPuzzle) {
        let mut said = lock(&self.shapes_said);
        if said.insert(reading.puzzle.geometry) {
            self.bar.suspend(|| say_shape(reading, self.notes));
        }
    }

    /// Another puzzle is done; so many were solved until now.
    pub fn done(&self, solved: usize) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.inc(1);
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-9);
        let rate = self.bar.position() as f64 / seconds;
        self.bar.set_message(format!("{rate:.1} puzzles/s, solved {solved}"));
    }

    /// Tells which exports failed.
    pub fn tell(&self, failed: Vec<OutputError>) {
        self.bar.suspend(|| tell(failed));
    }

    /// Prints the parameters that follow from the first puzzle; those of the others in a list are not printed.
    pub fn log_parameters(&self, solver: &Solver, config: &Config, space: &SearchSpace) {
        if self.choices_said.swap(true, Ordering::Relaxed) {
            return;
        }
        let say = |text: &str| self.bar.suspend(|| self.notes.say(text));
        let detail = |text: &str| self.bar.suspend(|| self.notes.detail(text));
        let backend = &solver.backend;
        backend.reason_for(config).into_iter().for_each(say);
        for parameter in self.configure.idle(config) {
            say(&parameter.no_effect(config));
        }
        let settings = &solver.settings;
        summary::of_choices(settings, config, space).iter().for_each(|chosen| detail(chosen));
        summary::of_islands(config, space).iter().for_each(|split| say(split));
    }

    /// Prints a warning on a run.
    pub fn warn(&self, message: &str) {
        self.bar.suspend(|| self.notes.warn(message));
    }
}
