//! The value sets of all rows, columns and boxes of a tile, for a *group* of 16 values at a time, and their
//! sizes.
//!
//! A set takes two bytes, its *planes*: the group's value number `k` is bit `k % 8` of plane `k / 8`. A lookup
//! ([`BitLookup`]) with 16 entries for each plane turns a cell into its bit, and into 0 when its value is not
//! in the group.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::u8x16;

use super::shuffle::SimdShuffle;
use super::transpose::{Shape, TRANSPOSED};
use crate::board::MAX_SIDE;
use crate::util::prefetch::Prefetcher;

/// Values in a group.
pub const GROUP: usize = 16;
/// Values in a plane.
pub const PLANE: usize = 8;

/// Looks up the bit of a cell's value, with one instruction for each plane.
///
/// A lookup instruction takes the low four bits of an index to one of 16 entries, and finds 0 where the index
/// is too high: from 128 on with x86's `pshufb`, from 16 on with ARM's `tbl`. So a cell is shifted, such that
/// a value of the group gets an index within the highest 16 that are found (112 to 127 on x86, 0 to 15 on
/// ARM, see [`SimdShuffle::BEYOND`]), and all greater values, by saturation, one that finds 0.
///
/// With side 9 on x86, values 1 to 9 are entries 7 to 15, and `beyond` is 112 + 6 = 118:
///
/// ```text
/// cell   index                entry   plane 0      plane 1
///    0   0 + 118 = 118            6   0            0            a blank: no value uses entries 0 to 6
///    5   5 + 118 = 123           11   0b0001_0000  0            bit 4 of plane 0
///    9   9 + 118 = 127           15   0            0b0000_0001  bit 0 of plane 1
///   10   10 + 118 = 128           -   0            0            above the side
///  255   saturates at 255         -   0            0
/// ```
///
/// From side 16 on, a group may have no entry to spare for blanks, so that values below it have to leave by the
/// upper end too. In the second group of side 25, values 17 to 25, `before` is 17 and `beyond` is 112:
///
/// ```text
///   20   20 - 17 = 3, 115         3   0b0000_1000  0            bit 3 of plane 0
///   16   16 - 17 wraps to 255, saturates at 255    0            of the first group
///    0   0 - 17 wraps to 239, saturates at 255     0
///   26   26 - 17 = 9, 121         9   0            0            above the side: an entry that is 0
/// ```
#[derive(Clone, Copy)]
struct BitLookup<S: SimdShuffle, const PLANES: usize> {
    /// Subtracted from a cell, wrapping; none where the side is below 16.
    before: Option<S::u8s>,
    /// Added then, saturating.
    beyond: S::u8s,
    /// The 16 entries of each plane, repeated in each block of a vector.
    bits: [S::u8s; PLANES],
}

impl<S: SimdShuffle, const PLANES: usize> BitLookup<S, PLANES> {
    /// Values `first + 1` to `first + GROUP`, as far as the side goes.
    #[inline(always)]
    fn new(simd: S, side: usize, first: usize) -> Self {
        // Below side 16 blanks have an entry to spare, and the addition alone is enough: the side gets
        // the last index that finds anything, and the entries are rotated to match.
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

/// Counts the distinct values of a group in all units of the tile.
///
/// It works stack by stack, so that the sets of the columns stay in registers. At each box it prefetches a
/// share of the lines `ahead`.
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
    let (Shape { box_rows, box_cols, .. }, side) = (shape, shape.side());
    let lookup = BitLookup::<S, PLANES>::new(simd, side, first);
    let boxes = side.div_ceil(GROUP) * side;
    let share = (shape.lines::<S>() - shape.lines::<S>() / TRANSPOSED).div_ceil(boxes);
    // A plane with one value only is its own count.
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

/// Lanes of the widest vectors.
pub const MAX_LANES: usize = 64;

/// Number of distinct values of every board so far.
pub struct DistinctCounter<S: SimdShuffle> {
    simd: S,
    /// Whether a byte of `few` can hold the sum over all units of a board.
    ample: bool,
    /// Number of sets that can be added to `few` without overflow.
    capacity: usize,
    sets: usize,
    few: S::u8s,
    total: [u16; MAX_LANES],
}

impl<S: SimdShuffle> DistinctCounter<S> {
    #[inline(always)]
    pub fn new(simd: S, side: usize) -> Self {
        Self {
            simd,
            ample: 3 * side * side <= usize::from(u8::MAX),
            capacity: usize::from(u8::MAX) / side.min(GROUP),
            sets: 0,
            few: S::u8s::splat(simd, 0),
            total: [0; MAX_LANES],
        }
    }

    /// Adds the size of a set; when `single`, its second plane has only bit 0.
    #[inline(always)]
    pub fn add(&mut self, planes: &[S::u8s], single: bool) {
        for p in 0..planes.len() {
            let one = single && p == 1;
            self.few += if one { planes[p] } else { planes[p].count_ones() };
        }
        self.sets += 1;
        if !self.ample && self.sets == self.capacity {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for (total, few) in self.total.iter_mut().zip(self.few.as_slice()) {
            *total += u16::from(*few);
        }
        self.few = S::u8s::splat(self.simd, 0);
        self.sets = 0;
    }

    /// Writes the `worst` fitness less the number of distinct values of each board.
    #[inline(always)]
    pub fn finish(mut self, worst: u16, scores: &mut [u16]) {
        self.flush();
        for (score, total) in scores.iter_mut().zip(self.total) {
            *score = worst - total;
        }
    }
}
