//! A part of a run's islands: an engine may hold some of them while others hold the rest.
//!
//! Islands have the numbers that they have in the run, and so the draws. What leaves the last one of
//! a part goes through a [`MigrationChannel`] to the one after it, and what comes to the first one comes
//! through it, so that the run is the same as if one engine held all islands.
//!
//! Eight islands in three parts: 0 to 2, 3 to 5, 6 and 7. Island 2 sends to 3, 5 to 6, 7 to 0.

use std::fmt;
use std::ops::Range;

use super::islands::{Migration, sizes};
use super::{ConfigError, IslandSnapshot, Run};

/// Islands that follow each other, and the way to those before and after them.
#[derive(Clone, Debug)]
pub struct IslandPartition<'a> {
    /// Their numbers.
    pub islands: Range<usize>,
    /// The way to the others.
    pub channel: &'a dyn MigrationChannel,
}

/// The way to islands that are elsewhere. What is done again after a fault is neither sent nor
/// received twice: both go by the generation.
pub trait MigrationChannel: fmt::Debug + Sync {
    /// Sends what leaves the last island at the end of a generation. It does not wait.
    fn send(&self, generation: u32, emigrants: IslandSnapshot);

    /// Waits for what comes to the first island at the end of a generation; nothing when `stop` said
    /// so in between.
    fn receive(&self, generation: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<IslandSnapshot>;
}

/// Parts of nearly equal size of so many islands, the first ones one larger. Where there are more
/// parts than islands, the last are empty.
///
/// ```
/// use evodoku::ga::parts;
///
/// assert_eq!(parts(8, 3), [0..3, 3..6, 6..8]);
/// ```
pub fn parts(islands: usize, parts: usize) -> Vec<Range<usize>> {
    let (least, more) = (islands / parts.max(1), islands % parts.max(1));
    let begin = |part: usize| part * least + part.min(more);
    (0..parts).map(|part| begin(part)..begin(part + 1)).collect()
}

/// The islands that an engine holds.
#[derive(Clone, Debug)]
pub(crate) struct LocalIslands<'a> {
    /// The number of the first one.
    pub first: usize,
    /// Individuals of each.
    pub sizes: Vec<u32>,
    /// What travels between those of the run.
    pub migration: Migration,
    /// The way to those that it does not hold.
    pub channel: Option<&'a dyn MigrationChannel>,
}

impl<'a> LocalIslands<'a> {
    /// Those of a run.
    pub(crate) fn of(run: &Run<'a>) -> Result<Self, ConfigError> {
        let mut sizes = sizes(run.space.geometry(), run.config)?;
        let migration = Migration::new(run.config, &sizes);
        let Some(part) = run.partition else {
            return Ok(Self { first: 0, sizes, migration, channel: None });
        };
        let held = part.islands.start.min(sizes.len())..part.islands.end.min(sizes.len());
        if held.is_empty() {
            return Err(ConfigError::Unfit(format!(
                "a part has no islands: it begins with number {} of {}",
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

    /// Places for those who travel, one for each island from which they come. What leaves an island
    /// takes the place of its number among those held; what comes from elsewhere takes the last, and so does
    /// what comes to the first island where there is no elsewhere.
    pub(crate) fn places(&self) -> usize {
        self.sizes.len() + usize::from(self.channel.is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::{Config, Preset};

    /// A way to nowhere.
    #[derive(Debug)]
    struct Nowhere;

    impl MigrationChannel for Nowhere {
        fn send(&self, _: u32, _: IslandSnapshot) {}

        fn receive(&self, _: u32, _: &(dyn Fn() -> bool + Sync)) -> Option<IslandSnapshot> {
            None
        }
    }

    #[test]
    fn a_part_without_islands_is_refused() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let config = Config { islands: 2, ..Config::of(Preset::Boxes, &space) };
        let interrupted = AtomicBool::new(false);
        for islands in parts(2, 3) {
            let is_empty = islands.is_empty();
            let part = IslandPartition { islands, channel: &Nowhere };
            let run = Run { partition: Some(&part), ..Run::new(&space, &config, 1, &interrupted) };
            assert_eq!(LocalIslands::of(&run).is_err(), is_empty);
            let held = LocalIslands::of(&run).map_or(0, |held| held.population());
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
