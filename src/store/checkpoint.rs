//! Checkpoints: runs that are under way, each with its population, and what their owner says of them.
//!
//! One [container](super::container) holds them. Its header is what the owner says (`solve`: what was asked
//! for and the runs that have ended; `experiment`: nothing), then a key and a [`RunSnapshot`] of each run; its
//! body is their populations, in the same order.

use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::container::{read_container, write_container};
use super::{CheckpointKind, ContainerError, RunSnapshot, SnapshotError};
use crate::ga::{Checkpoint, Run, RunHandle};

/// A run as it was stored, or is about to be.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Everything but its population.
    pub snapshot: RunSnapshot,
    /// Its packed population.
    pub population: Vec<u8>,
}

impl StoredRun {
    /// A run as it stands; its population is copied, packed.
    ///
    /// # Errors
    /// What keeps the engine from giving it.
    pub fn new(snapshot: RunSnapshot, standing: &mut RunHandle<'_>) -> io::Result<Self> {
        let mut population = Vec::with_capacity(snapshot.population_bytes()? as usize);
        snapshot.write_population(standing, &mut population)?;
        Ok(Self { snapshot, population })
    }

    /// What `run` goes on from.
    ///
    /// # Errors
    /// [`SnapshotError`] when this is of another run, or memory does not hold it.
    pub fn restore(&self, run: &Run<'_>) -> Result<Checkpoint, SnapshotError> {
        self.snapshot.restore(run, &self.population)
    }
}

/// Where the population of a run comes from.
pub enum StoredPopulation<'a, 'e> {
    /// It was packed before.
    Packed(&'a [u8]),
    /// The engine has it, which hands it out island by island: it is written without a copy of it.
    Live(&'a mut RunHandle<'e>),
}

/// A run that is written: its key, its snapshot and its population.
pub type WrittenRun<'a, 'e, K> = (K, &'a RunSnapshot, StoredPopulation<'a, 'e>);

/// Writes a checkpoint. Gives the bytes of its populations.
///
/// # Errors
/// Those of `to`, and what keeps an engine from giving a population.
pub fn write_checkpoint<K: Serialize + Copy>(
    to: &mut dyn Write,
    kind: CheckpointKind,
    owner: &impl Serialize,
    runs: Vec<WrittenRun<'_, '_, K>>,
) -> io::Result<u64> {
    let mut bytes = 0;
    for (_, snapshot, population) in &runs {
        bytes += match population {
            StoredPopulation::Packed(packed) => packed.len() as u64,
            StoredPopulation::Live(_) => snapshot.population_bytes()?,
        };
    }
    let snapshots: Vec<_> = runs.iter().map(|(key, snapshot, _)| (*key, *snapshot)).collect();
    write_container(to, kind, &(owner, snapshots), bytes, |to| {
        for (_, snapshot, population) in runs {
            match population {
                StoredPopulation::Packed(packed) => to.write_all(packed)?,
                StoredPopulation::Live(standing) => snapshot.write_population(standing, to)?,
            }
        }
        Ok(())
    })?;
    Ok(bytes)
}

/// What [`write_checkpoint`] wrote of this kind: what the owner says, and its runs.
///
/// # Errors
/// [`ContainerError`] says what is wrong.
pub fn read_checkpoint<H: DeserializeOwned, K: DeserializeOwned>(
    bytes: &[u8],
    kind: CheckpointKind,
) -> Result<(H, Vec<(K, StoredRun)>), ContainerError> {
    type Snapshots<K> = Vec<(K, RunSnapshot)>;
    let ((owner, snapshots), mut body) = read_container::<(H, Snapshots<K>)>(bytes, kind)?;
    let mut runs = Vec::new();
    for (key, snapshot) in snapshots {
        let bytes = snapshot.population_bytes().ok().and_then(|bytes| usize::try_from(bytes).ok());
        let parts = bytes.and_then(|bytes| body.split_at_checked(bytes));
        let (population, rest) = parts.ok_or(ContainerError::Unreadable)?;
        body = rest;
        runs.push((key, StoredRun { snapshot, population: population.to_vec() }));
    }
    Ok((owner, runs))
}
