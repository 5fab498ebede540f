//! [`Draws`] as a generator for [`rand`], so that custom operators can use its distributions.
//!
//! The values that [`rand`] derives from the words may change with its version; the values of the methods
//! of [`Draws`] never do.

use std::convert::Infallible;

use rand::TryRng;
use rand::rand_core::utils::{fill_bytes_via_next_word, next_u64_via_u32};

use super::Draws;

/// The words in their order; the low word of a pair comes first.
impl TryRng for Draws<'_> {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

#[cfg(test)]
mod tests {
    use rand::distr::{Distribution, Uniform};
    use rand::seq::SliceRandom;
    use rand::{Rng, RngExt};

    use super::super::philox::philox;
    use super::super::{GenerationRng, StreamStage};

    #[test]
    fn rand_sees_the_words_in_their_order() {
        let draws = GenerationRng::new(0x1122_3344_5566_7788, 5).draws(StreamStage::Cross, 17);
        let [first, second, third, ..] = philox([17, 5, 3 << 24, 0], [0x5566_7788, 0x1122_3344]);
        let mut rng = draws.clone();
        assert_eq!((rng.next_u32(), rng.next_u32()), (first, second));
        let mut rng = draws.clone();
        assert_eq!(rng.next_u64(), u64::from(second) << 32 | u64::from(first));
        let mut bytes = [0; 9];
        draws.clone().fill_bytes(&mut bytes);
        assert_eq!(bytes[..4], first.to_le_bytes());
        assert_eq!((&bytes[4..8], bytes[8]), (&second.to_le_bytes()[..], third as u8));
    }

    #[test]
    fn rand_s_distributions_take_draws() {
        let mut draws = GenerationRng::new(3, 0).draws(StreamStage::Mutate, 0);
        let die = Uniform::new_inclusive(1, 6).unwrap();
        let mut seen = [0u32; 6];
        (0..6_000).for_each(|_| seen[die.sample(&mut draws) - 1] += 1);
        assert!(seen.iter().all(|times| (850..1_150).contains(times)), "{seen:?}");
        let heads = (0..1_000).filter(|_| draws.random_bool(0.25)).count();
        assert!((200..300).contains(&heads), "{heads}");
        let mut values: Vec<u32> = (0..50).collect();
        SliceRandom::shuffle(&mut values[..], &mut draws);
        assert!(!values.is_sorted());
        values.sort();
        assert!(values.into_iter().eq(0..50));
    }
}
