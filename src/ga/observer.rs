//! Those who watch a run: progress bars, traces, tests.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{RunHandle, StopReason};
use crate::fitness::GenerationTimes;

/// Is told of every generation, and of what went wrong without ending the run.
///
/// A closure that takes reports is one:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use evodoku::ga::{GenerationReport, Observer};
///
/// let mut until_ten = |report: &GenerationReport<'_>| match report.best_so_far {
///     0..=10 => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// };
/// let _: &mut dyn Observer = &mut until_ten;
/// ```
pub trait Observer {
    /// A generation is complete. `Break` ends the run after it, unless it is solved
    /// ([`StopReason::Observer`](super::StopReason::Observer)).
    fn on_generation(&mut self, _report: &GenerationReport<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The run goes on, but something should be known.
    fn on_warning(&mut self, _message: &str) {}

    /// Whether a [checkpoint](super::Checkpoint) is wanted of the run as it stands after
    /// `generation`, the last that was told; `ending` is what ends the run, if anything does.
    fn wants_checkpoint(&mut self, _generation: u32, _ending: Option<StopReason>) -> bool {
        false
    }

    /// Takes the checkpoint that was wanted.
    fn on_checkpoint(&mut self, _standing: &mut RunHandle<'_>) {}

    /// Whether [`GenerationReport::distinct`] is wanted, which takes time to estimate.
    fn wants_distinct(&self) -> bool {
        false
    }

    /// Whether [`GenerationReport::board`] is wanted of every generation. Where it is not, it may be
    /// left out of those that are no better than the best so far, and need not travel.
    fn wants_boards(&self) -> bool {
        true
    }
}

/// Watches nothing.
impl Observer for () {
    fn wants_boards(&self) -> bool {
        false
    }
}

impl<F: FnMut(&GenerationReport<'_>) -> ControlFlow<()>> Observer for F {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self(report)
    }
}

impl Observer for &mut (dyn Observer + Send + '_) {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        (**self).on_generation(report)
    }

    fn on_warning(&mut self, message: &str) {
        (**self).on_warning(message);
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        (**self).wants_checkpoint(generation, ending)
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        (**self).on_checkpoint(standing);
    }

    fn wants_distinct(&self) -> bool {
        (**self).wants_distinct()
    }

    fn wants_boards(&self) -> bool {
        (**self).wants_boards()
    }
}

/// A complete generation.
#[derive(Clone, Copy, Debug)]
pub struct GenerationReport<'a> {
    /// Its number; 0 is the scored initial population.
    pub generation: u32,
    /// Restarts so far.
    pub restart: u32,
    /// The lowest fitness in the population.
    pub best: u16,
    /// The lowest fitness since the run began.
    pub best_so_far: u16,
    /// The sum of all fitness.
    pub sum: u64,
    /// Individuals.
    pub population: u64,
    /// The highest fitness in the population.
    pub worst: u16,
    /// An estimate of the number of different boards, where one was made.
    pub distinct: Option<u64>,
    /// Boards scored since the run began.
    pub evaluations: u64,
    /// Neighbours priced since the run began.
    pub moves: u64,
    /// Where this generation's time went.
    pub times: GenerationTimes,
    /// Time since the run began.
    pub elapsed: Duration,
    /// The best board since the run began: one packed board.
    pub best_board: &'a [u8],
    /// The best board of this generation, packed too; of several the one of the lowest slot.
    /// Empty where it was left out ([`Observer::wants_boards`]).
    pub board: &'a [u8],
    /// The lowest fitness of each island.
    pub islands: &'a [u16],
}
