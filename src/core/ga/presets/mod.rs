//! Presets: named configurations, each of an algorithm with a source.
//!
//! A preset states the parameters of its algorithm; those that it does not state have their defaults, and its operators
//! are then those that do nothing.

/// The description of a preset, written as doc comments.
macro_rules! about {
    ($(#[doc = $line:literal])*) => {
        concat!($($line, "\n"),*)
    };
}

use super::operator_names::{Crossover, Preset, Selection};
use super::{Config, Overrides};
use crate::board::{Presolve, SearchSpace};
pub(super) use memetic::check;

super::operator_names::presets!();

impl Preset {
    /// Returns its source, its algorithm, and its differences from the original.
    pub fn about(self) -> &'static str {
        definition(self).0
    }

    /// Returns its level of presolve, which no preset derives from the puzzle.
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

/// Returns the parameters of `preset` that follow from the puzzle and from the parameters that are set.
pub(super) fn derived(preset: Preset, space: &SearchSpace, set: &Overrides) -> Overrides {
    let derived = match preset {
        Preset::Memetic => return memetic::derived(space, set),
        Preset::Tabu => tabu::derived(space),
        Preset::Eviction => eviction::derived(space),
        _ => return Overrides::default(),
    };
    // These have one individual, and with islands one for each island.
    Overrides { population: set.islands.filter(|islands| *islands > 1), ..derived }
}

/// Returns the configuration of `preset`, in which parameters that follow from the puzzle have their defaults.
pub fn config(preset: Preset) -> Config {
    definition(preset).1
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
