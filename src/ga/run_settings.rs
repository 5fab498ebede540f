//! What is asked of a run: a preset, and the parameters that were set.
//!
//! Some presets derive parameters from the puzzle, such as how long their children are searched.
//! Of each parameter the effective value is the one that was set, else the derived one if the
//! preset derives it, else the preset's. What is derived depends on the puzzle after presolve and
//! on what was set, on nothing else.
//!
//! ```
//! use evodoku::ga::{Overrides, Preset, RunSettings};
//! use evodoku::{board::presolve, format};
//!
//! let overrides = Overrides { population: Some(300), ..Overrides::default() };
//! let settings = RunSettings { preset: Preset::Memetic, overrides };
//! let puzzle = format::load("ai-escargot", None)?.puzzle;
//! let config = settings.config(&presolve(&puzzle, settings.presolve())?)?;
//! assert_eq!((config.population, config.offspring), (300, 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::parameter::Parameter;
use super::{Config, ConfigError, Overrides, Preset, presets};
use crate::board::{Presolve, SearchSpace};

/// A preset and what was set.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// Where what is not set comes from.
    pub preset: Preset,
    /// What was set.
    pub overrides: Overrides,
}

impl RunSettings {
    /// A preset, with nothing set.
    pub fn of(preset: Preset) -> Self {
        Self { preset, overrides: Overrides::default() }
    }

    /// What is derived from the givens before all else. No preset derives it from the puzzle.
    pub fn presolve(&self) -> Presolve {
        self.overrides.presolve.unwrap_or(self.preset.presolve())
    }

    /// The effective configuration for a puzzle.
    ///
    /// # Errors
    /// [`ConfigError`] when a value is out of range, or one was set that another preset is for.
    /// Whether the operators go together is for the [`Breeder`](super::breeder::Breeder) to say.
    pub fn config(&self, space: &SearchSpace) -> Result<Config, ConfigError> {
        self.overrides.check()?;
        let derived = presets::derived(self.preset, space, &self.overrides);
        let config = presets::config(self.preset).with(&derived).with(&self.overrides);
        presets::check(&self.overrides, &config)?;
        Ok(config)
    }

    /// Parameters that mean something in `config`, which these settings made for `space`, and
    /// follow from the puzzle or from what was set.
    pub fn derived(&self, config: &Config, space: &SearchSpace) -> Vec<&'static Parameter> {
        presets::derived(self.preset, space, &self.overrides)
            .parameters()
            .filter(|parameter| (parameter.set)(&self.overrides).is_none())
            .filter(|parameter| (parameter.applies)(config))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::board::Geometry;

    proptest! {
        #[test]
        fn what_is_set_always_wins(
            preset in select(Preset::ALL), from in select(Preset::ALL),
            places in proptest::collection::vec(0..Config::PARAMETERS.len(), 0..12),
            (rows, cols) in select(vec![(2, 2), (3, 3), (4, 4), (6, 6)]),
        ) {
            let space = SearchSpace::blank(Geometry::new(rows, cols).unwrap());
            let other = Config::of(from, &space);
            let mut settings = RunSettings::of(preset);
            for place in &places {
                let Parameter { name, get, .. } = &Config::PARAMETERS[*place];
                settings.overrides.merge(&Overrides::parse(name, &get(&other)).unwrap());
            }
            let Ok(config) = settings.config(&space) else {
                // Nothing else is refused before there is a breeder.
                prop_assert!(preset == Preset::Memetic && settings.overrides.tries.is_some());
                return Ok(());
            };
            prop_assert_eq!(config.preset, preset);
            prop_assert!(settings.overrides.hold_in(&config));
            let (own, derived) = (Config::of(preset, &space), settings.derived(&config, &space));
            for (place, parameter) in Config::PARAMETERS.iter().enumerate() {
                let value = |config| (parameter.get)(config);
                let is_derived = derived.iter().any(|derived| derived.name == parameter.name);
                if places.contains(&place) {
                    prop_assert_eq!(value(&config), value(&other), "{}", parameter.name);
                    prop_assert!(!is_derived, "{}", parameter.name);
                } else if !is_derived {
                    prop_assert_eq!(value(&config), value(&own), "{}", parameter.name);
                }
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let overrides = Overrides { best_share: Some(1.5), ..Overrides::default() };
        let refused = RunSettings { preset: Preset::Boxes, overrides }.config(&space).unwrap_err();
        assert_eq!(refused.to_string(), "best_share is '1.5', but it takes 0 to 1");
    }
}
