//! Uniform crossover: each cell comes from either parent with one half.
//!
//! A bit of a random word decides for each cell, so that a word serves 32 cells.
//!
//! Source: document 002 of the project; Syswerda, *Uniform crossover in genetic algorithms*, 1989.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::CrossoverOperator;
use crate::random::Draws;

/// A coin for each cell.
#[derive(Clone, Debug)]
pub struct Uniform;

impl Build for Uniform {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_cells("crossover uniform")?;
        Ok(Self)
    }
}

impl CrossoverOperator for Uniform {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        const CELLS: usize = u32::BITS as usize;
        let parents = first.chunks(CELLS).zip(second.chunks(CELLS));
        for (child, (first, second)) in child.chunks_mut(CELLS).zip(parents) {
            let word = draws.word();
            for (bit, child) in child.iter_mut().enumerate() {
                // All ones where the second parent is taken.
                let mask = ((word >> bit & 1) as u8).wrapping_neg();
                *child = first[bit] ^ ((first[bit] ^ second[bit]) & mask);
            }
        }
    }
}
