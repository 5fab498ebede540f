//! No crossover: the child is a copy of its first parent.
//!
//! What stays is selection, mutation and improvement: an evolution strategy.

use super::super::ConfigError;
use super::super::brood::copy_board;
use super::super::operator::{Build, Setting};
use super::CrossoverOperator;
use crate::random::Draws;

/// Copies the first parent.
#[derive(Clone, Debug)]
pub struct NoCrossover;

impl Build for NoCrossover {
    fn build(_: &Setting) -> Result<Self, ConfigError> {
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
