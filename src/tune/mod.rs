//! Tuning: which parameters of a method cost least on some puzzles, found by iterated racing, and what
//! they gain on others.
//!
//! A [`TuneSpec`] says what is tuned; configurations are sampled (`sampling.rs`), raced (`race.rs`) and
//! sampled anew around those that are left (`iterations.rs`), until the budget is spent. What has won meets
//! the default configuration on puzzles of its own (`validation.rs`). The race knows nothing of puzzles: it
//! is given a function from configurations and blocks to costs. A tuning is the same for a seed whatever
//! the machine and the number of threads, and its runs are kept in a journal (`journal.rs`).

mod cost;
mod irace;
mod journal;
mod race;
mod report;
mod sampling;
mod space;
mod space_parser;
mod spec;
mod spec_toml;
mod tables;
#[cfg(test)]
mod tests;
mod trial_runner;
mod tuning;
mod validation;

pub use crate::store::ExistingOutput;
pub use report::TuneSummary;
pub use spec::TuneSpec;
pub use trial_runner::{Resources, TuneError};
pub use tuning::{ProgressWatcher, TuneEvent, Tuned};

use std::path::Path;

use crate::board::{Puzzle, presolve};
use crate::experiment::{MisfitPolicy, Plan, SpecError, SpecErrorKind, SpecPlace};
use journal::TrialJournal;
use trial_runner::TrialRunner;

/// A tuning that is ready to go.
#[derive(Debug)]
pub struct Tuning {
    spec: TuneSpec,
    plan: Plan,
}

impl Tuning {
    /// Of a spec, whose puzzles are looked at.
    ///
    /// # Errors
    /// [`SpecError`] when the default configuration does not fit a puzzle, or one cannot be tuned on.
    pub fn new(spec: TuneSpec) -> Result<Self, SpecError> {
        let plan = Plan::with(&spec.puzzles, MisfitPolicy::Refused)?;
        if let Some(cell) = plan.cells.iter().find(|cell| cell.skip.is_some()) {
            let place = SpecPlace::File(spec.name.clone());
            return Err(SpecError {
                place,
                refusal: SpecErrorKind::NoInstance(cell.puzzle.name.clone()),
            });
        }
        let level = spec.settings.presolve();
        let is_left =
            |puzzle: &Puzzle| presolve(puzzle, level).is_ok_and(|space| !space.free.is_empty());
        let training = spec.puzzles.blocks.first().map_or(&[][..], |block| &block.puzzles);
        let varies = spec.space.dimensions.iter().any(|one| one.name == "presolve");
        if !varies && !training.iter().any(|puzzle| is_left(&puzzle.value)) {
            let place = SpecPlace::File(spec.name.clone());
            return Err(SpecError { place, refusal: SpecErrorKind::Presolved });
        }
        Ok(Self { spec, plan })
    }

    /// What is tuned.
    pub fn spec(&self) -> &TuneSpec {
        &self.spec
    }

    /// The default configuration on each puzzle, those of training first.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Tunes. `journal` keeps every finished run, and those that an earlier tuning left there are gone
    /// on with, or thrown away. Nothing where the budget pays no race.
    ///
    /// # Errors
    /// [`TuneError`] when a run or the journal fails, or it was told to end.
    pub fn run(
        &self,
        means: &Resources<'_>,
        journal: Option<&Path>,
        existing: ExistingOutput,
        watcher: &mut ProgressWatcher<'_>,
    ) -> Result<Option<Tuned>, TuneError> {
        let fingerprint = TrialRunner::fingerprint(&self.spec, &self.plan);
        let mut store = TrialJournal::open(journal, &fingerprint, existing)?;
        tuning::tune(&self.spec, &self.plan, means, &mut store, watcher)
    }
}
