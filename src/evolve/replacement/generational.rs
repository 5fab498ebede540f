//! Generational replacement: the children are the next population.
//!
//! Nobody survives, the best included; the best ever found is kept outside the population.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::super::state::Individuals;
use super::ReplacementOperator;

/// The children take over.
#[derive(Clone, Debug)]
pub struct Generational;

impl Build for Generational {
    fn build(_: &Setting) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl ReplacementOperator for Generational {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
    }
}
