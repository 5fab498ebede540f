//! Operators: the parts that presets put together, one family for each step of a generation.
//!
//! A family is an enum of names and a trait. A new operator is a file that implements the trait
//! and a line in the enum.

use super::encoding::UnitBlanks;
use super::{Config, ConfigError};
use crate::board::SearchSpace;

/// What operators are made from, once a run.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The puzzle, its fixed cells and the candidates of the others.
    pub space: &'a SearchSpace,
    /// All parameters.
    pub config: &'a Config,
    /// The units whose blanks the encoding permutes.
    pub units: &'a [UnitBlanks],
}

/// An operator that a run's setting makes.
pub(super) trait Build: Sized {
    /// Makes it, or says why it cannot work in this setting.
    fn build(setting: &Setting) -> Result<Self, ConfigError>;
}

/// Declares a family: an enum of named operators, and how the trait object of each is made.
macro_rules! family {
    (
        $(#[$attribute:meta])*
        pub enum $family:ident: $operator:ident {
            $( $(#[doc = $doc:literal])* $variant:ident = $name:literal => $type:ty, )*
        }
    ) => {
        $crate::named::named! {
            $(#[$attribute])*
            pub enum $family { $( $(#[doc = $doc])* $variant = $name, )* }
        }

        impl $family {
            /// The operator of this name in `setting`.
            ///
            /// # Errors
            /// A [`ConfigError`](crate::evolve::ConfigError) when it cannot work there.
            pub fn build(
                self,
                setting: &$crate::evolve::operator::Setting,
            ) -> Result<Box<dyn $operator>, $crate::evolve::ConfigError> {
                use $crate::evolve::operator::Build;
                Ok(match self { $( Self::$variant => Box::new(<$type>::build(setting)?), )* })
            }
        }
    };
}

pub(super) use family;
