//! Generational replacement: the children are the next population.
//!
//! No individual survives, the best included; the best ever found is stored outside the population.

use super::{Individuals, ReplacementOperator};

/// The children replace the population.
#[derive(Clone, Debug, Default)]
pub struct Generational;

impl ReplacementOperator for Generational {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
    }
}
