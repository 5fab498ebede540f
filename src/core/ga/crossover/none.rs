//! No crossover: the child is a copy of its first parent.
//!
//! Selection, mutation and local search alone change the population: an evolution strategy.

use super::{CrossoverOperator, copy_board};
use crate::random::Draws;

/// Copies the first parent.
#[derive(Clone, Debug, Default)]
pub struct NoCrossover;

impl CrossoverOperator for NoCrossover {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], _: &mut Draws) {
        copy_board(parents[0], child);
    }

    fn words(&self) -> u32 {
        0
    }
}
