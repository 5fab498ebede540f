//! Philox4x32-10, a counter-based random number generator: a keyed bijection of 128-bit counters.
//!
//! Salmon, Moraes, Dror & Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC 2011. The shader
//! `shaders/random/philox.wgsl` computes the same.
//!
//! ```
//! use evodoku::random::philox::philox;
//!
//! assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
//! ```

use fearless_simd::{Level, dispatch};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Simd, prelude::*};

/// Rounds of the bijection.
pub const ROUNDS: u32 = 10;
/// Factors of the two products of a round.
pub const MULTIPLIER: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// Added to the key after each round: the golden ratio, and the square root of 3 minus 1.
pub const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The four random words of `counter` under `key`, low words first.
#[inline]
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let (mut x, mut k) = (counter, key);
    for _ in 0..ROUNDS {
        let (high0, low0) = multiply(MULTIPLIER[0], x[0]);
        let (high1, low1) = multiply(MULTIPLIER[1], x[2]);
        x = [high1 ^ x[1] ^ k[0], low1, high0 ^ x[3] ^ k[1], low0];
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    x
}

/// Counters that increase from the first in one word, by a step, and the random words of each.
#[derive(Debug)]
pub struct Counters<'a> {
    /// The first counter.
    pub first: [u32; 4],
    /// The step between counters, in the word that increases.
    pub step: u32,
    /// The four random words of each counter.
    pub blocks: &'a mut [[u32; 4]],
}

/// Overwrites the blocks of rows of counters under one key; the counters increase in word number `WORD`.
pub fn philox_rows<const WORD: usize>(key: [u32; 2], rows: &mut [Counters<'_>]) {
    match Level::new() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(simd) => pairs::<_, WORD>(simd, key, rows),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(simd) => pairs::<_, WORD>(simd, key, rows),
        // Vectors of the best level available: the loop computes several counters at a time.
        level => dispatch!(level, _simd => {
            for &mut Counters { first, step, ref mut blocks } in rows {
                let mut counted = first[WORD];
                for block in blocks.iter_mut() {
                    *block = wide::<WORD>(first, counted, key);
                    counted = counted.wrapping_add(step);
                }
            }
        }),
    }
}

/// Overwrites `blocks` with the random words of counters that increase from `first` in word number `WORD`, by `step`.
pub fn philox_row<const WORD: usize>(
    first: [u32; 4],
    key: [u32; 2],
    step: u32,
    blocks: &mut [[u32; 4]],
) {
    philox_rows::<WORD>(key, &mut [Counters { first, step, blocks }]);
}

/// The largest number of counters that a vector loop computes at a time: a row of this length, or a multiple, leaves
/// none to be computed one by one.
pub(super) const LANES: usize = 16;

/// Overwrites `blocks` with the random words of counters that differ in word number `WORD` alone, which takes the values
/// of `counted`.
pub fn philox_of<const WORD: usize>(
    counter: [u32; 4],
    key: [u32; 2],
    counted: &[u32],
    blocks: &mut [[u32; 4]],
) {
    dispatch!(Level::new(), _simd => {
        for (block, counted) in blocks.iter_mut().zip(counted) {
            *block = wide::<WORD>(counter, *counted, key);
        }
    });
}

/// One counter through all its rounds, for loops over counters: compilers then vectorise over counters whose words stay in
/// registers. In the other order, each round of all counters is written to memory.
#[inline(always)]
fn wide<const WORD: usize>(counter: [u32; 4], counted: u32, key: [u32; 2]) -> [u32; 4] {
    let mut k = key;
    // A word has a lane of 64 bits, as vector multiplication needs it: a whole product is kept in place
    // of its low word, and the bits above that are never read.
    let mut x = counter.map(u64::from);
    x[WORD] = counted.into();
    for _ in 0..ROUNDS {
        let product0 = u64::from(MULTIPLIER[0]) * u64::from(x[0] as u32);
        let product1 = u64::from(MULTIPLIER[1]) * u64::from(x[2] as u32);
        x = [
            product1 >> 32 ^ x[1] ^ u64::from(k[0]),
            product1,
            product0 >> 32 ^ x[3] ^ u64::from(k[1]),
            product0,
        ];
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    x.map(|word| word as u32)
}

/// Two vectors of counters at a time: a round depends on the one before, so that one vector is computed while the other waits. A word has a
/// lane of 64 bits, as vector multiplication needs it.
#[cfg(target_arch = "x86_64")]
fn pairs<S: Simd, const WORD: usize>(simd: S, key: [u32; 2], rows: &mut [Counters<'_>]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let zero = S::u64s::splat(simd, 0);
            let mut keys = [[zero; 2]; ROUNDS as usize];
            let mut k = key;
            for key in &mut keys {
                *key = [S::u64s::splat(simd, twice(k[0])), S::u64s::splat(simd, twice(k[1]))];
                k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
            }
            let lanes = S::u64s::LEN;
            let mut lane_of = zero;
            for lane in 0..lanes {
                lane_of.as_mut_slice()[lane] = lane as u64;
            }
            for &mut Counters { first, step, ref mut blocks } in rows {
                let by = S::u64s::splat(simd, step.into());
                let vector = S::u64s::splat(simd, lanes as u64 * u64::from(step));
                let mut counted = S::u64s::splat(simd, first[WORD].into()) + lane_of * by;
                let mut words = [zero; 4];
                for word in 0..4 {
                    words[word] = S::u64s::splat(simd, twice(first[word]));
                }
                let (pairs, rest) = blocks.split_at_mut(blocks.len() / (2 * lanes) * (2 * lanes));
                for pair in pairs.chunks_exact_mut(2 * lanes) {
                    let (mut a, mut b) = (words, words);
                    a[WORD] = counted;
                    b[WORD] = counted + vector;
                    counted = b[WORD] + vector;
                    // Unrolled by hand: compilers leave it a loop, which takes an eighth longer.
                    macro_rules! rounds {
                        ($($number:literal)*) => { $(
                            a = round(simd, a, keys[$number]);
                            b = round(simd, b, keys[$number]);
                        )* };
                    }
                    rounds!(0 1 2 3 4 5 6 7 8 9);
                    let (of_a, of_b) = pair.split_at_mut(lanes);
                    write(simd, a, of_a);
                    write(simd, b, of_b);
                }
                let mut left = first;
                left[WORD] = counted.as_slice()[0] as u32;
                for block in rest {
                    *block = philox(left, key);
                    left[WORD] = left[WORD].wrapping_add(step);
                }
            }
        },
    );
}

/// A word, repeated in the upper half: if compilers know that half to be zero, they transform the products, which then are
/// of 64 bits and take three times as long.
#[cfg(target_arch = "x86_64")]
fn twice(word: u32) -> u64 {
    u64::from(word) << 32 | u64::from(word)
}

/// The bits above a word are never read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn round<S: Simd>(simd: S, x: [S::u64s; 4], key: [S::u64s; 2]) -> [S::u64s; 4] {
    let low = S::u64s::splat(simd, u32::MAX.into());
    let product0 = (x[0] & low) * S::u64s::splat(simd, MULTIPLIER[0].into());
    let product1 = (x[2] & low) * S::u64s::splat(simd, MULTIPLIER[1].into());
    [(product1 >> 32) ^ (x[1] ^ key[0]), product1, (product0 >> 32) ^ (x[3] ^ key[1]), product0]
}

/// Writes the random words of counters.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write<S: Simd>(simd: S, x: [S::u64s; 4], blocks: &mut [[u32; 4]]) {
    let low = S::u64s::splat(simd, u32::MAX.into());
    // A shift would be moved into a factor of the last product, which then is of 64 bits.
    let above = |word: S::u64s| {
        let halves = word.bitcast::<S::u32s>();
        halves.slide_within_blocks::<3>(halves).bitcast::<S::u64s>() & !low
    };
    let (first, second) = ((x[0] & low) | above(x[1]), (x[2] & low) | above(x[3]));
    let (begin, end) = blocks.split_at_mut(S::u64s::LEN / 2);
    first.zip_low(second).bitcast::<S::u32s>().store_slice(begin.as_flattened_mut());
    first.zip_high(second).bitcast::<S::u32s>().store_slice(end.as_flattened_mut());
}

/// The high and the low word of a product.
#[inline]
fn multiply(a: u32, b: u32) -> (u32, u32) {
    let product = u64::from(a) * u64::from(b);
    ((product >> 32) as u32, product as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers of the reference implementation (Random123, `kat_vectors`): counter, key, words.
    const KNOWN_ANSWERS: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
        ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ];

    #[test]
    fn known_answers() {
        for (counter, key, words) in KNOWN_ANSWERS {
            assert_eq!(philox(counter, key), words);
        }
    }

    #[test]
    fn a_row_is_its_counters_one_by_one() {
        for (counter, key, _) in KNOWN_ANSWERS {
            for count in [0, 1, 16, 17, 48] {
                check_row::<0>(counter, key, 1, count);
                check_row::<0>(counter, key, 4, count);
                check_row::<2>(counter, key, 1, count);
            }
        }
    }

    #[test]
    fn some_counters_are_those_counters_one_by_one() {
        for (counter, key, _) in KNOWN_ANSWERS {
            let counted: Vec<u32> = (0..21).map(|at: u32| at.wrapping_mul(0x9E37_79B9)).collect();
            let mut blocks = [[0; 4]; 21];
            philox_of::<0>(counter, key, &counted, &mut blocks);
            for (words, counted) in blocks.iter().zip(counted) {
                let [_, second, third, fourth] = counter;
                assert_eq!(*words, philox([counted, second, third, fourth], key));
            }
        }
    }

    fn key_as_counter([low, high]: [u32; 2]) -> [u32; 4] {
        [low, high, low, high]
    }

    fn check_row<const WORD: usize>(mut counter: [u32; 4], key: [u32; 2], step: u32, count: usize) {
        let mut row = [[7; 4]; 48];
        let mut behind = [[7; 4]; 17];
        let rows = [(counter, &mut row[..count]), (key_as_counter(key), &mut behind[..])];
        let mut rows = rows.map(|(first, blocks)| Counters { first, step, blocks });
        philox_rows::<WORD>(key, &mut rows);
        let mut second = key_as_counter(key);
        for words in behind {
            assert_eq!(words, philox(second, key));
            second[WORD] = second[WORD].wrapping_add(step);
        }
        for words in row[..count].iter() {
            assert_eq!(*words, philox(counter, key));
            counter[WORD] = counter[WORD].wrapping_add(step);
        }
        assert!(row[count..].iter().all(|words| *words == [7; 4]));
    }
}
