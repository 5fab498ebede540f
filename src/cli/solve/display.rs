//! How a run is shown while it goes on.

use crate::cli::output::Logger;
use crate::cli::progress::{PlainDisplay, RunProgressBar};
use crate::cli::tui::{PuzzleStatus, RunTitle, Screen};
use crate::ga::{Observer, Run};
use crate::run::BackendInfo;
use crate::util::plural::counted;

/// What a run looks like.
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
    /// Whoever shows a run.
    pub fn watcher(
        &self,
        run: &Run<'_>,
        backend: &BackendInfo,
        notes: Logger,
    ) -> Option<Box<dyn Observer + Send>> {
        let name = &run.space.puzzle.name;
        match self {
            Self::Nothing => None,
            Self::Bar => Some(Box::new(RunProgressBar::new(name, notes))),
            Self::Lines => Some(Box::new(PlainDisplay::new(name, notes))),
            Self::Screen(screen) => {
                let engine = match &backend.adapter {
                    Some(adapter) => format!("{} on {adapter}", backend.backend),
                    None => format!("the CPU, {}", counted(backend.threads as u64, "thread")),
                };
                let (puzzle, config) = (&run.space.puzzle, run.config);
                let (preset, population) = (config.preset, config.population);
                screen.begin(RunTitle::new(puzzle, preset, population, run.seed, Some(engine)));
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
