//! From packed boards to a vector for each cell: a transposition of bytes.
//!
//! Sixteen cells of sixteen boards are a square of bytes. Interleaving its first half of rows with
//! the second moves the top bit of a row's number to the bottom of a column's; after four rounds
//! the two have changed places (the perfect shuffle). Wide vectors hold several such squares.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;

use super::{BLOCK, Shape, SimdShuffle, TRANSPOSED};
use crate::util::prefetch::Prefetcher;

/// Writes the cells of the boards of a tile, and asks for a share of what is `ahead` on the way: so
/// many boards at once are no pattern that a processor foresees.
#[inline(always)]
pub fn transpose<S: SimdShuffle>(
    simd: S,
    shape: Shape,
    tile: &[u8],
    ahead: &mut Prefetcher<'_>,
    cells: &mut [S::u8s],
) {
    // Slices of known size need no check in the loop.
    let stride = shape.stride();
    let tile = &tile[..S::u8s::LEN * stride];
    let cells = &mut cells[..shape.cells()];
    let whole = shape.cells() / BLOCK * BLOCK;
    let share = (shape.lines::<S>() / TRANSPOSED).div_ceil(shape.cells().div_ceil(BLOCK));
    for first in (0..whole).step_by(BLOCK) {
        ahead.ask(share);
        block(simd, tile, stride, first, 0, &mut cells[first..first + BLOCK]);
    }
    if whole < shape.cells() {
        ahead.ask(share);
        // The last block begins before its place rather than end behind the board.
        let from = stride - BLOCK;
        block(simd, tile, stride, from, whole - from, &mut cells[whole..]);
    }
}

/// Of the `BLOCK` bytes from `from` on of every board, skips some and writes the rest.
#[inline(always)]
fn block<S: SimdShuffle>(
    simd: S,
    tile: &[u8],
    stride: usize,
    from: usize,
    skip: usize,
    cells: &mut [S::u8s],
) {
    let mut rows = [S::u8s::splat(simd, 0); BLOCK];
    for board in 0..BLOCK {
        rows[board] = simd.gather(&tile[board * stride + from..], BLOCK * stride);
    }
    for _ in 0..BLOCK.ilog2() {
        let halves = rows;
        for pair in 0..BLOCK / 2 {
            let (low, high) = simd.interleave(halves[pair], halves[pair + BLOCK / 2]);
            rows[2 * pair] = low;
            rows[2 * pair + 1] = high;
        }
    }
    for cell in 0..BLOCK {
        if (skip..skip + cells.len()).contains(&cell) {
            cells[cell - skip] = rows[cell];
        }
    }
}
