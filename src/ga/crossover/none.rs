//! No crossover: the child is a copy of its first parent.
//!
//! What stays is selection, mutation and local search: an evolution strategy.

use super::super::ConfigError;
use super::super::offspring_batch::copy_board;
use super::super::operator::{BuildContext, FromContext};
use super::CrossoverOperator;
use crate::random::Draws;

/// Copies the first parent.
#[derive(Clone, Debug)]
pub struct NoCrossover;

impl FromContext for NoCrossover {
    fn build(_: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self)
    }
}

impl CrossoverOperator for NoCrossover {
    #[inline(always)]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], _: &mut Draws) {
        copy_board(parents[0], child);
    }

    fn words(&self) -> u32 {
        0
    }
}
