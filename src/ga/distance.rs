//! The Hamming distance of two boards: the number of cells in which they differ.
//!
//! Sudoku's values have their meaning, so that no relabelling is looked for. Givens and padding
//! are equal in all boards of a run and add nothing.

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
