//! Engines: they carry out generations and report the statistics of each.
//!
//! A run decides (when to stop, when to draw a population anew, what to report); an engine breeds,
//! scores and replaces. [`CpuEngine`](super::CpuEngine) does so on the CPU and lets an evaluator
//! score; the device engine keeps everything on a GPU. A run decides by the [`GenerationStats`] of
//! each generation alone, so that two engines with the same statistics carry out the same run.
//!
//! A [`BatchEngine`] carries out many runs at once: a run that needs little of a device leaves most of it idle, and many
//! fill it. Each run has a slot and does not depend on the others: it leaves its slot to another run as soon as it
//! ends. A batch engine is told which slots want which generation, and sums up each as an [`Engine`] would.

use serde::{Deserialize, Serialize};

use super::diversity::{estimate, merge};
use super::local_search::Effort;
use super::{GenerationKind, PopulationSnapshot, Run, RunError};
use crate::fitness::{EvaluatorError, GenerationTimes};

/// Carries generations out.
pub trait Engine {
    /// Carries out generation `wanted.generation` and, if that pays, some of those after it, at
    /// most `wanted.generations` in all; false when `wanted.stop` said so in between.
    ///
    /// What is wanted is the generation after the last of the [`summaries`](Self::summaries),
    /// unless the run is over.
    ///
    /// # Errors
    /// What ended the engine's work for good.
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError>;

    /// The statistics of the generations that were carried out last, in order.
    fn summaries(&self) -> &[GenerationStats];

    /// The population as it stands after the last of the [`summaries`](Self::summaries), also when
    /// a generation after them was abandoned, and whatever else the next generation depends on.
    ///
    /// # Errors
    /// [`StateError::Abandoned`](super::StateError::Abandoned) when an abandoned generation left
    /// nothing of the kind; else as [`step`](Self::step).
    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError>;

    /// Hands out what [`snapshot`](Self::snapshot) gives island by island: packed boards, and the
    /// fitness of each.
    ///
    /// # Errors
    /// As [`snapshot`](Self::snapshot).
    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        let islands = self.snapshot()?.islands;
        islands.iter().for_each(|island| take(&island.boards, &island.fitness));
        Ok(())
    }

    /// Goes on with a `state` of the same run, from whatever engine: the generation that is wanted
    /// next is the one after it.
    ///
    /// # Errors
    /// [`RunError::State`] when it is one of another run; else as [`step`](Self::step).
    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError>;

    /// Returns whether the engine works, or how it continued after a fault.
    fn status(&self) -> EngineStatus<'_> {
        EngineStatus::default()
    }
}

/// Whether an engine works, or how it continued after a fault.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineStatus<'a> {
    /// The first fault in this run that the run is to be told of, and what came of it.
    pub warning: Option<(&'a EvaluatorError, &'static str)>,
    /// The fault since which something else does its work: the CPU engine, or scoring on the CPU.
    pub degraded_by: Option<&'a EvaluatorError>,
}

/// The next generations of a run.
pub struct GenerationRequest<'a> {
    /// The number of the next generation.
    pub generation: u32,
    /// Where its children come from. Those of the generations after it have parents.
    pub source: GenerationKind,
    /// Generations that would be wanted whatever comes of the first ones, at least 1.
    pub generations: u32,
    /// How often the number of different boards is estimated; 0 for never.
    pub distinct_every: u32,
    /// The best board of a generation is wanted if its fitness is lower than this.
    pub below: u16,
    /// Whether the generation under way should be abandoned.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl GenerationRequest<'_> {
    /// Whether the number of different boards is wanted in a generation.
    pub fn wants_distinct(&self, generation: u32) -> bool {
        self.distinct_every > 0 && generation.is_multiple_of(self.distinct_every)
    }
}

/// A generation that is complete.
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
    /// Adds what came of the same generation on the islands after these. Times are the longer of
    /// both: they were bred side by side.
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

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        (**self).step(wanted)
    }

    fn summaries(&self) -> &[GenerationStats] {
        (**self).summaries()
    }

    fn snapshot(&mut self) -> Result<PopulationSnapshot, RunError> {
        (**self).snapshot()
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        (**self).for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        (**self).restore(state)
    }

    fn status(&self) -> EngineStatus<'_> {
        (**self).status()
    }
}

/// The generation that the run in a slot wants.
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
pub trait BatchEngine: Send {
    /// Runs that it has room for.
    fn slots(&self) -> usize;

    /// Gives each of these runs its slot, in the place of whoever had it, with the population that it goes on
    /// from if it does; false for one that is of another kind than the runs that this engine is for. What a
    /// run needs there is made ready on the threads of the current rayon pool.
    fn take(&mut self, runs: &[(usize, Run<'_>)]) -> Vec<bool>;

    /// Begins a generation of the runs in these slots, which are all those that go on: a population
    /// that is left out of a generation that is completed is lost. One that was not completed is forgotten.
    fn begin(&mut self, due: &[SlotRequest]);

    /// Carries out a part of it, a fraction of a second long; true when it is complete.
    ///
    /// # Errors
    /// What ended the engine's work for good.
    fn step(&mut self) -> Result<bool, RunError>;

    /// What came of the generation that was completed last, for each that was due.
    fn summaries(&self) -> &[GenerationStats];

    /// Hands out the population of the run in a slot as it stands after the last of its summaries,
    /// also where a generation has begun: packed boards, and the fitness of each.
    ///
    /// # Errors
    /// What ended the engine's work for good.
    fn for_each_island(
        &mut self,
        slot: usize,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), RunError>;
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
