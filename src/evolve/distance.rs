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

#[cfg(test)]
mod tests {
    use super::*;

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
