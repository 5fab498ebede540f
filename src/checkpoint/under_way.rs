//! A run that is under way, as the head of a checkpoint has it; its population follows.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Packing;
use crate::board::{Puzzle, SearchSpace};
use crate::ga::islands::sizes;
use crate::ga::{Checkpoint, Config, ConfigError, Parameter, Run, RunCounters, StateError};
use crate::memory::{self, NotEnoughMemory};
use crate::report::FitnessHistory;

/// A run between two generations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnderWay {
    /// The [fingerprint] of its puzzle.
    pub puzzle: u32,
    /// All parameters but the budget.
    parameters: Vec<String>,
    /// The board after presolve.
    fixed: Vec<u8>,
    shape: String,
    /// Individuals of each island.
    pub sizes: Vec<u32>,
    /// What it has come to.
    pub progress: RunCounters,
    /// How it went so far.
    pub course: Option<FitnessHistory>,
}

/// Why a run does not go on from a checkpoint.
#[derive(Debug, Error)]
pub enum Unfit {
    /// It is of another puzzle.
    #[error("the checkpoint has another puzzle in this place")]
    Puzzle,
    /// It is of other parameters.
    #[error(
        "this version of evodoku derives other parameters from the puzzle than the checkpoint's"
    )]
    Parameters,
    /// It has no population of the size that it says.
    #[error("the checkpoint holds no population")]
    Population,
    /// What it holds cannot be so.
    #[error(transparent)]
    State(#[from] StateError),
    /// Its islands cannot be.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// It does not fit into memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
}

impl UnderWay {
    /// That of a run, which has come to `progress`.
    ///
    /// # Errors
    /// When its islands cannot be.
    pub fn new(
        space: &SearchSpace,
        config: &Config,
        progress: &RunCounters,
        course: Option<&FitnessHistory>,
    ) -> Result<Self, ConfigError> {
        Ok(Self {
            puzzle: fingerprint(&space.puzzle),
            parameters: parameters(config),
            fixed: space.fixed.clone(),
            shape: space.geometry().to_string(),
            sizes: sizes(space.geometry(), config)?,
            progress: progress.clone(),
            course: course.cloned(),
        })
    }

    /// How its population is packed.
    pub fn packing(&self) -> Option<Packing> {
        Some(Packing::new(self.shape.parse().ok()?, &self.fixed))
    }

    /// What `run` goes on from, with this packed population.
    ///
    /// # Errors
    /// [`Unfit`] when it is of another run, or memory does not hold it.
    pub fn checkpoint(&self, run: &Run<'_>, packed: &[u8]) -> Result<Checkpoint, Unfit> {
        let (space, config) = (run.space, run.config);
        if self.puzzle != fingerprint(&space.puzzle) {
            return Err(Unfit::Puzzle);
        }
        let islands = sizes(space.geometry(), config)?;
        if self.parameters != parameters(config)
            // A population that is larger than the run's would take memory that nobody asked for.
            || self.sizes != islands
            || self.fixed != space.fixed
            || self.shape != space.geometry().to_string()
        {
            return Err(Unfit::Parameters);
        }
        memory::check("the checkpoint", 3 * run.memory_needed() / 2)?;
        let state = self.packing().and_then(|packing| packing.read(&self.sizes, packed));
        let state = state.ok_or(Unfit::Population)?;
        self.progress.check(run)?;
        state.check(space.geometry(), &space.fixed, islands.iter().map(|size| *size as usize))?;
        Ok(Checkpoint { progress: self.progress.clone(), state })
    }
}

fn parameters(config: &Config) -> Vec<String> {
    let unbounded = Config { max_generations: 0, max_work: 0, time_limit: 0.0, ..config.clone() };
    let shown =
        |parameter: &Parameter| format!("{}={}", parameter.name, (parameter.get)(&unbounded));
    Config::PARAMETERS.iter().map(shown).collect()
}

/// A number that tells puzzles apart.
pub fn fingerprint(puzzle: &Puzzle) -> u32 {
    let shape = format!("{} {}\n", puzzle.geometry, puzzle.name);
    crc32fast::hash(&[shape.as_bytes(), &puzzle.givens].concat())
}
