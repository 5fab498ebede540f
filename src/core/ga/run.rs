//! A run: generation after generation until something ends it.
//!
//! Generation 0 is the scored initial population. A generation completes before stops are tested,
//! in the order solved, observer, interrupted, time, work, generations. An interrupt or the time
//! limit may abandon a generation, which is then not counted. A restart is a generation whose
//! children come from the initialiser.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::breeder::Breeder;
use super::islands::LocalIslands;
use super::replacement::keep_distance::TILE;
use super::{
    Checkpoint, Config, ConfigError, CustomOperators, IslandPartition, RunError, StopReason,
};
use crate::board::SearchSpace;
use crate::util::memory;

/// A puzzle to be solved under a configuration and a seed.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The puzzle after presolve.
    pub space: &'a SearchSpace,
    /// All parameters.
    pub config: &'a Config,
    /// The seed: with the configuration, all that the run depends on.
    pub seed: u64,
    /// Ends the run when it is set to true.
    pub interrupted: &'a AtomicBool,
    /// Operators that take the place of the configuration's.
    pub operators: &'a CustomOperators,
    /// The islands of this process or adapter; all by default.
    #[doc(hidden)]
    pub partition: Option<&'a IslandPartition<'a>>,
    /// A checkpoint of the same run to resume from; by default the run starts from its seed.
    pub resume_from: Option<&'a Checkpoint>,
}

impl<'a> Run<'a> {
    /// A run with the configuration's operators.
    pub fn new(
        space: &'a SearchSpace,
        config: &'a Config,
        seed: u64,
        interrupted: &'a AtomicBool,
    ) -> Self {
        let operators = CustomOperators::none();
        Self { space, config, seed, interrupted, operators, partition: None, resume_from: None }
    }

    /// Returns why the current generation should be abandoned, if so. `elapsed` is called only when there is a
    /// time limit, because reading a clock takes as long as breeding a child.
    pub(super) fn stopped_early(&self, elapsed: impl FnOnce() -> Duration) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.config.time_limit().is_some_and(|limit| elapsed() >= limit) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    /// The islands of this process or adapter.
    ///
    /// # Errors
    /// [`ConfigError::Unfit`] when there are more islands than individuals, or none in the partition.
    #[doc(hidden)]
    pub fn local_islands(&self) -> Result<LocalIslands<'a>, ConfigError> {
        LocalIslands::new(self.space.geometry(), self.config, self.partition)
    }

    /// The breeder of the smallest island, which may have too few individuals for an operator.
    ///
    /// # Errors
    /// [`ConfigError`] when an island cannot be.
    #[doc(hidden)]
    pub fn smallest_breeder(&self) -> Result<Breeder, ConfigError> {
        let sizes = self.local_islands()?.sizes;
        let smallest = Config { population: sizes[sizes.len() - 1], ..self.config.clone() };
        Breeder::new(self.space, &smallest, self.operators)
    }

    /// Checks that there is enough memory for this run, as [`execute`](Self::execute) does too.
    ///
    /// # Errors
    /// [`RunError`] when there is too little.
    pub fn check_memory(&self) -> Result<(), RunError> {
        let what = format!("a population of {}", self.population());
        Ok(memory::check(&what, self.memory_needed())?)
    }

    /// Returns the bytes of the populations of this run and, at most, of the lists of its operators.
    pub fn memory_needed(&self) -> u64 {
        // The most that go together: truncation's ranking and a pool of twice the population,
        // keep-distance's two rankings, places, marks, and a bit for each child of a tile, and a
        // restart's ranking.
        const LISTS: u64 = (3 + 4 + TILE as u64 / 32 + 1) * size_of::<u32>() as u64;
        let individual = (self.space.geometry().stride() + size_of::<u16>()) as u64;
        u64::from(self.population()) * (2 * individual + LISTS)
    }

    /// The number of individuals of this process or adapter; 0 if the run cannot be split into islands.
    #[doc(hidden)]
    pub fn population(&self) -> u32 {
        self.local_islands().map_or(0, |islands| islands.population())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;
    use crate::ga::Preset;

    #[test]
    fn memory_is_that_of_two_populations_and_the_lists_of_operators() {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        let of = |population| {
            let config = Config { population, ..Config::of(Preset::Boxes, &space) };
            let interrupted = AtomicBool::new(false);
            let run = Run::new(&space, &config, 1, &interrupted);
            (run.memory_needed(), run.check_memory())
        };
        // Twice 84 bytes and a fitness of two, and 16 words.
        let (needed, checked) = of(1_000);
        assert_eq!(needed, 1_000 * (2 * 86 + 64));
        assert!(checked.is_ok());
        let (needed, checked) = of(u32::MAX);
        assert_eq!(needed, u64::from(u32::MAX) * 236);
        let refused = checked.unwrap_err().to_string();
        assert!(refused.contains("a population of 4294967295"), "{refused}");
    }
}
