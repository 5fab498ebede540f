//! A random permutation of slots, computed slot by slot instead of shuffled in memory.
//!
//! A Feistel network permutes the numbers below the next power of two: each number is split into
//! a high and a low half, which differ by a bit where the bits are odd, and the halves change each
//! other in turn. A result that is no slot is permuted again until it is one (*cycle walking*,
//! Black & Rogaway, *Ciphers with arbitrary finite domains*, CT-RSA 2002). Fewer than two walks
//! are expected a slot. A permutation of a few slots is written down at once, side by side.
//!
//! ```
//! use evodoku::random::{Seed, SlotPermutation};
//!
//! let shuffled = SlotPermutation::new(10, &Seed::new(1, 0));
//! let mut slots: Vec<u32> = (0..10).map(|slot| shuffled.at(slot)).collect();
//! slots.sort();
//! assert_eq!(slots, (0..10).collect::<Vec<u32>>());
//! ```

use fearless_simd::{Level, dispatch};

use super::{Seed, Stage, WHOLE_POPULATION};

/// Turns, each of which changes both halves: three mix wide halves, halves of a bit or two need
/// more.
const TURNS: usize = 8;
const WIDE_TURNS: usize = 3;
const WIDE_BITS: u32 = 10;
/// Numbers that halves of fewer bits make.
const FEW: usize = 1 << (WIDE_BITS - 1);
/// Numbers that are permuted side by side.
const LANES: usize = 16;

/// A permutation of `0..len`.
#[derive(Clone, Debug)]
pub struct SlotPermutation {
    len: u32,
    network: Network,
    /// Where the network takes each number, where there are few.
    written: Option<[u16; FEW]>,
}

/// A permutation of the numbers of some bits.
#[derive(Clone, Copy, Debug)]
struct Network {
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
        let network = Network {
            low_bits: bits / 2,
            high_bits: bits - bits / 2,
            turns: if bits < WIDE_BITS { TURNS } else { WIDE_TURNS },
            keys: std::array::from_fn(|_| [draws.word(), draws.word()]),
        };
        let written = (bits < WIDE_BITS).then(|| {
            let mut written = [0; FEW];
            dispatch!(Level::new(), _simd => network.write(&mut written[..1 << bits]));
            written
        });
        Self { len, network, written }
    }

    /// Where `slot`, which is below `len`, goes.
    #[inline]
    pub fn at(&self, slot: u32) -> u32 {
        debug_assert!(slot < self.len);
        self.at_from(self.permuted(slot))
    }

    /// The end of a walk through what is no slot.
    #[inline]
    fn at_from(&self, mut place: u32) -> u32 {
        while place >= self.len {
            place = self.permuted(place);
        }
        place
    }

    /// Where the slots of a row go, each of which is below `len`.
    pub fn all(&self, slots: &mut [u32]) {
        let Some(written) = &self.written else {
            return dispatch!(Level::new(), _simd => self.walk(slots));
        };
        let permuted = |number: u32| u32::from(written[number as usize % FEW]);
        for slot in slots {
            // Which of these are no slots nobody foresees, so that steps are made on trial.
            let first = permuted(*slot);
            let second = permuted(first);
            let third = permuted(second);
            let place = if first < self.len { first } else { second };
            *slot = self.at_from(if place < self.len { place } else { third });
        }
    }

    /// Permutes slots side by side; the few that are none yet walk on by themselves.
    #[inline(always)]
    fn walk(&self, slots: &mut [u32]) {
        let (rows, rest) = slots.as_chunks_mut::<LANES>();
        for row in rows {
            *row = self.network.permuted(*row);
            for place in row.iter_mut().filter(|place| **place >= self.len) {
                *place = self.at_from(*place);
            }
        }
        rest.iter_mut().for_each(|slot| *slot = self.at(*slot));
    }

    #[inline]
    fn permuted(&self, number: u32) -> u32 {
        match &self.written {
            Some(written) => written[number as usize % FEW].into(),
            None => self.network.permuted([number])[0],
        }
    }

    /// Its length, the bits of its low and high halves, its turns and their keys, for a twin.
    #[cfg(feature = "gpu")]
    pub(crate) fn parts(&self) -> ([u32; 4], [[u32; 2]; TURNS]) {
        let Network { low_bits, high_bits, turns, keys } = self.network;
        ([self.len, low_bits, high_bits, turns as u32], keys)
    }
}

impl Network {
    /// Writes where each number from 0 on goes.
    #[inline(always)]
    fn write(&self, places: &mut [u16]) {
        for (row, places) in places.chunks_mut(LANES).enumerate() {
            let mut numbers = [0; LANES];
            for (lane, number) in numbers.iter_mut().enumerate() {
                *number = (row * LANES + lane) as u32;
            }
            for (place, to) in places.iter_mut().zip(self.permuted(numbers)) {
                *place = to as u16;
            }
        }
    }

    /// Where numbers go. Turn waits for turn, but several numbers take hardly longer than one.
    #[inline(always)]
    fn permuted<const N: usize>(&self, mut numbers: [u32; N]) -> [u32; N] {
        let (low_mask, high_mask) = ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1);
        let (mut high, mut low) = ([0; N], [0; N]);
        for lane in 0..N {
            (high[lane], low[lane]) = (numbers[lane] >> self.low_bits, numbers[lane] & low_mask);
        }
        for [for_high, for_low] in &self.keys[..self.turns] {
            for lane in 0..N {
                high[lane] ^= mix(low[lane] ^ for_high) & high_mask;
                low[lane] ^= mix(high[lane] ^ for_low) & low_mask;
            }
        }
        for lane in 0..N {
            numbers[lane] = high[lane] << self.low_bits | low[lane];
        }
        numbers
    }
}

/// A full avalanche of 32 bits (the finaliser of MurmurHash3, Appleby, public domain).
#[inline(always)]
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
            let mut all: Vec<u32> = (0..len).collect();
            permutation.all(&mut all);
            assert!(all.iter().zip(0..).all(|(place, slot)| *place == permutation.at(slot)));
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
