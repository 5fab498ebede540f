//! Batch engines: engines that carry out generations of many runs at once.
//!
//! A run that needs little of a device leaves most of it idle; many fill it. Each has a slot and
//! goes on by itself: what it wants depends on itself alone, and it leaves its slot to another as
//! soon as it ends. A batch engine is told which slots want what, and sums up each of their
//! generations as an [`Engine`](super::Engine) would.

use super::{GenerationKind, GenerationStats, Run, RunError};

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
