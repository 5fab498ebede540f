//! What is asked of a run: a preset, and the parameters that were set.
//!
//! Some presets derive parameters from the puzzle, such as their population from its free cells.
//! [`Settings`] remember what was set, so that a derived value never takes its place: of each
//! parameter the effective value is the one that was set, else the derived one if the preset
//! derives it, else the preset's. What is derived depends on the puzzle after presolve and on what
//! was set, on nothing else.
//!
//! ```
//! use evodoku::evolve::{Preset, Settings};
//! use evodoku::{board::presolve, format};
//!
//! let mut settings = Settings::of(Preset::Memetic);
//! settings.set("population", "300")?;
//! let puzzle = format::load("ai-escargot", None)?.puzzle;
//! let config = settings.config(&presolve(&puzzle, settings.presolve())?);
//! assert_eq!(config.population, 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::config::ParameterSet;
use super::parameter::Parameter;
use super::{Config, ConfigError, Preset, presets};
use crate::board::Presolve;
use crate::board::SearchSpace;

/// A preset and what was set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The preset's values, and those that were set.
    given: Config,
    set: ParameterSet,
}

impl Settings {
    /// A preset, with nothing set.
    pub fn of(preset: Preset) -> Self {
        Self { given: Config::of(preset), set: ParameterSet::NONE }
    }

    /// Sets the parameter of this name from text.
    ///
    /// # Errors
    /// [`ConfigError`] when there is no such parameter, or the value is none of its.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
        let parameter = Config::parameter(name)?;
        (parameter.set)(&mut self.given, text.trim())?;
        *(parameter.entry)(&mut self.set) = true;
        Ok(())
    }

    /// What is derived from the givens before all else. No preset derives it from the puzzle.
    pub fn presolve(&self) -> Presolve {
        self.given.presolve
    }

    /// The preset's values and those that were set, before anything is derived.
    pub fn given(&self) -> &Config {
        &self.given
    }

    /// Which parameters were set.
    pub fn set_parameters(&self) -> &ParameterSet {
        &self.set
    }

    /// The effective configuration for a puzzle.
    pub fn config(&self, space: &SearchSpace) -> Config {
        let mut config = self.given.clone();
        let derived = presets::derive(space, self);
        config.take(&derived, &presets::derives(self.given.preset).without(&self.set));
        config
    }

    /// Parameters that mean something in `config`, one of these settings, and were derived.
    pub fn derived(&self, config: &Config) -> Vec<&'static Parameter> {
        let derived = presets::derives(self.given.preset).without(&self.set);
        let parameters = Config::PARAMETERS.iter();
        parameters.filter(|p| derived.contains(p) && (p.applies)(config)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::board::presolve;
    use crate::board::{Geometry, Puzzle};

    proptest! {
        #[test]
        fn what_was_set_is_never_derived(
            preset in select(Preset::ALL), from in select(Preset::ALL),
            names in proptest::collection::vec(0..Config::PARAMETERS.len(), 0..12),
            (rows, cols) in select(vec![(2, 2), (3, 3), (4, 4), (6, 6)]),
        ) {
            let other = Config::of(from);
            let mut settings = Settings::of(preset);
            for name in &names {
                let parameter = &Config::PARAMETERS[*name];
                settings.set(parameter.name, &(parameter.get)(&other)).unwrap();
            }
            let puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
            let space = presolve(&puzzle, settings.presolve()).unwrap();
            let config = settings.config(&space);
            prop_assert_eq!(config.preset, preset);
            let derived = settings.derived(&config);
            for (place, parameter) in Config::PARAMETERS.iter().enumerate() {
                let (value, asked) = ((parameter.get)(&config), (parameter.get)(settings.given()));
                if names.contains(&place) {
                    prop_assert_eq!(&value, &(parameter.get)(&other), "{}", parameter.name);
                    prop_assert!(derived.iter().all(|derived| derived.name != parameter.name));
                } else if !presets::derives(preset).contains(parameter) {
                    prop_assert_eq!(value, asked, "{}", parameter.name);
                }
            }
        }
    }
}
