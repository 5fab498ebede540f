//! Checkpoints: runs between two generations, each with its population, and a header of their owner.
//!
//! They are one [container](super::container). Its header has that of the owner (`solve`: the arguments and the
//! runs that have ended; `experiment`: nothing), then a key and a [`RunSnapshot`] of each run; its body has their
//! populations, in the same order.

use std::io::{self, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::container::{read_container, write_container};
use super::{CheckpointKind, ContainerError, FitnessHistory};
use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::ga::islands::sizes;
use crate::ga::{
    Checkpoint, Config, ConfigError, Parameter, PopulationCodec, Run, RunCounters, RunHandle,
    StateError,
};
use crate::util::memory::{self, NotEnoughMemory};

/// All that identifies a run, but for its seed.
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
    /// Its counters.
    pub progress: RunCounters,
    /// Its fitness by generation.
    pub history: Option<FitnessHistory>,
}

/// A snapshot that a run cannot continue from.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// It is of another puzzle.
    #[error("the checkpoint was made for a different puzzle")]
    Puzzle,
    /// It is of other parameters.
    #[error("this version derives other parameters: use the version that wrote the checkpoint")]
    Parameters,
    /// It has no population of the size that it says.
    #[error("the checkpoint holds no population")]
    Population,
    /// No run has such a state.
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
    /// The identity of a run.
    ///
    /// # Errors
    /// When its islands cannot be.
    pub fn new(space: &SearchSpace, config: &Config) -> Result<Self, ConfigError> {
        let (sizes, is_solved) = (sizes(space.geometry(), config), space.free.is_empty());
        Ok(Self {
            puzzle: fingerprint(&space.puzzle),
            parameters: parameters(config),
            fixed: space.fixed.clone(),
            shape: space.geometry().to_string(),
            // What presolve solves needs no islands.
            sizes: sizes.or_else(|error| if is_solved { Ok(Vec::new()) } else { Err(error) })?,
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
    fn population_bytes(&self) -> io::Result<u64> {
        Ok(self.codec()?.bytes(&self.identity.sizes))
    }

    /// Writes its packed population as the engine hands it out.
    fn write_population(&self, standing: &mut RunHandle<'_>, to: &mut dyn Write) -> io::Result<()> {
        let (codec, mut written, mut sizes) = (self.codec()?, Ok(()), Vec::new());
        let visited = standing.for_each_island(&mut |boards, fitness| {
            sizes.push(fitness.len() as u32);
            if written.is_ok() {
                written = codec.write(boards, fitness, to);
            }
        });
        if visited.is_ok() && sizes != self.identity.sizes {
            return Err(io::Error::other(
                "the population's size differs from that in the checkpoint",
            ));
        }
        visited.map_err(io::Error::other).and(written)
    }
}

/// A run as it was stored, or is about to be.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Everything but its population.
    pub snapshot: RunSnapshot,
    /// Its packed population.
    pub population: Vec<u8>,
}

impl StoredRun {
    /// A run between two generations; its population is copied, packed.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn new(snapshot: RunSnapshot, standing: &mut RunHandle<'_>) -> io::Result<Self> {
        let mut population = Vec::with_capacity(snapshot.population_bytes()? as usize);
        snapshot.write_population(standing, &mut population)?;
        Ok(Self { snapshot, population })
    }

    /// The checkpoint that `run` continues from.
    ///
    /// # Errors
    /// [`SnapshotError`] when this is of another run, or memory does not hold it.
    pub fn restore(&self, run: &Run<'_>) -> Result<Checkpoint, SnapshotError> {
        let (space, RunSnapshot { identity, progress, .. }) = (run.space, &self.snapshot);
        if identity.puzzle != fingerprint(&space.puzzle) {
            return Err(SnapshotError::Puzzle);
        }
        let wanted = RunIdentity::new(space, run.config)?;
        // A population that is larger than the run's would take memory that the run does not need.
        if *identity != wanted {
            return Err(SnapshotError::Parameters);
        }
        memory::check("the checkpoint", 3 * run.memory_needed() / 2)?;
        let codec = self.snapshot.codec().map_err(|_| SnapshotError::Population)?;
        let state = codec.read(&wanted.sizes, &self.population).ok_or(SnapshotError::Population)?;
        progress.check(run.space)?;
        let islands = wanted.sizes.iter().map(|size| *size as usize);
        state.check(space.geometry(), &space.fixed, islands)?;
        Ok(Checkpoint { progress: progress.clone(), state })
    }
}

/// A run whose population its engine has, and hands out island by island: it is written without a copy of it.
pub type LiveRun<'a, 'e, K> = (K, &'a RunSnapshot, &'a mut RunHandle<'e>);

/// Writes a checkpoint of runs that were packed before, and of one that is live.
///
/// # Errors
/// The errors of `to`, and of an engine that cannot give a population.
pub fn write_checkpoint<K: Serialize + Copy>(
    to: &mut dyn Write,
    kind: CheckpointKind,
    owner: &impl Serialize,
    packed: &[(K, &StoredRun)],
    live: Option<LiveRun<'_, '_, K>>,
) -> io::Result<()> {
    let mut snapshots: Vec<_> = packed.iter().map(|(key, run)| (*key, &run.snapshot)).collect();
    snapshots.extend(live.as_ref().map(|(key, snapshot, _)| (*key, *snapshot)));
    write_container(to, kind, &(owner, snapshots), |to| {
        for (_, run) in packed {
            to.write_all(&run.population)?;
        }
        live.map_or(Ok(()), |(_, snapshot, standing)| snapshot.write_population(standing, to))
    })
}

/// The header of the owner and the runs that [`write_checkpoint`] wrote of this kind.
///
/// # Errors
/// [`ContainerError`] says what is wrong.
pub fn read_checkpoint<H: DeserializeOwned, K: DeserializeOwned>(
    bytes: &[u8],
    kind: CheckpointKind,
) -> Result<(H, Vec<(K, StoredRun)>), ContainerError> {
    type Header<H, K> = (H, Vec<(K, RunSnapshot)>);
    let ((owner, snapshots), mut body) = read_container::<Header<H, K>>(bytes, kind)?;
    let runs = snapshots.into_iter().map(|(key, snapshot)| {
        let bytes = usize::try_from(snapshot.population_bytes().ok()?).ok()?;
        let (population, rest) = body.split_at_checked(bytes)?;
        body = rest;
        Some((key, StoredRun { snapshot, population: population.to_vec() }))
    });
    let runs = runs.collect::<Option<_>>().filter(|_| body.is_empty());
    Ok((owner, runs.ok_or(ContainerError::Unreadable)?))
}

fn parameters(config: &Config) -> Vec<String> {
    let unbounded = Config { max_generations: 0, max_work: 0, time_limit: 0.0, ..config.clone() };
    let shown =
        |parameter: &Parameter| format!("{}={}", parameter.name, (parameter.get)(&unbounded));
    Config::PARAMETERS.iter().map(shown).collect()
}

/// A number that identifies a puzzle.
pub fn fingerprint(puzzle: &Puzzle) -> u32 {
    let shape = format!("{} {}\n", puzzle.geometry, puzzle.name);
    crc32fast::hash(&[shape.as_bytes(), &puzzle.givens].concat())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::fitness::{CpuEvaluator, Pipeline};
    use crate::ga::{Observer, Preset, StopReason};

    /// Keeps the run of the last generation.
    struct Keeper<'a>(&'a Run<'a>, Option<StoredRun>);

    impl Observer for Keeper<'_> {
        fn wants_checkpoint(&mut self, _: u32, ending: Option<StopReason>) -> bool {
            ending.is_some()
        }

        fn on_checkpoint(&mut self, run: &mut RunHandle<'_>) {
            let identity = RunIdentity::new(self.0.space, self.0.config).unwrap();
            let snapshot = RunSnapshot { identity, progress: run.progress.clone(), history: None };
            self.1 = Some(StoredRun::new(snapshot, run).unwrap());
        }
    }

    #[test]
    fn a_run_is_restored_for_its_own_puzzle_and_parameters_alone() {
        let geometry = Geometry::new(2, 3).unwrap();
        let blank = SearchSpace::blank(geometry);
        let small =
            Config { population: 20, max_generations: 2, ..Config::of(Preset::Boxes, &blank) };
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&blank, &small, 1, &interrupted);
        let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(geometry, None)));
        let mut keeper = Keeper(&run, None);
        run.execute(&mut pipeline, &mut keeper).unwrap();
        let stored = keeper.1.unwrap();
        let restored = |space: &SearchSpace, config: &Config| {
            stored.restore(&Run::new(space, config, 1, &interrupted)).map(drop)
        };
        assert!(restored(&blank, &small).is_ok());
        // The budget may change.
        assert!(
            restored(&blank, &Config { max_generations: 9, max_work: 5, ..small.clone() }).is_ok()
        );
        let named = Puzzle { name: "other".to_owned(), ..blank.puzzle.clone() };
        let other = SearchSpace { puzzle: named, ..blank.clone() };
        assert!(matches!(restored(&other, &small), Err(SnapshotError::Puzzle)));
        let mutation = Config { mutation_rate: small.mutation_rate / 2.0, ..small.clone() };
        assert!(matches!(restored(&blank, &mutation), Err(SnapshotError::Parameters)));
        let cut = StoredRun { population: stored.population[1..].to_vec(), ..stored.clone() };
        let run = Run::new(&blank, &small, 1, &interrupted);
        assert!(matches!(cut.restore(&run), Err(SnapshotError::Population)));
    }
}
