//! The sets of all rows, columns and boxes of a tile, for a *group* of 16 values at a time.
//!
//! A set takes two bytes, its *planes*: of the group's values, the `k`-th is bit `k % 8` of plane
//! `k / 8`. A lookup of 16 entries for each plane turns a cell into its bit, and into nothing when
//! its value is of another group or none: such indices are pushed to where lookups find 0.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::u8x16;

use super::{DistinctCounter, Shape, SimdShuffle, TRANSPOSED};
use crate::board::MAX_SIDE;
use crate::util::prefetch::Prefetcher;

/// Values in a group.
pub const GROUP: usize = 16;
/// Values in a plane.
pub const PLANE: usize = 8;

/// How cells become bits.
#[derive(Clone, Copy)]
struct BitLookup<S: SimdShuffle, const PLANES: usize> {
    /// Taken from a cell, unless nothing has to be.
    before: Option<S::u8s>,
    /// Added, saturating.
    beyond: S::u8s,
    bits: [S::u8s; PLANES],
}

impl<S: SimdShuffle, const PLANES: usize> BitLookup<S, PLANES> {
    /// Values `first + 1` to `first + GROUP`, as far as the side goes.
    #[inline(always)]
    fn new(simd: S, side: usize, first: usize) -> Self {
        // Where blanks have an entry to spare, one instruction does: the side becomes the last
        // index that finds anything, and the entries turn with it.
        let turned = side < GROUP;
        let turn = if turned { GROUP - side } else { 0 };
        let mut bits = [[0; GROUP]; PLANES];
        for k in 0..GROUP.min(side - first) {
            bits[k / PLANE][(k + turn) % GROUP] = 1 << (k % PLANE);
        }
        let beyond = if turned { S::BEYOND + (turn - 1) as u8 } else { S::BEYOND };
        let mut planes = [S::u8s::splat(simd, 0); PLANES];
        for p in 0..PLANES {
            planes[p] = S::u8s::block_splat(u8x16::simd_from(simd, bits[p]));
        }
        Self {
            before: (!turned).then(|| S::u8s::splat(simd, first as u8 + 1)),
            beyond: S::u8s::splat(simd, beyond),
            bits: planes,
        }
    }

    #[inline(always)]
    fn index(&self, cell: S::u8s) -> S::u8s {
        match self.before {
            Some(before) => (cell - before).saturating_add(self.beyond),
            None => cell.saturating_add(self.beyond),
        }
    }
}

/// Counts the values of a group in all units of the tile.
///
/// Stack by stack, so that the sets of the columns stay in registers. At each box some of what is
/// `ahead` is asked for.
#[inline(always)]
pub fn add_sets<S: SimdShuffle, const PLANES: usize>(
    simd: S,
    shape: Shape,
    first: usize,
    cells: &[S::u8s],
    rows: &mut [[S::u8s; 2]],
    distinct: &mut DistinctCounter<S>,
    ahead: &mut Prefetcher<'_>,
) {
    let (Shape { box_rows, box_cols }, side) = (shape, shape.side());
    let lookup = BitLookup::<S, PLANES>::new(simd, side, first);
    let boxes = side.div_ceil(GROUP) * side;
    let share = (shape.lines::<S>() - shape.lines::<S>() / TRANSPOSED).div_ceil(boxes);
    // A plane of one value is its own count.
    let single = side - first == PLANE + 1;
    let zero = [S::u8s::splat(simd, 0); PLANES];
    for row in &mut *rows {
        *row = [S::u8s::splat(simd, 0); 2];
    }
    for stack in 0..box_rows {
        let mut columns = [zero; MAX_SIDE / 2];
        let mut rows = &mut *rows;
        for band in cells[..side * side].chunks_exact(box_rows * side) {
            let (these, below) = rows.split_at_mut(box_rows);
            rows = below;
            ahead.ask(share);
            let mut in_box = zero;
            for r in 0..box_rows {
                let cells = &band[r * side + stack * box_cols..][..box_cols];
                let mut part = zero;
                for c in 0..box_cols {
                    let index = lookup.index(cells[c]);
                    for p in 0..PLANES {
                        let bit = lookup.bits[p].swizzle_dyn_within_blocks(index);
                        part[p] |= bit;
                        columns[c][p] |= bit;
                    }
                }
                for p in 0..PLANES {
                    these[r][p] |= part[p];
                    in_box[p] |= part[p];
                }
            }
            distinct.add(&in_box, single);
        }
        for c in 0..box_cols {
            distinct.add(&columns[c], single);
        }
    }
    for row in rows {
        distinct.add(&row[..PLANES], single);
    }
}
