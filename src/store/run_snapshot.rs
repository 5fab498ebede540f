//! A run between two generations, as it is stored beside its population.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{FitnessHistory, population_codec::PopulationCodec};
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::ga::islands::sizes;
use crate::ga::{
    Checkpoint, Config, ConfigError, Parameter, Run, RunCounters, RunHandle, StateError,
};
use crate::util::memory::{self, NotEnoughMemory};

/// What makes a run the run that it is, beside its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunIdentity {
    /// The [fingerprint] of its puzzle.
    pub puzzle: u32,
    /// All parameters but the budget.
    parameters: Vec<String>,
    /// The board after presolve.
    fixed: Vec<u8>,
    shape: String,
    /// Individuals of each island.
    pub sizes: Vec<u32>,
}

/// A run between two generations, without its population.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSnapshot {
    /// Which run it is.
    pub identity: RunIdentity,
    /// What it has come to.
    pub progress: RunCounters,
    /// How it went so far.
    pub history: Option<FitnessHistory>,
}

/// Why a run does not go on from a snapshot.
#[derive(Debug, Error)]
pub enum SnapshotError {
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

impl RunIdentity {
    /// That of a run.
    ///
    /// # Errors
    /// When its islands cannot be.
    pub fn new(space: &SearchSpace, config: &Config) -> Result<Self, ConfigError> {
        Ok(Self {
            puzzle: fingerprint(&space.puzzle),
            parameters: parameters(config),
            fixed: space.fixed.clone(),
            shape: space.geometry().to_string(),
            sizes: sizes(space.geometry(), config)?,
        })
    }
}

impl RunSnapshot {
    /// How its population is packed, if its shape is one.
    fn codec(&self) -> io::Result<PopulationCodec> {
        let shape: Geometry = self.identity.shape.parse().map_err(io::Error::other)?;
        Ok(PopulationCodec::new(shape, &self.identity.fixed))
    }

    /// Bytes of its packed population.
    ///
    /// # Errors
    /// When its shape is none.
    pub fn population_bytes(&self) -> io::Result<u64> {
        Ok(self.codec()?.bytes(&self.identity.sizes))
    }

    /// Writes its packed population as the engine hands it out.
    ///
    /// # Errors
    /// Those of `to`, and of the engine.
    pub fn write_population(
        &self,
        standing: &mut RunHandle<'_>,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let (codec, mut written) = (self.codec()?, Ok(()));
        let visited = standing.for_each_island(&mut |boards, fitness| {
            if written.is_ok() {
                written = codec.write(boards, fitness, to);
            }
        });
        visited.map_err(io::Error::other).and(written)
    }

    /// What `run` goes on from, with this packed population.
    ///
    /// # Errors
    /// [`SnapshotError`] when it is of another run, or memory does not hold it.
    pub fn restore(&self, run: &Run<'_>, packed: &[u8]) -> Result<Checkpoint, SnapshotError> {
        let (space, found) = (run.space, &self.identity);
        if found.puzzle != fingerprint(&space.puzzle) {
            return Err(SnapshotError::Puzzle);
        }
        let wanted = RunIdentity::new(space, run.config)?;
        // A population that is larger than the run's would take memory that nobody asked for.
        if *found != wanted {
            return Err(SnapshotError::Parameters);
        }
        memory::check("the checkpoint", 3 * run.memory_needed() / 2)?;
        let state = self.codec().ok().and_then(|codec| codec.read(&wanted.sizes, packed));
        let state = state.ok_or(SnapshotError::Population)?;
        self.progress.check(run)?;
        let islands = wanted.sizes.iter().map(|size| *size as usize);
        state.check(space.geometry(), &space.fixed, islands)?;
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
