//! A random permutation of slots, computed slot by slot instead of shuffled in memory.
//!
//! A Feistel network permutes the numbers below the next power of two: each number is split into
//! a high and a low half, which differ by a bit where the bits are odd, and the halves change each
//! other in turn. A result that is no slot is permuted again until it is one (*cycle walking*,
//! Black & Rogaway, *Ciphers with arbitrary finite domains*, CT-RSA 2002). Fewer than two walks
//! are expected a slot.
//!
//! ```
//! use evodoku::random::{Seed, SlotPermutation};
//!
//! let shuffled = SlotPermutation::new(10, &Seed::new(1, 0));
//! let mut slots: Vec<u32> = (0..10).map(|slot| shuffled.at(slot)).collect();
//! slots.sort();
//! assert_eq!(slots, (0..10).collect::<Vec<u32>>());
//! ```

use super::{Seed, Stage, WHOLE_POPULATION};

/// Turns, each of which changes both halves: three mix wide halves, halves of a bit or two need
/// more.
const TURNS: usize = 8;
const WIDE_TURNS: usize = 3;
const WIDE_BITS: u32 = 10;

/// A permutation of `0..len`.
#[derive(Clone, Debug)]
pub struct SlotPermutation {
    len: u32,
    low_bits: u32,
    high_bits: u32,
    turns: usize,
    keys: [[u32; 2]; TURNS],
}

impl SlotPermutation {
    /// The permutation of `0..len` that the population-wide plan of `seed` draws.
    pub fn new(len: u32, seed: &Seed) -> Self {
        let mut draws = seed.draws(Stage::Plan, WHOLE_POPULATION);
        let bits = (32 - len.saturating_sub(1).leading_zeros()).max(2);
        Self {
            len,
            low_bits: bits / 2,
            high_bits: bits - bits / 2,
            turns: if bits < WIDE_BITS { TURNS } else { WIDE_TURNS },
            keys: std::array::from_fn(|_| [draws.word(), draws.word()]),
        }
    }

    /// Where `slot`, which is below `len`, goes.
    #[inline]
    pub fn at(&self, slot: u32) -> u32 {
        debug_assert!(slot < self.len);
        let mut place = self.network(slot);
        while place >= self.len {
            place = self.network(place);
        }
        place
    }

    /// Its length, the bits of its low and high halves, its turns and their keys, for a twin.
    #[cfg(feature = "gpu")]
    pub(crate) fn parts(&self) -> ([u32; 4], [[u32; 2]; TURNS]) {
        ([self.len, self.low_bits, self.high_bits, self.turns as u32], self.keys)
    }

    #[inline]
    fn network(&self, number: u32) -> u32 {
        let (low_mask, high_mask) = ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1);
        let (mut high, mut low) = (number >> self.low_bits, number & low_mask);
        for [for_high, for_low] in &self.keys[..self.turns] {
            high ^= mix(low ^ for_high) & high_mask;
            low ^= mix(high ^ for_low) & low_mask;
        }
        high << self.low_bits | low
    }
}

/// A full avalanche of 32 bits (the finaliser of MurmurHash3, Appleby, public domain).
#[inline]
fn mix(mut word: u32) -> u32 {
    word ^= word >> 16;
    word = word.wrapping_mul(0x85EB_CA6B);
    word ^= word >> 13;
    word = word.wrapping_mul(0xC2B2_AE35);
    word ^ (word >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_permutation_for_every_length() {
        for len in (1..70).chain([255, 256, 257, 1000, 65_537]) {
            let permutation = SlotPermutation::new(len, &Seed::new(7, len));
            let mut seen = vec![false; len as usize];
            for slot in 0..len {
                assert!(!std::mem::replace(&mut seen[permutation.at(slot) as usize], true));
            }
        }
    }

    #[test]
    fn every_slot_goes_everywhere_alike() {
        let len = 5;
        let mut seen = vec![0u32; 25];
        for generation in 0..10_000 {
            let permutation = SlotPermutation::new(len, &Seed::new(3, generation));
            for slot in 0..len {
                seen[(slot * len + permutation.at(slot)) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|times| (1_850..2_150).contains(times)), "{seen:?}");
    }
}
