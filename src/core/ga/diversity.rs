//! Diversity: the distance of two boards, and an estimate of how many different boards a population holds.
//!
//! The distance is the Hamming distance, the number of cells in which two boards differ. Values are not relabelled,
//! because the givens fix what each value means. Givens and padding are equal in all boards of a run and add nothing.
//!
//! The estimate is HyperLogLog (Flajolet, Fusy, Gandouet & Meunier 2007) over MurmurHash3 (x86, 32 bits, seed 0)
//! of a packed board's words. The top 12 bits of the hash choose one of 4,096 registers, which
//! keeps the largest place of the first one bit among the others. Registers are whole numbers
//! merged by maximum, so they do not depend on order; the standard error is 1.6 %.

use rayon::prelude::*;

use crate::board::Population;

/// Bits of a hash that choose a register.
pub const INDEX_BITS: u32 = 12;
/// Registers.
pub const REGISTERS: usize = 1 << INDEX_BITS;
/// Boards that one task hashes.
const TASK_LEN: usize = 1 << 13;

/// The registers of `population`.
pub(crate) fn registers(population: &Population) -> Vec<u8> {
    let words = population.geometry().stride() / 4;
    population
        .words()
        .par_chunks(TASK_LEN * words)
        .map(|boards| {
            let mut registers = vec![0u8; REGISTERS];
            boards.chunks_exact(words).for_each(|board| note(&mut registers, hash(board)));
            registers
        })
        .reduce(|| vec![0; REGISTERS], merge)
}

fn note(registers: &mut [u8], hash: u32) {
    let register = &mut registers[(hash >> (32 - INDEX_BITS)) as usize];
    // A bit below the hash's last ends the search.
    let rest = hash << INDEX_BITS | 1 << (INDEX_BITS - 1);
    *register = (*register).max(rest.leading_zeros() as u8 + 1);
}

/// The registers of two populations together.
pub(crate) fn merge(mut into: Vec<u8>, from: Vec<u8>) -> Vec<u8> {
    for (into, from) in into.iter_mut().zip(from) {
        *into = from.max(*into);
    }
    into
}

/// The estimate from filled registers, with the corrections of the paper for few and for many.
pub(crate) fn estimate(registers: &[u8]) -> u64 {
    let count = registers.len() as f64;
    let alpha = 0.7213 / (1.0 + 1.079 / count);
    let sum: f64 = registers.iter().map(|register| 0.5f64.powi((*register).into())).sum();
    let raw = alpha * count * count / sum;
    let empty = registers.iter().filter(|register| **register == 0).count();
    let hashes = 2f64.powi(32);
    let corrected = if raw <= 2.5 * count && empty > 0 {
        count * (count / empty as f64).ln()
    } else if raw > hashes / 30.0 {
        -hashes * (1.0 - raw / hashes).ln()
    } else {
        raw
    };
    corrected.round() as u64
}

/// MurmurHash3 of whole words (Appleby, public domain).
fn hash(words: &[u32]) -> u32 {
    let mut hash = 0u32;
    for word in words {
        let mixed = word.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
        hash = (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64);
    }
    hash ^= 4 * words.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}

/// Cells in which two packed boards differ.
#[inline]
pub fn distance(a: &[u8], b: &[u8]) -> u32 {
    // Sums of bytes, which the compiler turns into wide compares; 128 of them do not overflow.
    const CELLS: usize = 128;
    let blocks = a.chunks(CELLS).zip(b.chunks(CELLS));
    blocks.map(|(a, b)| u32::from(a.iter().zip(b).map(|(a, b)| u8::from(a != b)).sum::<u8>())).sum()
}

/// Whether two packed boards differ in fewer than `least` cells. What comes after as many as that
/// is not looked at: boards that are far apart cost little.
#[inline]
pub fn is_near(a: &[u8], b: &[u8], least: u32) -> bool {
    const CELLS: usize = 32;
    let (a, rest_of_a) = a.as_chunks::<CELLS>();
    let (b, rest_of_b) = b.as_chunks::<CELLS>();
    let mut cells = 0;
    for (a, b) in a.iter().zip(b) {
        cells += u32::from(a.iter().zip(b).map(|(a, b)| u8::from(a != b)).sum::<u8>());
        if cells >= least {
            return false;
        }
    }
    cells + distance(rest_of_a, rest_of_b) < least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn the_hash_has_its_known_answers() {
        // MurmurHash3 (x86, 32 bits) of nothing and of four zero bytes, seed 0.
        assert_eq!(hash(&[]), 0);
        assert_eq!(hash(&[0]), 0x2362_F9DE);
    }

    #[test]
    fn a_register_keeps_the_largest_place_of_a_first_bit() {
        let mut registers = vec![0; REGISTERS];
        // Twenty bits without a one, and one at the first place.
        note(&mut registers, 0);
        note(&mut registers, 0xFFF8_0000);
        assert_eq!((registers[0], registers[0xFFF]), (21, 1));
        note(&mut registers, 0x0008_0000);
        note(&mut registers, 0xFFF0_0001);
        assert_eq!((registers[0], registers[0xFFF]), (21, 20));
    }

    #[test]
    fn few_and_many_are_corrected() {
        // Formulas of the paper, evaluated elsewhere: as many hashes as registers hold most of the time, so few
        // that half of the registers are empty, and so many that hashes of 32 bits repeat.
        let of = |halves: [u8; 2]| {
            let mut registers = vec![halves[0]; REGISTERS];
            registers[REGISTERS / 2..].fill(halves[1]);
            estimate(&registers)
        };
        assert_eq!(of([0, 0]), 0);
        assert_eq!(of([0, 1]), 2_839);
        assert_eq!(of([1, 1]), 5_907);
        assert_eq!(of([5, 5]), 94_517);
        assert_eq!(of([16, 16]), 198_069_236);
        assert_eq!(of([18, 18]), 853_794_069);
    }

    #[test]
    fn estimates_are_near_and_ignore_repeats() {
        let geometry = Geometry::new(2, 2).unwrap();
        for count in [1u32, 100, 5_000, 200_000] {
            let mut population = Population::new(geometry, 2 * count as usize).unwrap();
            for (slot, board) in population.bytes_mut().chunks_exact_mut(16).enumerate() {
                board[..4].copy_from_slice(&(slot as u32 % count).to_le_bytes());
            }
            let distinct = estimate(&registers(&population));
            let (estimate, count) = (distinct as f64, f64::from(count));
            assert!((estimate - count).abs() <= 0.05 * count, "{estimate} for {count}");
        }
    }

    #[test]
    fn near_is_a_distance_below_the_least() {
        let a = vec![1u8; 84];
        for differing in [0, 1, 31, 32, 33, 64, 84] {
            let mut b = a.clone();
            b[84 - differing..].fill(2);
            for least in 0..90 {
                assert_eq!(is_near(&a, &b, least), (differing as u32) < least);
            }
        }
    }

    #[test]
    fn every_cell_counts_once() {
        let a = vec![1u8; 4_096];
        let mut b = a.clone();
        assert_eq!(distance(&a, &b), 0);
        b[4_095] = 2;
        b[0] = 255;
        assert_eq!(distance(&a, &b), 2);
        assert_eq!(distance(&a, &vec![0; 4_096]), 4_096);
    }
}
