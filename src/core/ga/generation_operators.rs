//! Operators that take a whole generation at a time, for languages in which a call for each child would be slow.

use super::error::ConfigError;
use super::operator::OperatorName;
use crate::board::Geometry;

/// Selection, crossover and mutation of a whole generation; the rest of it is bred as the configuration says.
///
/// An implementation has the families that [`names`](Self::names) lists; the methods of others are not called. Its results depend on its arguments alone: the
/// same run calls it with the same ones. What it returns is checked: each child keeps the fixed cells and the promises of
/// the encoding.
pub trait GenerationOperators: Send + Sync {
    /// The families that it has, and a name for each: `selection`, `crossover` or `mutation`; others are refused.
    fn names(&self) -> Vec<OperatorName>;

    /// Writes the slots of the two parents of each child.
    ///
    /// # Errors
    /// Why it failed, in a sentence; the run ends.
    fn select(
        &self,
        at: GenerationPlace,
        fitness: &[u16],
        parents: &mut [[u32; 2]],
    ) -> Result<(), String>;

    /// Overwrites `children`, packed boards one after the other, whose parents are in these slots of `population`.
    ///
    /// # Errors
    /// As [`select`](Self::select).
    fn cross(
        &self,
        at: GenerationPlace,
        population: &[u8],
        parents: &[[u32; 2]],
        children: &mut [u8],
    ) -> Result<(), String>;

    /// Changes `children`, packed boards one after the other, in place.
    ///
    /// # Errors
    /// As [`select`](Self::select).
    fn mutate(&self, at: GenerationPlace, children: &mut [u8]) -> Result<(), String>;
}

/// Which generation it is: all that random numbers may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerationPlace {
    /// The shape of the boards.
    pub geometry: Geometry,
    /// The seed of the run.
    pub seed: u64,
    /// The generation.
    pub generation: u32,
    /// The island.
    pub island: u32,
}

/// The families that generation operators have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GenerationFamilies {
    pub selects: bool,
    pub crosses: bool,
    pub mutates: bool,
}

impl GenerationFamilies {
    /// # Errors
    /// [`ConfigError`] for a family that takes no whole generations: it would never be called.
    pub(super) fn of(operators: &dyn GenerationOperators) -> Result<Self, ConfigError> {
        let mut families = Self::default();
        for name in operators.names() {
            let family = match name.family {
                "selection" => &mut families.selects,
                "crossover" => &mut families.crosses,
                "mutation" => &mut families.mutates,
                _ => {
                    return Err(ConfigError::Unfit(format!(
                        "{name} cannot act on whole generations"
                    )));
                }
            };
            *family = true;
        }
        Ok(families)
    }
}
