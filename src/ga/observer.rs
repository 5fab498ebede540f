//! Those who watch a run: progress bars, traces, tests.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use super::{
    BatchEngine, Checkpoint, Engine, IslandSnapshot, PopulationSnapshot, RunCounters, RunError,
    StopReason,
};
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

/// Who holds the population of a run.
pub(crate) enum PopulationSource<'a> {
    /// An engine of its own.
    Engine(&'a mut dyn Engine),
    /// A batch engine, in a slot.
    Slot(&'a mut dyn BatchEngine, usize),
    /// No engine yet: it is as it was stored.
    Snapshot(&'a PopulationSnapshot),
}

/// A run between two generations, of which a checkpoint can be taken.
pub struct RunHandle<'a> {
    progress: RunCounters,
    holder: PopulationSource<'a>,
}

impl<'a> RunHandle<'a> {
    pub(crate) fn new(progress: RunCounters, holder: PopulationSource<'a>) -> Self {
        Self { progress, holder }
    }

    /// The run's part.
    pub fn progress(&self) -> &RunCounters {
        &self.progress
    }

    /// Hands out the population island by island, the packed boards and the fitness of each, without
    /// a copy of all where the engine can do so.
    ///
    /// # Errors
    /// As [`Engine::snapshot`].
    pub fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        match &mut self.holder {
            PopulationSource::Engine(engine) => engine.for_each_island(take),
            PopulationSource::Slot(engine, slot) => engine.for_each_island(*slot, take),
            PopulationSource::Snapshot(state) => {
                state.islands.iter().for_each(|island| take(&island.boards, &island.fitness));
                Ok(())
            }
        }
    }

    /// A copy of all.
    ///
    /// # Errors
    /// As [`Engine::snapshot`].
    pub fn checkpoint(&mut self) -> Result<Checkpoint, RunError> {
        let state = match &mut self.holder {
            PopulationSource::Engine(engine) => engine.snapshot()?,
            PopulationSource::Snapshot(state) => (*state).clone(),
            PopulationSource::Slot(engine, slot) => {
                let mut islands = Vec::new();
                engine.for_each_island(*slot, &mut |boards, fitness| {
                    let (boards, fitness) = (boards.to_vec(), fitness.to_vec());
                    islands.push(IslandSnapshot { boards, fitness });
                })?;
                PopulationSnapshot { islands }
            }
        };
        Ok(Checkpoint { progress: self.progress.clone(), state })
    }
}

impl fmt::Debug for RunHandle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Standing").field("progress", &self.progress).finish_non_exhaustive()
    }
}
