//! Checkpoints: the state of a run between two generations, from which it continues as if it had never stopped.
//!
//! A run between two generations is its [`RunCounters`] (which generation it is, the best board so far,
//! all counts) and the [`PopulationSnapshot`] of its engine (the population). Draws depend on the seed, the
//! generation and the slot alone, so that nothing else passes from one generation to the next: a run
//! that goes on from a checkpoint is the same run, bit for bit, on whatever engine.
//!
//! An [`Observer`](super::Observer) asks for checkpoints. This one keeps that of generation 5:
//!
//! ```
//! use evodoku::board::Presolve;
//! use evodoku::ga::{Checkpoint, Observer, Overrides, RunHandle, StopReason};
//! use evodoku::{Preset, Solver, format};
//!
//! struct Fifth(Option<Checkpoint>);
//!
//! impl Observer for Fifth {
//!     fn wants_checkpoint(&mut self, generation: u32, _: Option<StopReason>) -> bool {
//!         generation == 5
//!     }
//!
//!     fn on_checkpoint(&mut self, run: &mut RunHandle<'_>) {
//!         self.0 = run.checkpoint().ok();
//!     }
//! }
//!
//! let puzzle = format::load("easter-monster", None)?.puzzle;
//! let (max_generations, presolve) = (Some(12), Some(Presolve::None));
//! let few = Overrides { max_generations, presolve, ..Overrides::default() };
//! let solver = Solver::new(Preset::Boxes).population(200).set(few).seed(1);
//! let mut fifth = Fifth(None);
//! let whole = solver.solve_with(&puzzle, &mut fifth)?;
//! let checkpoint = fifth.0.ok_or("it was to be kept")?;
//!
//! let resumed = solver.resume(&puzzle, &checkpoint, &mut ())?;
//! assert_eq!(resumed.outcome.board, whole.outcome.board);
//! assert_eq!(resumed.outcome.evaluations, whole.outcome.evaluations);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `serde` writes and reads it; `evodoku solve --checkpoint` has a form of its own for files.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::local_search::Effort;
use super::state::is_board;
use super::{GenerationKind, PopulationSnapshot, StateError};
use crate::board::SearchSpace;
use crate::fitness::fitness;

/// The state of a run between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The run's part.
    pub progress: RunCounters,
    /// The engine's part.
    pub state: PopulationSnapshot,
}

impl Checkpoint {
    /// Whether it was taken before the first generation.
    pub fn is_empty(&self) -> bool {
        self.progress.source == GenerationKind::Initialiser
    }
}

/// The counters of a run and its best board, between two generations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunCounters {
    /// The number of the last complete generation.
    pub generation: u32,
    /// How often the population was drawn anew.
    pub restarts: u32,
    /// Boards scored.
    pub evaluations: u64,
    /// What local search cost.
    pub effort: Effort,
    /// The best board so far, packed.
    pub best: Vec<u8>,
    /// Its fitness.
    pub best_fitness: u16,
    /// The fitness that the restart rule compares the next best with: by `no-better-best` the best since the last
    /// restart, else that of the last generation.
    pub compared: u16,
    /// Generations in a row without a change for the better.
    pub stale: u32,
    /// Where the children of the next generation come from.
    pub source: GenerationKind,
    /// Wall time until now.
    pub elapsed: Duration,
    /// The part of it in which engines were made.
    pub making: Duration,
}

/// The last generation: draws number generations in 32 bits, and the next one is a number, too.
pub(crate) const LAST_GENERATION: u32 = u32::MAX - 1;
/// Counts that no run reaches, so that what is added to them is always a number.
const MOST_COUNTED: u64 = 1 << 60;
/// Wall time that no run takes: 30,000 years.
const LONGEST: Duration = Duration::from_secs(1 << 40);

impl RunCounters {
    /// The counters of a run that has completed no generation.
    pub(super) fn start(space: &SearchSpace) -> Self {
        Self {
            best: space.fixed.clone(),
            best_fitness: fitness(space.geometry(), &space.fixed),
            compared: u16::MAX,
            ..Self::default()
        }
    }

    /// Boards scored and moves evaluated.
    pub fn work(&self) -> u64 {
        self.evaluations + self.effort.moves
    }

    /// Whether it may be that of a run.
    ///
    /// # Errors
    /// [`StateError::Progress`] when it is none.
    pub fn check(&self, space: &SearchSpace) -> Result<(), StateError> {
        let geometry = space.geometry();
        let Effort { moves, steps } = self.effort;
        let is_one = is_board(geometry, &space.fixed, &self.best)
            && self.best_fitness <= geometry.worst_fitness()
            && [self.evaluations, moves, steps].iter().all(|count| *count < MOST_COUNTED)
            && self.making <= self.elapsed
            && self.elapsed < LONGEST
            && self.stale <= self.generation
            && self.restarts <= self.generation
            && self.generation < LAST_GENERATION
            && self.source != GenerationKind::Initialiser;
        if is_one { Ok(()) } else { Err(StateError::Progress) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn what_no_run_comes_to_is_refused() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let progress = RunCounters {
            generation: 9,
            restarts: 2,
            evaluations: 400,
            effort: Effort { moves: 5, steps: 3 },
            best: vec![1; 16],
            best_fitness: 36,
            compared: 36,
            stale: 4,
            source: GenerationKind::Parents,
            elapsed: Duration::from_secs(2),
            making: Duration::from_secs(1),
        };
        assert_eq!(progress.check(&space), Ok(()));
        assert_eq!(progress.work(), 405);
        // What is added to the largest numbers is none.
        type Spoil = fn(&mut RunCounters);
        let spoilt: [Spoil; 11] = [
            |it| it.restarts = 10,
            |it| it.evaluations = MOST_COUNTED,
            |it| it.effort.moves = MOST_COUNTED,
            |it| it.effort.steps = MOST_COUNTED,
            |it| it.generation = LAST_GENERATION,
            |it| it.stale = 10,
            |it| it.elapsed = LONGEST,
            |it| it.making = 2 * it.elapsed,
            |it| it.best_fitness = 200,
            |it| it.best[3] = 5,
            |it| it.source = GenerationKind::Initialiser,
        ];
        for (number, spoil) in spoilt.into_iter().enumerate() {
            let mut progress = progress.clone();
            spoil(&mut progress);
            assert_eq!(progress.check(&space), Err(StateError::Progress), "{number}");
        }
    }
}
