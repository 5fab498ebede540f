//! A random permutation of slots, computed slot by slot instead of shuffled in memory.
//!
//! A Feistel network permutes the numbers below the next power of two: each number is split into
//! a high and a low half, which differ by one bit where the number of bits is odd, and the halves change each
//! other in turn. A result that is no slot is permuted again until it is a slot (*cycle walking*,
//! Black & Rogaway, *Ciphers with arbitrary finite domains*, CT-RSA 2002), which takes fewer than two steps a slot
//! on average. A permutation of a moderate number of slots can be tabulated at once, in parallel lanes.
//!
//! ```
//! use evodoku::random::{GenerationRng, SlotPermutation};
//!
//! let shuffled = SlotPermutation::new(10, &GenerationRng::new(1, 0));
//! let mut slots: Vec<u32> = (0..10).collect();
//! shuffled.apply(&mut slots);
//! slots.sort();
//! assert_eq!(slots, (0..10).collect::<Vec<u32>>());
//! ```

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

use super::{GenerationRng, StreamStage, WHOLE_POPULATION};

/// Rounds, each of which changes both halves: three mix wide halves; halves of a bit or two need
/// more.
const ROUNDS: usize = 8;
const WIDE_ROUNDS: usize = 3;
const WIDE_BITS: u32 = 10;
/// The number of values of a half that is narrow enough to be tabulated.
const FEW: usize = 1 << (WIDE_BITS - 1);
/// The widths of such halves in bits, the low and the high one.
const LOW_HALVES: usize = 1 << ((WIDE_BITS - 1) / 2);
const HIGH_HALVES: usize = FEW / LOW_HALVES;
/// Numbers that are permuted in parallel.
const LANES: usize = 16;
/// Slots that are permuted together until all results are slots: of a row, and of a table.
const ROW: usize = 64;
const TABLE_ROW: usize = 512;
/// The longest table, which one thread computes.
const MOST_TABULATED: u32 = 1 << 14;

/// A permutation of `0..len`, by default of no slots.
#[derive(Clone, Debug, Default)]
pub struct SlotPermutation {
    len: u32,
    network: Network,
    /// The image of each slot if tabulated, else empty.
    table: Vec<u32>,
}

/// A permutation of all numbers below a power of two.
#[derive(Clone, Copy, Debug, Default)]
struct Network {
    low_bits: u32,
    high_bits: u32,
    rounds: usize,
    keys: [[u32; 2]; ROUNDS],
}

impl SlotPermutation {
    /// The permutation of `0..len` that the population-wide draws of `seed` determine. It has no table.
    pub fn new(len: u32, seed: &GenerationRng) -> Self {
        Self { len, network: Network::new(len, seed), table: Vec::new() }
    }

    /// Replaces the permutation by that of another length or seed, with a table if it is not too long.
    pub fn redraw(&mut self, len: u32, seed: &GenerationRng) {
        (self.len, self.network) = (len, Network::new(len, seed));
        self.table.clear();
        if len <= MOST_TABULATED {
            self.table.extend(0..len);
            dispatch!(Level::new(), simd => match self.network.rounds {
                ROUNDS => self.network.walk_few(simd, &mut self.table),
                _ => self.network.walk::<TABLE_ROW>(len, &mut self.table),
            });
        }
    }

    /// Replaces each slot, which is below `len`, by its image.
    pub fn apply(&self, slots: &mut [u32]) {
        if self.table.is_empty() {
            return dispatch!(Level::new(), _simd => self.network.walk::<ROW>(self.len, slots));
        }
        slots.iter_mut().for_each(|slot| *slot = self.table[*slot as usize]);
    }

    /// Returns the length, the bits of the low and the high halves, the number of rounds and the keys, for a shader.
    #[doc(hidden)]
    pub fn parts(&self) -> ([u32; 4], [[u32; 2]; ROUNDS]) {
        let Network { low_bits, high_bits, rounds, keys } = self.network;
        ([self.len, low_bits, high_bits, rounds as u32], keys)
    }
}

impl Network {
    fn new(len: u32, seed: &GenerationRng) -> Self {
        let mut draws = seed.draws(StreamStage::Plan, WHOLE_POPULATION);
        let bits = (u32::BITS - len.saturating_sub(1).leading_zeros()).max(2);
        Self {
            low_bits: bits / 2,
            high_bits: bits - bits / 2,
            rounds: if bits < WIDE_BITS { ROUNDS } else { WIDE_ROUNDS },
            keys: std::array::from_fn(|_| [draws.word(), draws.word()]),
        }
    }

    /// Replaces slots by their images below `len`: permutes all once, then again those that are no slots yet, until
    /// there are none.
    #[inline(always)]
    fn walk<const TOGETHER: usize>(&self, len: u32, slots: &mut [u32]) {
        for slots in slots.chunks_mut(TOGETHER) {
            let [mut at, mut places] = [[0; TOGETHER]; 2];
            for k in 0..slots.len() {
                (at[k], places[k]) = (k as u32, slots[k]);
            }
            let mut left = slots.len();
            while left > 0 {
                let (rows, _) = places[..left.next_multiple_of(LANES)].as_chunks_mut::<LANES>();
                for row in rows {
                    *row = self.permuted(*row);
                }
                let mut next = 0;
                for k in 0..left {
                    // The branch is unpredictable: each number is written as a slot, and kept only if it is not one yet.
                    let (from, place) = (at[k], places[k]);
                    slots[from as usize] = place;
                    (at[next], places[next]) = (from, place);
                    next += usize::from(place >= len);
                }
                left = next;
            }
        }
    }

    /// Does the same for all slots of a length whose halves are narrow enough for the round function to be tabulated.
    #[inline(always)]
    fn walk_few<S: Simd>(&self, simd: S, slots: &mut [u32]) {
        let places = self.places(simd, slots.len());
        let step = |place: u32| u32::from(places[place as usize % FEW]);
        let len = slots.len() as u32;
        for slot in slots {
            // Which results are slots cannot be predicted, so that three steps are always made.
            let first = step(*slot);
            let second = step(first);
            let third = step(second);
            let mut place = if first < len { first } else { second };
            place = if place < len { place } else { third };
            while place >= len {
                place = step(place);
            }
            *slot = place;
        }
    }

    /// Returns the image of each number; numbers with more bits than `len` have arbitrary images.
    #[inline(always)]
    fn places<S: Simd>(&self, simd: S, len: usize) -> [u16; FEW] {
        let [mut high, mut low] = [[0; FEW]; 2];
        let (low_mask, high_mask) = ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1);
        for number in 0..FEW {
            high[number] = (number >> self.low_bits) as u8 & high_mask;
            low[number] = number as u8 & low_mask;
        }
        let numbers = len.next_power_of_two();
        for [for_high, for_low] in &self.keys {
            let (mut by_low, mut by_high) = ([0; LOW_HALVES], [0; HIGH_HALVES]);
            for half in 0..LOW_HALVES {
                by_low[half] = mix(half as u32 ^ for_high) as u8 & high_mask;
            }
            for half in 0..HIGH_HALVES {
                by_high[half] = mix(half as u32 ^ for_low) as u8 & low_mask;
            }
            let (begin, end) = by_high.split_at(LOW_HALVES);
            let [by_low, begin, end] = [&by_low, begin, end]
                .map(|table| S::u8s::block_splat(u8x16::from_slice(simd, table)));
            for first in (0..numbers).step_by(S::u8s::LEN) {
                let [high, low] =
                    [&mut high, &mut low].map(|halves| &mut halves[first..first + S::u8s::LEN]);
                let of_low = S::u8s::from_slice(simd, low);
                let of_high =
                    S::u8s::from_slice(simd, high) ^ by_low.swizzle_dyn_within_blocks(of_low);
                let within = of_high & (LOW_HALVES - 1) as u8;
                let is_begin = of_high.simd_lt(LOW_HALVES as u8);
                let changed = is_begin.select(
                    begin.swizzle_dyn_within_blocks(within),
                    end.swizzle_dyn_within_blocks(within),
                );
                of_high.store_slice(high);
                (of_low ^ changed).store_slice(low);
            }
        }
        let mut places = [0; FEW];
        for number in 0..FEW {
            places[number] = u16::from(high[number]) << self.low_bits | u16::from(low[number]);
        }
        places
    }

    /// The images of numbers. Rounds depend on each other, but several numbers take hardly longer than one.
    #[inline(always)]
    fn permuted<const N: usize>(&self, mut numbers: [u32; N]) -> [u32; N] {
        let (low_mask, high_mask) = ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1);
        let (mut high, mut low) = ([0; N], [0; N]);
        for lane in 0..N {
            (high[lane], low[lane]) = (numbers[lane] >> self.low_bits, numbers[lane] & low_mask);
        }
        for [for_high, for_low] in &self.keys[..self.rounds] {
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

    fn image(permutation: &SlotPermutation, slot: u32) -> u32 {
        let mut slots = [slot];
        permutation.apply(&mut slots);
        slots[0]
    }

    #[test]
    fn it_is_a_permutation_for_every_length() {
        let mut redrawn = SlotPermutation::new(1, &GenerationRng::new(0, 0));
        for len in (1..70).chain([255, 256, 257, 300, 511, 512, 513, 1000, 16_384, 65_537]) {
            let seed = GenerationRng::new(7, len);
            let permutation = SlotPermutation::new(len, &seed);
            let mut seen = vec![false; len as usize];
            for slot in 0..len {
                assert!(!std::mem::replace(&mut seen[image(&permutation, slot) as usize], true));
            }
            redrawn.redraw(len, &seed);
            for way in [&permutation, &redrawn] {
                let mut all: Vec<u32> = (0..len).collect();
                way.apply(&mut all);
                assert!(
                    all.iter().zip(0..).all(|(place, slot)| *place == image(&permutation, slot))
                );
                assert_eq!(image(way, len - 1), image(&permutation, len - 1), "{len}");
            }
        }
    }

    #[test]
    fn every_image_of_a_slot_is_as_likely() {
        let len = 5;
        let mut seen = vec![0u32; 25];
        for generation in 0..10_000 {
            let permutation = SlotPermutation::new(len, &GenerationRng::new(3, generation));
            for slot in 0..len {
                seen[(slot * len + image(&permutation, slot)) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|times| (1_850..2_150).contains(times)), "{seen:?}");
    }
}
