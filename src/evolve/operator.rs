//! Operators: the parts that presets put together, one family for each step of a generation.
//!
//! A family is an enum of names and a trait. A new operator is a file that implements the trait
//! and a line in the enum.

use super::encoding::{Encoding, Group};
use super::{Config, ConfigError};
use crate::board::SearchSpace;

/// What operators are made from, once a run.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The puzzle, its fixed cells and the candidates of the others.
    pub space: &'a SearchSpace,
    /// All parameters.
    pub config: &'a Config,
    /// The blanks that the encoding permutes among themselves, group by group.
    pub groups: &'a [Group],
}

/// An operator that a run's setting makes.
pub(super) trait Build: Sized {
    /// Makes it, or says why it cannot work in this setting.
    fn build(setting: &Setting) -> Result<Self, ConfigError>;
}

impl Setting<'_> {
    /// Refuses an operator that the encoding gives nothing to work on.
    pub(super) fn require(
        &self,
        fits: bool,
        operator: &str,
        needs: &str,
    ) -> Result<(), ConfigError> {
        if fits {
            return Ok(());
        }
        Err(ConfigError::Unfit(format!(
            "{operator} does not go with encoding {}: it needs {needs}{}",
            self.config.encoding,
            self.config.preset.advice()
        )))
    }

    /// Refuses an operator that needs units of one kind to be permutations.
    pub(super) fn require_units(&self, operator: &str) -> Result<(), ConfigError> {
        let fits = self.config.encoding.unit_kind().is_some();
        self.require(fits, operator, "encoding boxes, rows or columns")
    }

    /// Refuses an operator that needs values to be permuted at all.
    pub(super) fn require_permutation(&self, operator: &str) -> Result<(), ConfigError> {
        self.require(!self.groups.is_empty(), operator, "an encoding that permutes values")
    }

    /// Refuses an operator that gives cells values regardless of what others hold.
    pub(super) fn require_cells(&self, operator: &str) -> Result<(), ConfigError> {
        let fits = matches!(self.config.encoding, Encoding::Cells | Encoding::Candidates);
        self.require(fits, operator, "encoding cells or candidates")
    }
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
