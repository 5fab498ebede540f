//! Presets: named configurations, each of an algorithm with a source.

/// The text about a preset, written as documentation.
macro_rules! about {
    ($(#[doc = $line:literal])*) => {
        concat!($($line, "\n"),*)
    };
}

mod boxes;
mod cells;
mod cellular;
mod columns;
mod eviction;
mod memetic;
mod permutation;
mod rows_003;
mod rows_004;
mod tabu;

use super::operator_names::{Crossover, Preset, Selection};
use super::{Config, ConfigError, Overrides};
use crate::board::{Presolve, SearchSpace};

impl Preset {
    /// Where it is from, and where it differs from its original.
    pub fn about(self) -> &'static str {
        match self {
            Self::Memetic => memetic::ABOUT,
            Self::Cellular => cellular::ABOUT,
            Self::Tabu => tabu::ABOUT,
            Self::Eviction => eviction::ABOUT,
            Self::Permutation => permutation::ABOUT,
            Self::Columns => columns::ABOUT,
            Self::Boxes => boxes::ABOUT,
            Self::Cells => cells::ABOUT,
            Self::RowsTournament | Self::RowsRank | Self::RowsRoulette | Self::RowsSus => {
                rows_003::ABOUT
            }
            Self::RowsPmx | Self::RowsExchange => rows_004::ABOUT,
        }
    }

    /// What it derives from the givens before all else, where nothing is set.
    pub fn presolve(self) -> Presolve {
        config(self).presolve
    }
}

impl Config {
    /// Returns the configuration of a preset for a puzzle, without overrides.
    pub fn of(preset: Preset, space: &SearchSpace) -> Self {
        config(preset).with(&derived(preset, space, &Overrides::default()))
    }
}

/// What `preset` derives from the puzzle, given what was set.
pub(super) fn derived(preset: Preset, space: &SearchSpace, set: &Overrides) -> Overrides {
    match preset {
        Preset::Memetic => memetic::derived(space, set),
        Preset::Tabu => Overrides { population: one_each(set), ..tabu::derived(space) },
        Preset::Eviction => Overrides { population: one_each(set), ..eviction::derived(space) },
        _ => Overrides::default(),
    }
}

/// As many individuals as islands, where one alone would be all there is.
fn one_each(set: &Overrides) -> Option<u32> {
    set.islands.filter(|islands| *islands > 1)
}

/// Refuses what was set in a preset that has no use for it where another has.
pub(super) fn check(set: &Overrides, config: &Config) -> Result<(), ConfigError> {
    match config.preset {
        Preset::Memetic => memetic::check(set, config),
        _ => Ok(()),
    }
}

/// What of `preset` does not follow from the puzzle; what does stands at its default.
pub(crate) fn config(preset: Preset) -> Config {
    let base = Config::base(preset);
    match preset {
        Preset::Memetic => memetic::config(base),
        Preset::Cellular => cellular::config(base),
        Preset::Tabu => tabu::config(base),
        Preset::Eviction => eviction::config(base),
        Preset::Permutation => permutation::config(base),
        Preset::Columns => columns::config(base),
        Preset::Boxes => boxes::config(base),
        Preset::Cells => cells::config(base),
        Preset::RowsTournament => rows_003::config(base, Selection::Tournament),
        Preset::RowsRank => rows_003::config(base, Selection::LinearRank),
        Preset::RowsRoulette => rows_003::config(base, Selection::Roulette),
        Preset::RowsSus => rows_003::config(base, Selection::Universal),
        Preset::RowsPmx => rows_004::config(base, Crossover::Pmx),
        Preset::RowsExchange => rows_004::config(base, Crossover::RowExchange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn what_searches_alone_has_an_individual_an_island() {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        for preset in [Preset::Tabu, Preset::Eviction] {
            let population = |islands| {
                let set = Overrides { islands, ..Overrides::default() };
                derived(preset, &space, &set).population
            };
            assert_eq!(population(None), None);
            assert_eq!(population(Some(1)), None);
            assert_eq!(population(Some(6)), Some(6));
        }
    }
}
