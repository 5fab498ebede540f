//! Parameters: what one is, how its value is read from text, and how it is refused.

use std::fmt;
use std::ops::RangeInclusive;

use super::{Config, ConfigError, Overrides};
use crate::util::named_enum::UnknownName;
use crate::util::quantity;

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
    /// Whether it means anything in a configuration.
    pub applies: fn(&Config) -> bool,
    /// The value it is set to, if it is.
    pub set: fn(&Overrides) -> Option<String>,
    /// Reads it from text.
    pub(super) read: fn(&mut Overrides, &str) -> Result<(), ConfigError>,
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

    /// Reads it, in this unit, and refuses what is out of range.
    fn read(
        name: &'static str,
        unit: &str,
        text: &str,
        range: Self::Range,
    ) -> Result<Self, ConfigError>;

    /// Refuses it where it is out of range.
    fn check(self, name: &'static str, range: Self::Range) -> Result<(), ConfigError>;

    /// The range in words.
    fn range(range: Self::Range) -> String;
}

/// The unit of times, which may be written in others.
const SECONDS: &str = "seconds";

macro_rules! number_value {
    ($($number:ty: $quantity:expr),*) => { $(
        impl Value for $number {
            type Range = RangeInclusive<Self>;

            fn read(
                name: &'static str,
                unit: &str,
                text: &str,
                range: Self::Range,
            ) -> Result<Self, ConfigError> {
                let quantity: fn(&str, &str) -> Option<$number> = $quantity;
                if let Some(value) = quantity(text, unit).filter(|value| range.contains(value)) {
                    return Ok(value);
                }
                let (given, mut range) = (text.to_owned(), <Self as Value>::range(range));
                if unit == SECONDS {
                    range += " seconds, or a time as 500ms, 5s or 2min";
                }
                Err(ConfigError::OutOfRange { name, given, range })
            }

            fn check(self, name: &'static str, range: Self::Range) -> Result<(), ConfigError> {
                if range.contains(&self) {
                    return Ok(());
                }
                let given = self.to_string();
                Err(ConfigError::OutOfRange { name, given, range: <Self as Value>::range(range) })
            }

            fn range(range: Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )* };
}

number_value!(
    u32: |text, _| u32::try_from(quantity::whole(text)?).ok(),
    u64: |text, _| quantity::whole(text),
    f64: |text, unit| if unit == SECONDS { quantity::seconds(text) } else { quantity::real(text) }
);

/// Names are values without a range.
impl<T> Value for T
where
    T: NamedValue,
{
    type Range = ();

    fn read(name: &'static str, _: &str, text: &str, (): ()) -> Result<Self, ConfigError> {
        text.parse().map_err(|unknown| ConfigError::UnknownValue { name, unknown })
    }

    fn check(self, _: &'static str, (): ()) -> Result<(), ConfigError> {
        Ok(())
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

/// Declares [`Config`], [`Overrides`] and the list of parameters from one table.
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
        $(#[$set_attribute:meta])*
        pub struct $set:ident;
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $config {
            /// The preset that the other values started from.
            pub preset: $crate::ga::Preset,
            $( $(#[doc = $doc])* pub $name: $kind, )*
        }

        impl $config {
            /// Every parameter's default; presets change most of them.
            pub(super) fn base(preset: $crate::ga::Preset) -> Self {
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
                    applies: $crate::ga::parameter::applies!($($applies)?),
                    set: |set| set.$name.map(|value| value.to_string()),
                    read: |set, text| {
                        let value = <$kind as Value>::read(stringify!($name), $unit, text, $range)?;
                        set.$name = Some(value);
                        Ok(())
                    },
                },
            )*];

            /// Refuses values that are out of range, as a configuration that was put together by
            /// hand may have.
            ///
            /// # Errors
            /// [`ConfigError::OutOfRange`] on the first.
            pub fn check(&self) -> Result<(), ConfigError> {
                $( <$kind as Value>::check(self.$name, stringify!($name), $range)?; )*
                Ok(())
            }

            /// This configuration with what `set` sets.
            pub fn with(mut self, set: &$set) -> Self {
                $( if let Some(value) = set.$name { self.$name = value; } )*
                self
            }
        }

        $(#[$set_attribute])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct $set { $(
            $(#[doc = $doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $name: Option<$kind>,
        )* }

        impl $set {
            /// Sets what `other` sets, too; where both set a parameter, `other` wins.
            pub fn merge(&mut self, other: &Self) {
                $( self.$name = other.$name.or(self.$name); )*
            }

            /// Refuses values that are out of range.
            ///
            /// # Errors
            /// [`ConfigError::OutOfRange`] on the first.
            pub fn check(&self) -> Result<(), ConfigError> {
                $( if let Some(value) = self.$name {
                    <$kind as Value>::check(value, stringify!($name), $range)?;
                } )*
                Ok(())
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
