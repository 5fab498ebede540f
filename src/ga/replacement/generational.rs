//! Generational replacement: the children are the next population.
//!
//! Nobody survives, the best included; the best ever found is kept outside the population.

use super::super::ConfigError;
use super::super::operator::{BuildContext, FromContext};
use super::super::state::Individuals;
use super::ReplacementOperator;

/// The children take over.
#[derive(Clone, Debug)]
pub struct Generational;

impl FromContext for Generational {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl ReplacementOperator for Generational {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
    }
}
