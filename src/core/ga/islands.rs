//! Islands: separate populations that exchange individuals at intervals.
//!
//! The population is split into islands of nearly equal size, in the order of slots; the first islands may have one
//! individual more. Each island is bred as if it were alone. Its number is the last word of the counter of the random number
//! generator. Every parameter that counts individuals counts those of an island. By default there are as many islands as
//! keep the boards of each within 64 MiB, a number that depends on the geometry and the population alone.
//!
//! **Migration.** The islands form a ring. In each generation whose number is a multiple of `migration_interval`,
//! `migrants` individuals of each island are copied to the next island after replacement. Each migrant is the better of
//! two individuals drawn from its island; of equals the first. The migrants go to evenly spaced slots, from a random slot
//! on. A migrant replaces the individual in its slot unless it is worse. All leave before any arrives. A restart has no
//! migration.
//!
//! Two islands of 4 individuals and 2 migrants: they go to slots 1 and 3, or 3 and 1, or 0 and 2, or 2 and 0.
//!
//! **Partitions.** An engine may have some of the islands of a run ([`IslandPartition`]) while other engines have the
//! others. Islands have the numbers that they have in the run, and so the draws. Migrants from the last island of a
//! partition go through a [`MigrationChannel`] to the island after it, and migrants to the first one come through it,
//! so that the run is the same as if one engine had all islands. Eight islands in three partitions: 0 to 2, 3 to 5,
//! 6 and 7. Island 2 sends to 3, 5 to 6, 7 to 0.
//!
//! Sources: Tanese, *Distributed genetic algorithms*, 1989; Alba & Tomassini, *Parallelism and
//! evolutionary algorithms*, 2002.

use std::fmt;
use std::ops::Range;

use super::{Config, ConfigError, GenerationKind, IslandSnapshot, StopCheck};
use crate::board::Geometry;
use crate::random::{GenerationRng, StreamStage, WHOLE_POPULATION};

/// The most bytes of boards of an island, if the number of islands is not set.
const ISLAND_BYTES: u64 = 64 << 20;

/// Individuals of each island.
///
/// # Errors
/// [`ConfigError::Unfit`] when there are more islands than individuals.
pub fn sizes(geometry: Geometry, config: &Config) -> Result<Vec<u32>, ConfigError> {
    let population = config.population;
    let islands = match config.islands {
        0 => {
            let bytes = u64::from(population) * geometry.stride() as u64;
            bytes.div_ceil(ISLAND_BYTES) as u32
        }
        islands => islands,
    };
    if islands > population {
        return Err(ConfigError::Unfit(format!(
            "islands is {islands}, but the population has only {population} individuals"
        )));
    }
    let islands = parts(population as usize, islands as usize);
    Ok(islands.into_iter().map(|island| island.len() as u32).collect())
}

/// The migration between islands: how many individuals, and when.
#[derive(Clone, Copy, Debug, Default)]
pub struct Migration {
    interval: u32,
    /// Individuals that leave each island at a time.
    pub migrants: u32,
}

impl Migration {
    /// The migration between islands of these sizes.
    pub fn new(config: &Config, sizes: &[u32]) -> Self {
        let smallest = sizes.iter().copied().min().unwrap_or(0);
        let migrants = if sizes.len() > 1 { config.migrants.min(smallest) } else { 0 };
        Self { interval: config.migration_interval, migrants }
    }

    /// Whether individuals migrate at the end of a generation.
    pub fn is_due(&self, generation: u32, source: GenerationKind) -> bool {
        self.migrants > 0
            && source == GenerationKind::Parents
            && self.interval > 0
            && generation.is_multiple_of(self.interval)
    }

    /// The slot of migrant `number` in the island that it leaves.
    pub fn emigrant(&self, number: u32, fitness: &[u16], seed: &GenerationRng) -> usize {
        let mut draws = seed.draws(StreamStage::Migrate, number);
        let mut draw = || draws.below(fitness.len() as u32) as usize;
        let (first, second) = (draw(), draw());
        if fitness[second] < fitness[first] { second } else { first }
    }

    /// The slot of migrant `number` in the island of `population` individuals to which it comes.
    pub fn arrival(&self, number: u32, population: u32, seed: &GenerationRng) -> usize {
        let first = seed.draws(StreamStage::Migrate, WHOLE_POPULATION).below(population);
        let apart = population / self.migrants;
        ((u64::from(first) + u64::from(number * apart)) % u64::from(population)) as usize
    }
}

/// Consecutive islands, and the channel to the islands before and after them.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct IslandPartition<'a> {
    /// Their numbers.
    pub islands: Range<usize>,
    /// The channel to the others.
    pub channel: &'a dyn MigrationChannel,
}

/// The channel to islands of other engines. A generation that is repeated after a fault is neither sent nor
/// received twice: both methods go by the generation.
#[doc(hidden)]
pub trait MigrationChannel: fmt::Debug + Sync {
    /// Sends the migrants of the last island at the end of a generation, without waiting.
    fn send(&self, generation: u32, emigrants: IslandSnapshot);

    /// Waits for the migrants to the first island at the end of a generation; `None` if `stop` interrupted it.
    fn receive(&self, generation: u32, stop: StopCheck<'_>) -> Option<IslandSnapshot>;
}

/// Parts of nearly equal size of so many islands, the first ones one larger. Where there are more
/// parts than islands, the last are empty.
///
/// ```
/// use evodoku::ga::parts;
///
/// assert_eq!(parts(8, 3), [0..3, 3..6, 6..8]);
/// ```
#[doc(hidden)]
pub fn parts(islands: usize, parts: usize) -> Vec<Range<usize>> {
    let (least, more) = (islands / parts.max(1), islands % parts.max(1));
    let begin = |part: usize| part * least + part.min(more);
    (0..parts).map(|part| begin(part)..begin(part + 1)).collect()
}

/// The islands of an engine.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct LocalIslands<'a> {
    /// The number of the first one.
    pub first: usize,
    /// Individuals of each.
    pub sizes: Vec<u32>,
    /// The migration between the islands of the run.
    pub migration: Migration,
    /// The channel to the other islands of the run, if there are others.
    pub channel: Option<&'a dyn MigrationChannel>,
}

impl<'a> LocalIslands<'a> {
    /// The islands of a run, or those of a partition of it.
    ///
    /// # Errors
    /// [`ConfigError::Unfit`] when there are more islands than individuals, or none in the partition.
    pub(crate) fn new(
        geometry: Geometry,
        config: &Config,
        partition: Option<&IslandPartition<'a>>,
    ) -> Result<Self, ConfigError> {
        let mut sizes = sizes(geometry, config)?;
        let migration = Migration::new(config, &sizes);
        let Some(part) = partition else {
            return Ok(Self { first: 0, sizes, migration, channel: None });
        };
        let held = part.islands.start.min(sizes.len())..part.islands.end.min(sizes.len());
        if held.is_empty() {
            return Err(ConfigError::Unfit(format!(
                "this part of the run has no islands: it would start at island {} (from 0), but there are only {}",
                part.islands.start,
                sizes.len()
            )));
        }
        let is_all = held == (0..sizes.len());
        sizes = sizes[held.clone()].to_vec();
        let channel = (!is_all).then_some(part.channel);
        Ok(Self { first: held.start, sizes, migration, channel })
    }

    /// Individuals of all of them.
    pub(crate) fn population(&self) -> u32 {
        self.sizes.iter().sum()
    }

    /// The number of groups of migrants: one for each of these islands, in their order, and one for the migrants from
    /// another engine. Without another engine the first island takes the group of the last one.
    pub fn places(&self) -> usize {
        self.sizes.len() + usize::from(self.channel.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchSpace;
    use crate::ga::{Preset, presets};

    fn config(population: u32, islands: u32) -> Config {
        Config { population, islands, ..presets::config(Preset::Boxes) }
    }

    #[test]
    fn a_population_is_split_by_its_bytes_or_as_asked() {
        let geometry = Geometry::new(3, 3).unwrap();
        assert_eq!(sizes(geometry, &config(798_915, 0)).unwrap(), [798_915]);
        assert_eq!(sizes(geometry, &config(798_916, 0)).unwrap(), [399_458, 399_458]);
        assert_eq!(sizes(geometry, &config(10, 3)).unwrap(), [4, 3, 3]);
        assert!(sizes(geometry, &config(2, 3)).is_err());
    }

    #[test]
    fn immigrants_come_to_slots_of_their_own() {
        for (population, migrants) in [(4, 2), (7, 7), (100, 9), (1, 5)] {
            let config = Config { migrants, ..config(2 * population, 2) };
            let migration = Migration::new(&config, &[population, population]);
            for generation in 0..50 {
                let seed = GenerationRng::new(1, generation).island(1);
                let mut slots: Vec<usize> = (0..migration.migrants)
                    .map(|number| migration.arrival(number, population, &seed))
                    .collect();
                slots.sort();
                slots.dedup();
                assert_eq!(slots.len(), migrants.min(population) as usize);
                assert!(slots.iter().all(|slot| *slot < population as usize));
            }
        }
    }

    /// A way to nowhere.
    #[derive(Debug)]
    struct Nowhere;

    impl MigrationChannel for Nowhere {
        fn send(&self, _: u32, _: IslandSnapshot) {}

        fn receive(&self, _: u32, _: StopCheck<'_>) -> Option<IslandSnapshot> {
            None
        }
    }

    #[test]
    fn a_part_without_islands_is_refused() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let config = Config { islands: 2, ..Config::of(Preset::Boxes, &space) };
        for islands in parts(2, 3) {
            let is_empty = islands.is_empty();
            let part = IslandPartition { islands, channel: &Nowhere };
            let held = LocalIslands::new(space.geometry(), &config, Some(&part));
            assert_eq!(held.is_err(), is_empty);
            let held = held.map_or(0, |held| held.population());
            assert_eq!(held, if is_empty { 0 } else { config.population / 2 });
        }
    }

    #[test]
    fn parts_are_alike_and_hold_each_island_once() {
        for islands in 1..20 {
            for count in 1..24 {
                let parts = parts(islands, count);
                assert_eq!(
                    parts.iter().cloned().flatten().collect::<Vec<_>>(),
                    Vec::from_iter(0..islands)
                );
                let sizes: Vec<usize> = parts.iter().map(Range::len).collect();
                assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes[0] - sizes[count - 1] <= 1);
            }
        }
    }
}
