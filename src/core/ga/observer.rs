//! Observers of a run: progress bars, traces, tests.

use std::ops::ControlFlow;
use std::time::Duration;

use super::state::{IslandSink, IslandVisitor};
use super::{Checkpoint, PopulationSnapshot, RunCounters, RunError, StopReason};
use crate::fitness::GenerationTimes;

/// Is called with every generation, and with warnings.
///
/// A closure that takes reports is an observer:
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

    /// Something failed, but the run continues.
    fn on_warning(&mut self, _message: &str) {}

    /// Whether a [checkpoint](super::Checkpoint) of the run after `generation`, the last one reported, is needed;
    /// `ending` is the reason to stop, if there is one.
    fn wants_checkpoint(&mut self, _generation: u32, _ending: Option<StopReason>) -> bool {
        false
    }

    /// A checkpoint can be taken, after [`wants_checkpoint`](Self::wants_checkpoint) returned true.
    fn on_checkpoint(&mut self, _run: &mut RunHandle<'_>) {}

    /// Whether [`GenerationReport::distinct`] is needed. The estimate takes time.
    fn wants_distinct(&self) -> bool {
        false
    }

    /// Whether [`GenerationReport::board`] is needed in every generation. Otherwise it may be empty where it is no better
    /// than the best so far, so that an engine need not copy it.
    fn wants_boards(&self) -> bool {
        true
    }
}

/// Observes nothing.
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
    /// Moves evaluated since the run began.
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

/// A run between two generations, of which a checkpoint can be taken.
pub struct RunHandle<'a> {
    /// The counters of the run.
    pub progress: RunCounters,
    #[doc(hidden)]
    pub islands: &'a mut IslandVisitor<'a>,
}

impl RunHandle<'_> {
    /// Hands out the population island by island: the packed boards of an island, and the fitness of each. The CPU engine
    /// makes no copy.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        (self.islands)(take)
    }

    /// Copies the counters and the population.
    ///
    /// # Errors
    /// As [`for_each_island`](Self::for_each_island).
    pub fn checkpoint(&mut self) -> Result<Checkpoint, RunError> {
        let state = PopulationSnapshot::collect(self.islands)?;
        Ok(Checkpoint { progress: self.progress.clone(), state })
    }
}
