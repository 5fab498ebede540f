//! Operators: the parts that presets put together, one family for each step of a generation.
//!
//! A family is a list of names ([`operator_names`](super::operator_names)), a trait, and a table that has the type and
//! the file of each name:
//!
//! ```text
//! Uniform => uniform::Uniform,
//! ```
//!
//! An operator from outside of the crate implements the same trait: see
//! [`CustomOperators`](super::CustomOperators).

use std::fmt;

use super::encoding::PermutationGroup;
use super::selection::RankOrder;
use super::{Config, ConfigError, Preset};
use crate::board::SearchSpace;

/// The context that operators are built from, once a run and once for each island.
#[derive(Clone, Copy, Debug)]
pub struct BuildContext<'a> {
    /// The puzzle, its fixed cells and the candidates of the others.
    pub space: &'a SearchSpace,
    /// All parameters; the population is that of the island.
    pub config: &'a Config,
    /// The blanks that the encoding permutes among themselves, group by group; none where any cell
    /// takes values regardless of the others.
    pub groups: &'a [PermutationGroup],
    /// Children of a generation, at least 1 and at most as many as individuals. The replacement,
    /// which is made first, sees as many as individuals and says how many there are.
    pub offspring: u32,
}

/// An operator that is built from a context.
pub(super) trait FromContext: Sized {
    /// Builds it.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot work in this context.
    fn build(context: &BuildContext) -> Result<Self, ConfigError>;
}

/// An operator that needs nothing of the context is its default value.
impl<T: Default> FromContext for T {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self::default())
    }
}

impl<'a> BuildContext<'a> {
    /// The context of a generation with as many children as individuals.
    pub fn new(space: &'a SearchSpace, config: &'a Config, groups: &'a [PermutationGroup]) -> Self {
        Self { space, config, groups, offspring: config.population }
    }

    /// Returns room for the order of a population by fitness.
    pub(super) fn rank_order(&self) -> RankOrder {
        RankOrder::new(self.config.population, self.space.geometry().worst_fitness())
    }

    /// Refuses an operator that cannot work with the encoding.
    ///
    /// # Errors
    /// [`ConfigError::Unfit`] unless it `fits`.
    pub fn require(&self, fits: bool, operator: &str, needs: &str) -> Result<(), ConfigError> {
        if fits {
            return Ok(());
        }
        Err(ConfigError::Unfit(format!(
            "{operator} does not work with encoding {}: it needs {needs}{}",
            self.config.encoding,
            if self.config.preset == Preset::Memetic {
                "; the preset 'cellular' uses encoding 'boxes'"
            } else {
                ""
            }
        )))
    }

    /// Refuses an operator that needs units of one kind to be permutations.
    ///
    /// # Errors
    /// As [`require`](Self::require).
    pub fn require_units(&self, operator: &str) -> Result<(), ConfigError> {
        let fits = self.config.encoding.unit_kind().is_some();
        self.require(fits, operator, "encoding boxes, rows or columns")
    }

    /// Refuses an operator that needs values to be permuted at all.
    ///
    /// # Errors
    /// As [`require`](Self::require).
    pub fn require_permutation(&self, operator: &str) -> Result<(), ConfigError> {
        self.require(!self.groups.is_empty(), operator, "an encoding that permutes values")
    }

    /// Refuses an operator that gives cells values regardless of what others hold.
    ///
    /// # Errors
    /// As [`require`](Self::require).
    pub fn require_cells(&self, operator: &str) -> Result<(), ConfigError> {
        self.require(self.groups.is_empty(), operator, "encoding cells or candidates")
    }
}

/// The name of a custom operator in reports.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OperatorName {
    /// The family, as its parameter is called.
    pub family: &'static str,
    /// The operator's own name.
    pub name: String,
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.family, self.name)
    }
}

/// The name of a type without its path.
pub(super) fn type_name<T: ?Sized>() -> &'static str {
    let path = std::any::type_name::<T>();
    let end = path.find('<').unwrap_or(path.len());
    path[..end].rsplit("::").next().unwrap_or(path)
}

/// Declares the methods that the traits of all families have.
macro_rules! common_methods {
    () => {
        /// Returns the name in reports: that of the type, unless the operator says another.
        fn name(&self) -> &str {
            $crate::ga::operator::type_name::<Self>()
        }

        /// Prepares a custom operator for the puzzle and the configuration, before the run.
        ///
        /// # Errors
        /// A [`ConfigError`](crate::ga::ConfigError) when it cannot work there.
        fn prepare(
            &mut self,
            context: &$crate::ga::BuildContext,
        ) -> Result<(), $crate::ga::ConfigError> {
            let _ = context;
            Ok(())
        }
    };
}

/// Declares a family: the type of each named operator, and the file that has it. Where a type serves several names,
/// the first line declares its file and the others have the type alone.
macro_rules! family {
    (
        $family:ident: $operator:ident {
            $( $variant:ident => $first:ident $(:: $type:ident)?, )*
        }
    ) => {
        // The engine of a GPU shares their layouts and constants.
        $( $( #[doc(hidden)] pub mod $first; #[allow(unused_imports)] pub(crate) use $first::$type; )? )*

        impl $family {
            /// The operator of this name in `context`.
            ///
            /// # Errors
            /// A [`ConfigError`](crate::ga::ConfigError) when it cannot work there.
            pub fn build(
                self,
                context: &$crate::ga::operator::BuildContext,
            ) -> Result<Box<dyn $operator>, $crate::ga::ConfigError> {
                use $crate::ga::operator::FromContext;
                Ok(match self { $( Self::$variant => Box::new($first $(:: $type)? ::build(context)?), )* })
            }

            /// A copy of the user's own operator, prepared for `context`, or the one of this name.
            pub(in crate::ga) fn build_or_custom(
                self,
                own: &Option<Box<dyn $operator>>,
                context: &$crate::ga::operator::BuildContext,
            ) -> Result<Box<dyn $operator>, $crate::ga::ConfigError> {
                let Some(own) = own else { return self.build(context) };
                let mut copy = own.clone();
                copy.prepare(context)?;
                Ok(copy)
            }
        }

        /// Copies, which every operator that is `Clone` can make of itself.
        mod copies {
            use super::$operator;

            /// Is implemented for whatever is `Clone`.
            pub trait Duplicate {
                /// A copy.
                fn duplicate(&self) -> Box<dyn $operator>;
            }

            impl<T: $operator + Clone + 'static> Duplicate for T {
                fn duplicate(&self) -> Box<dyn $operator> {
                    Box::new(self.clone())
                }
            }

            impl Clone for Box<dyn $operator> {
                fn clone(&self) -> Self {
                    (**self).duplicate()
                }
            }
        }
    };
}

pub(super) use {common_methods, family};
