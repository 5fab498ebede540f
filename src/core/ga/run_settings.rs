//! The settings of a run: a preset, and the parameters that were set.
//!
//! Some presets derive parameters from the puzzle, such as how long their children are searched.
//! Of each parameter the effective value is the one that was set, else the derived one if the
//! preset derives it, else the preset's. What is derived depends on the puzzle after presolve and
//! on what was set, on nothing else.
//!
//! [`Overrides`] are read from `name=value`, and by serde from a table of names and values. Values of every kind go
//! through [`Parameter`]'s own reader, so that a file, a flag and an experiment's spec take the same values and refuse
//! others in the same words.
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
//!
//! let set: Overrides = "mutation-rate=0.1".parse()?;
//! assert_eq!(set.mutation_rate, Some(0.1));
//! let refused = Overrides::parse("population", "0").unwrap_err();
//! assert_eq!(refused.to_string(), "population is '0', but it takes a whole number from 1 to 4294967294");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::{Config, ConfigError, Overrides, Parameter, Preset, presets};
use crate::board::{Presolve, SearchSpace};

/// A preset and the parameters that were set.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// The preset, which has the parameters that are not set.
    pub preset: Preset,
    /// The parameters that were set.
    pub overrides: Overrides,
}

impl RunSettings {
    /// A preset, with nothing set.
    pub fn of(preset: Preset) -> Self {
        Self { preset, overrides: Overrides::default() }
    }

    /// Returns the level of presolve, which no preset derives from the puzzle.
    pub fn presolve(&self) -> Presolve {
        self.overrides.presolve.unwrap_or(self.preset.presolve())
    }

    /// Returns the effective configuration for a puzzle.
    ///
    /// # Errors
    /// [`ConfigError`] when a value is out of range, or a parameter is set that has a meaning in another preset only.
    /// The [`Breeder`](super::breeder::Breeder) checks whether the operators fit together.
    pub fn config(&self, space: &SearchSpace) -> Result<Config, ConfigError> {
        let derived = presets::derived(self.preset, space, &self.overrides);
        let config = presets::config(self.preset).with(&derived).with(&self.overrides);
        config.check()?;
        presets::check(&self.overrides, &config)?;
        Ok(config)
    }

    /// Returns the parameters that have a meaning in `config`, the configuration for `space`, and follow from the puzzle
    /// or from the parameters that are set.
    pub fn derived(&self, config: &Config, space: &SearchSpace) -> Vec<&'static Parameter> {
        presets::derived(self.preset, space, &self.overrides)
            .parameters()
            .filter(|parameter| (parameter.set)(&self.overrides).is_none())
            .filter(|parameter| (parameter.applies)(config))
            .collect()
    }
}

impl Overrides {
    /// The parameter of this name set to a value that was written as text.
    ///
    /// # Errors
    /// [`ConfigError`] when there is no such parameter, or the value is none of its.
    pub fn parse(name: &str, text: &str) -> Result<Self, ConfigError> {
        let mut set = Self::default();
        (Config::parameter(name)?.read)(&mut set, text.trim())?;
        Ok(set)
    }

    /// The parameters that are set.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        Config::PARAMETERS.iter().filter(|parameter| (parameter.set)(self).is_some())
    }
}

/// Writes `name=value name=value`.
impl fmt::Display for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = Config::PARAMETERS.iter().filter_map(|parameter| {
            (parameter.set)(self).map(|value| format!("{}={value}", parameter.name))
        });
        let set: Vec<String> = set.collect();
        f.write_str(&set.join(" "))
    }
}

/// Reads `name=value`.
impl FromStr for Overrides {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let no_value = || ConfigError::NoValue { given: text.to_owned() };
        let (name, value) = text.split_once('=').ok_or_else(no_value)?;
        Self::parse(name, value)
    }
}

impl<'de> Deserialize<'de> for Overrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParameterTable)
    }
}

/// A table of names and values.
struct ParameterTable;

impl<'de> Visitor<'de> for ParameterTable {
    type Value = Overrides;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Overrides, A::Error> {
        let mut set = Overrides::default();
        while let Some(Name(parameter)) = map.next_key()? {
            map.next_value_seed(ParameterValue { parameter, set: &mut set })?;
        }
        Ok(set)
    }
}

/// The name of a parameter. An unknown name is an error at its position in the table.
struct Name(&'static Parameter);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Config::parameter(&name).map(Self).map_err(D::Error::custom)
    }
}

/// The parameter whose value comes next in a table, and the parameters that were set before it.
struct ParameterValue<'a> {
    parameter: &'static Parameter,
    set: &'a mut Overrides,
}

/// The kinds of values in a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum TableValue {
    Natural(u64),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl<'de> DeserializeSeed<'de> for ParameterValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let name = self.parameter.name;
        let wrong = |_| D::Error::custom(format_args!("{name} takes a number or a name"));
        let text = match TableValue::deserialize(deserializer).map_err(wrong)? {
            TableValue::Natural(number) => number.to_string(),
            TableValue::Integer(number) => number.to_string(),
            TableValue::Real(number) => number.to_string(),
            TableValue::Text(text) => text,
        };
        // A table may contain the same name with a hyphen and with an underscore.
        if (self.parameter.set)(self.set).is_some() {
            return Err(D::Error::custom(format_args!("{name} is given twice")));
        }
        (self.parameter.read)(self.set, text.trim()).map_err(D::Error::custom)
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
            prop_assert_eq!(&config.clone().with(&settings.overrides), &config);
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

    fn refused(text: &str) -> String {
        text.parse::<Overrides>().unwrap_err().to_string()
    }

    #[test]
    fn every_parameter_is_read_as_it_is_written() {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        for preset in Preset::ALL {
            let config = Config::of(*preset, &space);
            let mut set = Overrides::default();
            for parameter in Config::PARAMETERS {
                let text = format!("{}={}", parameter.name, (parameter.get)(&config));
                set.merge(&text.parse().unwrap());
            }
            assert_eq!(set.parameters().count(), Config::PARAMETERS.len());
            let other = Config { preset: *preset, ..Config::of(Preset::Boxes, &space) };
            assert_eq!(other.with(&set), config);
            let json = serde_json::to_string(&set).unwrap();
            assert_eq!(serde_json::from_str::<Overrides>(&json).unwrap(), set);
            let toml = toml::to_string(&set).unwrap();
            assert_eq!(toml::from_str::<Overrides>(&toml).unwrap(), set);
        }
    }

    #[test]
    fn what_is_not_set_is_not_written() {
        let set = Overrides { radius: Some(4), max_work: Some(9), ..Overrides::default() };
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"{"radius":4,"max_work":9}"#);
        assert_eq!(set.to_string(), "radius=4 max_work=9");
    }

    #[test]
    fn what_does_not_fit_is_refused_in_a_sentence() {
        for (text, sentence) in [
            ("populaton=5", "there is no parameter 'populaton' (did you mean 'population'?)"),
            ("population=0", "population is '0', but it takes a whole number from 1 to 4294967294"),
            ("mutation-rate=NaN", "mutation_rate is 'NaN', but it takes 0 to 1"),
            ("population", "it takes name=value, not 'population'"),
        ] {
            assert_eq!(refused(text), sentence);
        }
        let unknown = refused("crossover=subsets");
        assert!(unknown.starts_with("crossover: 'subsets' is not one of "), "{unknown}");
        assert!(unknown.ends_with(" (did you mean 'subset'?)"), "{unknown}");
    }

    #[test]
    fn a_table_is_refused_where_it_is_wrong() {
        for (text, at, sentence) in [
            ("tries = 1_000\nradus = 3", 14, "there is no parameter 'radus'"),
            ("tries = 9\nmutation-rate = 2", 26, "mutation_rate is '2', but it takes 0 to 1"),
            ("max-work = 9\nmax_work = 9", 24, "max_work is given twice"),
            (
                "population = 7.5",
                13,
                "population is '7.5', but it takes a whole number from 1 to 4294967294",
            ),
            (
                "population = -1",
                13,
                "population is '-1', but it takes a whole number from 1 to 4294967294",
            ),
            ("population = []", 13, "population takes a number or a name"),
        ] {
            let error = toml::from_str::<Overrides>(text).unwrap_err();
            assert!(error.message().contains(sentence), "{error}");
            assert_eq!(error.span().unwrap().start, at, "{error}");
        }
    }
}
