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
            let coins = draws.word().to_le_bytes();
            // Eight cells are one word; those that are left are few.
            let (child, rest) = child.as_chunks_mut::<8>();
            let (first, first_rest) = first.as_chunks::<8>();
            let (second, second_rest) = second.as_chunks::<8>();
            let eights = child.iter_mut().zip(first.iter().zip(second));
            for ((child, (first, second)), coins) in eights.zip(coins) {
                let [first, second] = [first, second].map(|cells| u64::from_le_bytes(*cells));
                *child = mix(first, second, spread(coins)).to_le_bytes();
            }
            if let Some(coins) = coins.get(child.len()) {
                let masks = spread(*coins).to_le_bytes();
                let parents = first_rest.iter().zip(second_rest);
                for ((child, (first, second)), mask) in rest.iter_mut().zip(parents).zip(masks) {
                    *child = mix((*first).into(), (*second).into(), mask.into()) as u8;
                }
            }
        }
    }
}

/// The cells of the first parent, of the second where the mask has ones.
#[inline(always)]
fn mix(first: u64, second: u64, mask: u64) -> u64 {
    first ^ ((first ^ second) & mask)
}

/// A byte of ones for each bit that is 1, from the lowest on, and of zeros for the others.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Every byte keeps a bit of its own, which is carried to the byte's highest.
    let own = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    ((own + 0x7F * ONES) >> 7 & ONES) * 0xFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_bytes() {
        for bits in 0..=u8::MAX {
            let expected = std::array::from_fn(|bit| if bits >> bit & 1 == 1 { 0xFF } else { 0 });
            assert_eq!(spread(bits).to_le_bytes(), expected);
        }
    }
}
