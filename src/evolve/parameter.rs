//! Parameters: what one is, how its value is read from text, and how it is refused.

use std::fmt;
use std::ops::RangeInclusive;

use super::config::ParameterSet;
use super::{Config, ConfigError};
use crate::named::UnknownName;

/// One field of [`Config`], as help, files and reports see it.
pub struct Parameter {
    /// Its name, in snake case; users may write hyphens.
    pub name: &'static str,
    /// What it is, and what too high and too low does.
    pub description: &'static str,
    /// The unit of its value, or nothing.
    pub unit: &'static str,
    /// The values it takes.
    pub range: fn() -> String,
    /// Its value in a configuration.
    pub get: fn(&Config) -> String,
    /// Sets it from text.
    pub set: fn(&mut Config, &str) -> Result<(), ConfigError>,
    /// Whether it means anything in a configuration.
    pub applies: fn(&Config) -> bool,
    /// Its entry in a set of parameters.
    pub(super) entry: fn(&mut ParameterSet) -> &mut bool,
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameter").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A type that parameters may have.
pub(super) trait Value: Sized + fmt::Display {
    /// What bounds it: a range, or nothing for names.
    type Range;

    /// Reads it, and refuses what is out of range.
    fn read(name: &'static str, text: &str, range: Self::Range) -> Result<Self, ConfigError>;

    /// The range in words.
    fn range(range: Self::Range) -> String;
}

macro_rules! number_value {
    ($($number:ty),*) => { $(
        impl Value for $number {
            type Range = RangeInclusive<Self>;

            fn read(name: &'static str, text: &str, range: Self::Range) -> Result<Self, ConfigError> {
                let digits: String = text.chars().filter(|c| *c != '_').collect();
                match digits.parse() {
                    Ok(value) if range.contains(&value) => Ok(value),
                    _ => Err(ConfigError::OutOfRange {
                        name,
                        given: text.to_owned(),
                        range: <Self as Value>::range(range),
                    }),
                }
            }

            fn range(range: Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )* };
}

number_value!(u32, u64, f64);

/// Names are values without a range.
impl<T> Value for T
where
    T: NamedValue,
{
    type Range = ();

    fn read(name: &'static str, text: &str, (): ()) -> Result<Self, ConfigError> {
        text.parse().map_err(|unknown| ConfigError::UnknownValue { name, unknown })
    }

    fn range((): ()) -> String {
        T::names().collect::<Vec<_>>().join(", ")
    }
}

/// An enum made by `named!`.
pub(super) trait NamedValue: std::str::FromStr<Err = UnknownName> + fmt::Display {
    /// What its variants are called.
    fn names() -> impl Iterator<Item = &'static str>;
}

/// Declares [`Config`] and the list of its parameters from one table.
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        pub struct $config:ident {
            $(
                $(#[doc = $doc:literal])*
                $name:ident: $kind:ty = $default:expr, in $range:expr, unit $unit:literal,
                $(always)? $(when $applies:expr)?;
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $config {
            /// The preset that the other values started from.
            pub preset: $crate::evolve::Preset,
            $( $(#[doc = $doc])* pub $name: $kind, )*
        }

        impl $config {
            /// Every parameter's default; presets change some of them.
            pub(super) fn base(preset: $crate::evolve::Preset) -> Self {
                Self { preset, $( $name: $default, )* }
            }

            /// All parameters, in the order of this file.
            pub const PARAMETERS: &[Parameter] = &[$(
                Parameter {
                    name: stringify!($name),
                    description: concat!($($doc, "\n"),*),
                    unit: $unit,
                    range: || <$kind as Value>::range($range),
                    get: |config| config.$name.to_string(),
                    set: |config, text| {
                        config.$name = <$kind as Value>::read(stringify!($name), text, $range)?;
                        Ok(())
                    },
                    applies: $crate::evolve::parameter::applies!($($applies)?),
                    entry: |set| &mut set.$name,
                },
            )*];

            /// Overwrites the parameters of `set` with those of `other`.
            pub(super) fn take(&mut self, other: &Self, set: &ParameterSet) {
                $( if set.$name { self.$name = other.$name; } )*
            }
        }

        /// A set of parameters: those that are true.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct ParameterSet { $(
            #[doc = concat!("Whether `", stringify!($name), "` is in it.")]
            pub $name: bool,
        )* }

        impl ParameterSet {
            /// No parameter.
            pub const NONE: Self = Self { $( $name: false, )* };

            /// This set without what is in `other`.
            pub fn without(&self, other: &Self) -> Self {
                Self { $( $name: self.$name && !other.$name, )* }
            }

            /// Whether a parameter is in it.
            pub fn contains(mut self, parameter: &Parameter) -> bool {
                *(parameter.entry)(&mut self)
            }
        }
    };
}

/// When a parameter means something: always, unless a condition is stated.
macro_rules! applies {
    () => {
        |_| true
    };
    ($condition:expr) => {
        $condition
    };
}

pub(super) use applies;
pub(super) use parameters;
