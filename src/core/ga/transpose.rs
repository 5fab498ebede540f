//! Boards side by side, cell by cell: lane `k` of a cell belongs to board `k`.
//!
//! An operator changes a whole vector of boards by as many instructions as one board. Boards become lanes
//! by a transposition of bytes, a square of sixteen cells of sixteen boards at a time: interleaving the first half of
//! its rows with the second moves the top bit of a row's number to the bottom of a column's, so that after four
//! rounds the two have changed places (the perfect shuffle). The same takes lanes back to boards. A row of squares
//! lies in memory as wide as the widest vectors are, whatever width reads it.
//!
//! Cell 3 of boards 0, 1 and 2 holds 7, 1 and 4: cell 3 begins 7 1 4.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, u8x16};

/// Boards that lie side by side: the lanes of the widest vectors.
pub const LANES: usize = 64;
/// A cell of all of them, where a vector lies within a line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct LaneVec(pub [u8; LANES]);
/// Boards that are transposed together, and cells of a square. No board has fewer bytes.
pub const SQUARE: usize = 16;

/// Overwrites some lanes, as many as a square has, of a cell for each byte of some boards.
#[inline(always)]
pub fn load<S: Simd>(simd: S, boards: [&[u8]; SQUARE], cells: &mut [LaneVec], lanes: Range<usize>) {
    let stride = cells.len();
    for first in (0..stride).step_by(SQUARE) {
        // The last square begins before its place rather than end behind the board.
        let first = first.min(stride - SQUARE);
        let mut square = [u8x16::splat(simd, 0); SQUARE];
        for board in 0..SQUARE {
            square[board] = u8x16::from_slice(simd, &boards[board][first..first + SQUARE]);
        }
        let square = transposed(square);
        let cells = &mut cells[first..first + SQUARE];
        for cell in 0..SQUARE {
            square[cell].store_slice(&mut cells[cell].0[lanes.clone()]);
        }
    }
}

/// Overwrites packed boards that lie one after the other, at most as many as a square has, by some lanes.
#[inline(always)]
pub fn store<S: Simd>(simd: S, cells: &[LaneVec], lanes: Range<usize>, boards: &mut [u8]) {
    let stride = cells.len();
    for first in (0..stride).step_by(SQUARE) {
        let first = first.min(stride - SQUARE);
        let cells = &cells[first..first + SQUARE];
        let mut square = [u8x16::splat(simd, 0); SQUARE];
        for cell in 0..SQUARE {
            square[cell] = u8x16::from_slice(simd, &cells[cell].0[lanes.clone()]);
        }
        let square = transposed(square);
        for (lane, board) in boards.chunks_exact_mut(stride).enumerate() {
            square[lane].store_slice(&mut board[first..first + SQUARE]);
        }
    }
}

/// Rows as columns.
#[inline(always)]
fn transposed<S: Simd>(mut square: [u8x16<S>; SQUARE]) -> [u8x16<S>; SQUARE] {
    for _ in 0..SQUARE.ilog2() {
        let halves = square;
        for pair in 0..SQUARE / 2 {
            let (one, other) = (halves[pair], halves[pair + SQUARE / 2]);
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
            let boards: Vec<u8> =
                (0..SQUARE * stride).map(|at| (at * 7 + at / 251) as u8).collect();
            for (first, count) in [(0, 1), (16, 5), (48, SQUARE)] {
                let lanes = first..first + SQUARE;
                let mut back = vec![0; count * stride];
                let mut cells = vec![LaneVec([3; LANES]); stride];
                dispatch!(Level::new(), simd => {
                    let each = std::array::from_fn(|lane| &boards[lane * stride..][..stride]);
                    load(simd, each, &mut cells, lanes.clone());
                    store(simd, &cells, lanes.clone(), &mut back);
                });
                for (cell, held) in cells.iter().enumerate() {
                    for (lane, value) in held.0.iter().enumerate() {
                        let expected = match lane.checked_sub(first) {
                            Some(board) if board < SQUARE => boards[board * stride + cell],
                            _ => 3,
                        };
                        assert_eq!(*value, expected);
                    }
                }
                assert_eq!(back, boards[..count * stride], "{count} of {stride} bytes");
            }
        }
    }
}
