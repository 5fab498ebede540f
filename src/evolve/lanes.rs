//! Sixteen boards side by side, cell by cell: lane `k` of a cell's vector belongs to board `k`.
//!
//! What an operator does to one board it does to sixteen by as many instructions. Boards become lanes by a
//! transposition of bytes, a square of sixteen cells of sixteen boards at a time: interleaving the first half of
//! its rows with the second moves the top bit of a row's number to the bottom of a column's, so that after four
//! rounds the two have changed places (the perfect shuffle). The same takes lanes back to boards.
//!
//! Cell 3 of boards 0, 1 and 2 holds 7, 1 and 4: the vector of cell 3 begins 7 1 4.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u8x16};

/// Boards that lie side by side, and cells of a square. No board has fewer bytes.
pub const LANES: usize = 16;

/// Writes a vector for each byte of some boards, which are as many bytes each as there are vectors.
#[inline(always)]
pub fn load<S: Simd>(simd: S, boards: [&[u8]; LANES], cells: &mut [u8x16<S>]) {
    let stride = cells.len();
    for first in (0..stride).step_by(LANES) {
        // The last square begins before its place rather than end behind the board.
        let first = first.min(stride - LANES);
        let mut square = [u8x16::splat(simd, 0); LANES];
        for lane in 0..LANES {
            square[lane] = u8x16::from_slice(simd, &boards[lane][first..first + LANES]);
        }
        cells[first..first + LANES].copy_from_slice(&transposed(square));
    }
}

/// Overwrites packed boards that lie one after the other, at most as many as there are lanes.
#[inline(always)]
pub fn store<S: Simd>(simd: S, cells: &[u8x16<S>], boards: &mut [u8]) {
    let stride = cells.len();
    for first in (0..stride).step_by(LANES) {
        let first = first.min(stride - LANES);
        let mut square = [u8x16::splat(simd, 0); LANES];
        square.copy_from_slice(&cells[first..first + LANES]);
        let square = transposed(square);
        for (lane, board) in boards.chunks_exact_mut(stride).enumerate() {
            square[lane].store_slice(&mut board[first..first + LANES]);
        }
    }
}

/// Rows as columns.
#[inline(always)]
fn transposed<S: Simd>(mut square: [u8x16<S>; LANES]) -> [u8x16<S>; LANES] {
    for _ in 0..LANES.ilog2() {
        let halves = square;
        for pair in 0..LANES / 2 {
            let (one, other) = (halves[pair], halves[pair + LANES / 2]);
            square[2 * pair] = one.zip_low(other);
            square[2 * pair + 1] = one.zip_high(other);
        }
    }
    square
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    #[test]
    fn cells_of_every_size_become_lanes_and_boards_again() {
        for stride in [16, 20, 36, 84, 100, 256] {
            let boards: Vec<u8> = (0..LANES * stride).map(|at| (at * 7 + at / 251) as u8).collect();
            for count in [1, 5, LANES] {
                let mut back = vec![0; count * stride];
                dispatch!(Level::new(), simd => {
                    let mut cells = vec![u8x16::splat(simd, 0); stride];
                    let each = std::array::from_fn(|lane| &boards[lane * stride..][..stride]);
                    load(simd, each, &mut cells);
                    for (cell, vector) in cells.iter().enumerate() {
                        for lane in 0..LANES {
                            assert_eq!(vector.as_slice()[lane], boards[lane * stride + cell]);
                        }
                    }
                    store(simd, &cells, &mut back);
                });
                assert_eq!(back, boards[..count * stride], "{count} of {stride} bytes");
            }
        }
    }
}
