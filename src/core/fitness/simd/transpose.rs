//! From packed boards to a vector for each cell: a transposition of bytes.
//!
//! Sixteen cells of sixteen boards are a square of bytes: a row holds the cells of a board, and is to hold
//! one cell of all boards. A round interleaves each row of the upper half with the row as far down in the
//! lower half: the first halves of the two rows make one row, the second halves the next. Four rounds
//! transpose 16 rows. With 4 rows, for boards a to d and their cells 0 to 3, two rounds do:
//!
//! ```text
//!            before               round 1                         round 2
//! row 0   a0 a1 a2 a3   0, 2 ->  a0 c0 a1 c1   low    0, 2 ->  a0 b0 c0 d0   low
//! row 1   b0 b1 b2 b3            a2 c2 a3 c3   high            a1 b1 c1 d1   high
//! row 2   c0 c1 c2 c3   1, 3 ->  b0 d0 b1 d1   low    1, 3 ->  a2 b2 c2 d2   low
//! row 3   d0 d1 d2 d3            b2 d2 b3 d3   high            a3 b3 c3 d3   high
//! ```
//!
//! The reason is in the numbers of row and column, written as the bits `r3 r2 r1 r0` and `c3 c2 c1 c0`: a
//! round moves that byte to row `r2 r1 r0 c3` and column `c2 c1 c0 r3`, so all eight bits rotate by one
//! place, and after four rounds row and column have changed places (the perfect shuffle). Wide vectors hold
//! one such square in each block of 16 bytes: block `k` has the boards from `16 k` on.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;

use super::shuffle::{BLOCK, SimdShuffle};
use crate::util::prefetch::{LINE, Prefetcher};

/// The transposition prefetches one line in this many, the counting of sets the others. This is how the time
/// is divided between the two, so that memory is busy all along with few requests at a time.
pub const TRANSPOSED: usize = 3;

/// Sizes, passed by value so that those known when compiling stay known.
#[derive(Clone, Copy)]
pub struct Shape {
    pub box_rows: usize,
    pub box_cols: usize,
    /// Bytes from one board to the next.
    pub pitch: usize,
}

impl Shape {
    #[inline(always)]
    pub fn side(self) -> usize {
        self.box_rows * self.box_cols
    }

    #[inline(always)]
    pub fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// Cache lines of a tile.
    #[inline(always)]
    pub fn lines<S: Simd>(self) -> usize {
        (S::u8s::LEN * self.pitch).div_ceil(LINE)
    }
}

/// Writes the cells of the boards of a tile to `cells`, one vector a cell, and prefetches a share of the lines
/// `ahead`: the processor's own prefetcher does not follow so many boards at once.
#[inline(always)]
pub fn transpose<S: SimdShuffle>(
    simd: S,
    shape: Shape,
    tile: &[u8],
    ahead: &mut Prefetcher<'_>,
    cells: &mut [S::u8s],
) {
    // Slices of known size need no check in the loop. Nothing may follow the last board.
    let pitch = shape.pitch;
    let tile = &tile[..(S::u8s::LEN - 1) * pitch + shape.cells()];
    let cells = &mut cells[..shape.cells()];
    let whole = shape.cells() / BLOCK * BLOCK;
    let share = (shape.lines::<S>() / TRANSPOSED).div_ceil(shape.cells().div_ceil(BLOCK));
    for first in (0..whole).step_by(BLOCK) {
        ahead.ask(share);
        block(simd, tile, pitch, first, 0, &mut cells[first..first + BLOCK]);
    }
    if whole < shape.cells() {
        ahead.ask(share);
        // The last block begins early, so that it ends with the board and not after it.
        let from = shape.cells() - BLOCK;
        block(simd, tile, pitch, from, whole - from, &mut cells[whole..]);
    }
}

/// Transposes the `BLOCK` bytes from `from` on of every board, and writes those after the first `skip`.
#[inline(always)]
fn block<S: SimdShuffle>(
    simd: S,
    tile: &[u8],
    pitch: usize,
    from: usize,
    skip: usize,
    cells: &mut [S::u8s],
) {
    let mut rows = [S::u8s::splat(simd, 0); BLOCK];
    for board in 0..BLOCK {
        rows[board] = simd.gather(&tile[board * pitch + from..], BLOCK * pitch);
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
