//! Engines carry out generations and report the statistics of each.
//!
//! A run decides when to stop, when to restart and what to report; an engine breeds, scores and replaces.
//! [`CpuEngine`](super::CpuEngine) breeds on the CPU and scores with an evaluator; the GPU engine keeps the population
//! on a GPU. A run decides by the [`GenerationStats`] of each generation alone, so that two engines with the same
//! statistics carry out the same run.
//!
//! A [`BatchEngine`] carries out many runs at once, because a single run may leave most of a GPU idle. Each run has a slot
//! and does not depend on the others: when it ends, another run takes its slot. A batch engine receives the next
//! generation of each slot, and reports statistics for each as an [`Engine`] does.

use serde::{Deserialize, Serialize};

use super::diversity::{estimate, merge};
use super::local_search::{Effort, StopCheck};
use super::state::IslandSink;
use super::{GenerationKind, PopulationSnapshot, Run, RunError};
use crate::fitness::{EvaluatorError, GenerationTimes};

/// Carries generations out.
#[doc(hidden)]
pub trait Engine: Send {
    /// Carries out generation `wanted.generation` and, if that is faster, some of those after it, at
    /// most `wanted.generations` in all; returns false if `wanted.stop` interrupted it.
    ///
    /// An engine that does not [wait](Self::waits) returns true without [`summaries`](Self::summaries) while the generation is in
    /// progress, and continues with it when it is requested again.
    ///
    /// The requested generation follows the last of the [`summaries`](Self::summaries).
    ///
    /// # Errors
    /// The error after which the engine cannot continue.
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError>;

    /// The statistics of the generations that were carried out last, in order.
    fn summaries(&self) -> &[GenerationStats];

    /// Hands out the population after the last of the [`summaries`](Self::summaries), island by island. A later
    /// generation that was abandoned does not change it.
    ///
    /// # Errors
    /// [`StateError::Abandoned`](super::StateError::Abandoned) when an abandoned generation left islands in different
    /// generations; else as [`step`](Self::step).
    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError>;

    /// Copies the population that [`for_each_island`](Self::for_each_island) hands out.
    ///
    /// # Errors
    /// As [`for_each_island`](Self::for_each_island).
    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError> {
        PopulationSnapshot::collect(&mut |take| self.for_each_island(take))
    }

    /// Whether it waits for the work of its device.
    fn waits(&self) -> bool {
        true
    }

    /// Copies the fitness of all individuals, island by island, as [`for_each_island`](Self::for_each_island) hands it out. An
    /// engine that does not [wait](Self::waits) returns `None` while it reads it, and while a generation is in progress.
    ///
    /// # Errors
    /// As [`for_each_island`](Self::for_each_island).
    fn fitness(&mut self) -> Result<Option<Vec<u16>>, RunError> {
        let mut all = Vec::new();
        self.for_each_island(&mut |_, fitness| all.extend_from_slice(fitness))?;
        Ok(Some(all))
    }

    /// Continues from a `state` of the same run, which any engine may have taken. The next request is for the
    /// generation after it.
    ///
    /// # Errors
    /// [`RunError::State`] when the state belongs to another run; else as [`step`](Self::step).
    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError>;

    /// Returns whether the engine works, or how it continued after a fault.
    fn status(&self) -> EngineStatus<'_> {
        EngineStatus::default()
    }
}

/// Whether an engine works, or how it continued after a fault.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineStatus<'a> {
    /// The first fault in this run, and its consequence, to be reported to the run.
    pub warning: Option<(&'a EvaluatorError, &'static str)>,
    /// The fault after which the CPU engine, or scoring on the CPU, replaced the device.
    pub degraded_by: Option<&'a EvaluatorError>,
}

/// The next generations of a run.
#[doc(hidden)]
pub struct GenerationRequest<'a> {
    /// The number of the next generation.
    pub generation: u32,
    /// Where its children come from. Those of the generations after it have parents.
    pub source: GenerationKind,
    /// The number of generations that the run needs unless one of them solves the puzzle, at least 1.
    pub generations: u32,
    /// How often the number of different boards is estimated; 0 for never.
    pub distinct_every: u32,
    /// The best board of a generation is needed if its fitness is lower than this.
    pub below: u16,
    /// Whether to abandon the current generation.
    pub stop: StopCheck<'a>,
}

impl GenerationRequest<'_> {
    /// Whether the number of different boards is needed in a generation.
    pub fn wants_distinct(&self, generation: u32) -> bool {
        self.distinct_every > 0 && generation.is_multiple_of(self.distinct_every)
    }
}

/// A generation that is complete.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationStats {
    /// The lowest fitness.
    pub best: u16,
    /// The packed board of the lowest slot that has it; it may be left out where it is not
    /// [wanted](GenerationRequest::below).
    pub best_board: Vec<u8>,
    /// The lowest fitness of each island.
    pub islands: Vec<u16>,
    /// The highest fitness.
    pub worst: u16,
    /// The sum of all fitness.
    pub sum: u64,
    /// The registers from which the number of different boards is estimated, where it was wanted.
    pub registers: Option<Vec<u8>>,
    /// Boards that were scored.
    pub evaluations: u64,
    /// What local search cost.
    pub effort: Effort,
    /// Where the time went.
    pub times: GenerationTimes,
}

impl GenerationStats {
    /// Adds the statistics of the same generation on the islands after these. A time is the longer of the two, because both
    /// were bred at the same time.
    pub fn append(&mut self, after: Self) {
        if after.best < self.best {
            (self.best, self.best_board) = (after.best, after.best_board);
        }
        self.islands.extend(after.islands);
        self.worst = self.worst.max(after.worst);
        self.sum += after.sum;
        self.registers = self.registers.take().zip(after.registers).map(|(a, b)| merge(a, b));
        self.evaluations += after.evaluations;
        self.effort += after.effort;
        self.times = self.times.longer(after.times);
    }

    /// An estimate of the number of different boards, where it was wanted.
    pub fn distinct(&self) -> Option<u64> {
        self.registers.as_deref().map(estimate)
    }
}

/// So `Run::execute_on` takes engines and boxes of engines.
impl<'a, E: Engine + 'a> From<E> for Box<dyn Engine + 'a> {
    fn from(engine: E) -> Self {
        Box::new(engine)
    }
}

/// The generation that the run in a slot wants.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotRequest {
    /// The slot.
    pub slot: usize,
    /// The number of the generation.
    pub generation: u32,
    /// Where its children come from.
    pub source: GenerationKind,
}

/// Carries out generations of many runs at once.
#[doc(hidden)]
pub trait BatchEngine: Send {
    /// Returns the number of slots.
    fn slots(&self) -> usize;

    /// Assigns each of these runs to its slot, in place of the run before, with the population of its checkpoint if it
    /// resumes. Returns false for a run that this engine cannot carry out, because it needs other kernels or because its
    /// checkpoint belongs to another run. The data of runs is prepared on the threads of the current rayon pool.
    fn take(&mut self, runs: &[(usize, Run<'_>)]) -> Vec<bool>;

    /// Begins a generation of the runs in these slots, and drops a generation that was not completed. The population of a
    /// slot that is left out is lost when the generation is complete.
    fn begin(&mut self, due: &[SlotRequest]);

    /// Carries out a part of the generation, which takes a fraction of a second; returns true when it is complete.
    ///
    /// # Errors
    /// The error after which the engine cannot continue.
    fn step(&mut self) -> Result<bool, RunError>;

    /// The statistics of the last complete generation, for each requested slot.
    fn summaries(&self) -> &[GenerationStats];

    /// Hands out the population of the run in a slot after the last of its summaries, island by island. A generation that
    /// has begun does not change it.
    ///
    /// # Errors
    /// The error after which the engine cannot continue.
    fn for_each_island(&mut self, slot: usize, take: IslandSink<'_>) -> Result<(), RunError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_boards_are_wanted_at_intervals_if_at_all() {
        let wanted = |every: u32| {
            let wanted = GenerationRequest {
                generation: 0,
                source: GenerationKind::Initialiser,
                generations: 9,
                distinct_every: every,
                below: 0,
                stop: &|| false,
            };
            (0..9).filter(|generation| wanted.wants_distinct(*generation)).collect::<Vec<u32>>()
        };
        assert!(wanted(0).is_empty());
        assert_eq!(wanted(1).len(), 9);
        assert_eq!(wanted(4), [0, 4, 8]);
    }
}
