//! Enums whose variants users name on the command line, in files and in reports.

use thiserror::Error;

/// A name that is not among the choices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{given}' is not one of {choices}{}", suggestion(.nearest))]
pub struct UnknownName {
    /// The name as written.
    pub given: String,
    /// The valid names, separated by commas.
    pub choices: String,
    /// The most similar choice.
    pub nearest: Option<String>,
}

impl UnknownName {
    /// `given` is not among `choices`.
    pub fn new(given: &str, choices: &[&str]) -> Self {
        let nearest = nearest(given, choices.iter().copied());
        Self { given: given.to_owned(), choices: choices.join(", "), nearest }
    }
}

/// The choice most similar to `given`, if any is similar (Jaro & Winkler, at least 0.8).
pub fn nearest<'a>(given: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<String> {
    choices
        .into_iter()
        .map(|choice| (strsim::jaro_winkler(given, choice), choice))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, choice)| choice.to_owned())
}

/// `line, sdm or grid`.
pub fn one_of(choices: &[impl ToString]) -> String {
    let mut names: Vec<String> = choices.iter().map(ToString::to_string).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
        None => String::new(),
    }
}

/// ` (did you mean 'x'?)`, or nothing.
pub fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(" (did you mean '{name}'?)")).unwrap_or_default()
}

/// The interface of enums that [`named!`] declares, for generic code.
pub trait NamedEnum: std::str::FromStr<Err = UnknownName> + std::fmt::Display {
    /// The names of all variants.
    const NAMES: &'static [&'static str];
    /// The names of all variants with their descriptions.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];
}

/// Declares an enum whose variants have names and one-line descriptions.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        pub enum $family:ident {
            $( $(#[doc = $doc:literal])* $(#[cfg($with:meta)])? $variant:ident = $name:literal, )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $family { $( $(#[doc = $doc])* $(#[cfg($with)])? $variant, )* }

        impl $family {
            /// Every variant.
            pub const ALL: &[Self] = &[$( $(#[cfg($with)])? Self::$variant, )*];

            /// The names of all variants.
            pub const NAMES: &[&'static str] = &[$( $(#[cfg($with)])? $name, )*];

            /// The name of the variant.
            pub fn name(self) -> &'static str {
                match self { $( $(#[cfg($with)])? Self::$variant => $name, )* }
            }

            /// The description of the variant, in a sentence or two.
            #[allow(dead_code, reason = "not every family is shown to users")]
            pub fn description(self) -> &'static str {
                match self { $( $(#[cfg($with)])? Self::$variant => concat!($($doc),*).trim_ascii(), )* }
            }
        }

        impl $crate::util::named_enum::NamedEnum for $family {
            const NAMES: &'static [&'static str] = Self::NAMES;
            const DESCRIPTIONS: &'static [(&'static str, &'static str)] =
                &[$( $(#[cfg($with)])? ($name, concat!($($doc),*).trim_ascii()), )*];
        }

        impl std::fmt::Display for $family {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $family {
            type Err = $crate::util::named_enum::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|variant| variant.name() == text).ok_or_else(|| {
                    $crate::util::named_enum::UnknownName::new(text, Self::NAMES)
                })
            }
        }

        $crate::util::serde_text!($family);
    };
}

pub use named;
