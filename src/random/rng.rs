//! The generator as a stream of words from a seed, for code that takes
//! [`rand`]'s generators.
//!
//! The counter starts at 0 and counts in all its 128 bits, so that the period is 2^130 words. Runs
//! do not use it: see [`Draws`](super::Draws), which implement the same traits.
//!
//! ```
//! use evodoku::random::Philox;
//! use rand::seq::SliceRandom;
//! use rand::{RngExt, SeedableRng};
//!
//! let mut philox = Philox::seed_from_u64(7);
//! let mut values = [1, 2, 3, 4];
//! values.shuffle(&mut philox);
//! assert!(philox.random_range(1..=6) <= 6);
//! ```

use std::convert::Infallible;

use rand::rand_core::block::{BlockRng, Generator};
use rand::{SeedableRng, TryRng};

use super::philox::philox;

/// Philox4x32-10 with a 64-bit key.
#[derive(Clone, Debug)]
pub struct Philox(BlockRng<CountedRng>);

/// The blocks of one key.
#[derive(Clone, Debug)]
struct CountedRng {
    key: [u32; 2],
    counter: u128,
}

impl Generator for CountedRng {
    type Output = [u32; 4];

    fn generate(&mut self, words: &mut [u32; 4]) {
        let counter = [0, 32, 64, 96].map(|shift| (self.counter >> shift) as u32);
        *words = philox(counter, self.key);
        self.counter = self.counter.wrapping_add(1);
    }
}

impl SeedableRng for Philox {
    /// The key, low byte first.
    type Seed = [u8; 8];

    fn from_seed(seed: Self::Seed) -> Self {
        Self::seed_from_u64(u64::from_le_bytes(seed))
    }

    /// The stream whose key is `seed`: all keys are equally good.
    fn seed_from_u64(seed: u64) -> Self {
        Self(BlockRng::new(CountedRng { key: [seed as u32, (seed >> 32) as u32], counter: 0 }))
    }
}

impl TryRng for Philox {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64_from_u32())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::super::philox::KNOWN_ANSWERS;
    use super::*;

    #[test]
    fn known_answers() {
        let words = KNOWN_ANSWERS[0].2;
        let mut philox = Philox::seed_from_u64(0);
        assert_eq!([(); 4].map(|()| philox.next_u32()), words);
        let mut philox = Philox::from_seed([0; 8]);
        assert_eq!(philox.next_u64(), 0xe169_c58d_6627_e8d5);
        let mut bytes = [0; 3];
        philox.fill_bytes(&mut bytes);
        assert_eq!(bytes, [0x4c, 0xac, 0x57]);
        assert_eq!(philox.next_u32(), words[3], "what is left of a word is not used");
    }

    #[test]
    fn blocks_follow_the_counter_under_the_seed_s_key() {
        let mut one = Philox::seed_from_u64(0x1122_3344_5566_7788);
        let mut other = Philox::from_seed([0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
        for block in 0..3 {
            let words = philox([block, 0, 0, 0], [0x5566_7788, 0x1122_3344]);
            assert_eq!([(); 4].map(|()| one.next_u32()), words);
            assert_eq!([(); 4].map(|()| other.next_u32()), words);
        }
        let carried = CountedRng { key: [0; 2], counter: u32::MAX.into() };
        let mut philox = Philox(BlockRng::new(carried));
        (0..4).for_each(|_| _ = philox.next_u32());
        assert_eq!(philox.next_u32(), super::philox([0, 1, 0, 0], [0; 2])[0]);
    }
}
