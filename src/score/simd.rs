//! Scoring many boards side by side: lane `k` of every vector belongs to board `k`.
//!
//! As many boards as a vector has bytes are scored together. Sixteen cells at a time are brought
//! from the packed boards into vectors (a transposition of 16 x 16 bytes by four rounds of
//! interleaving). A set of values takes a byte for each eight of them, its *planes*: value `v` is
//! bit `(v - 1) % 8` of plane `(v - 1) / 8`. As in the [scalar truth](super::fitness), each cell is
//! added to the sets of its row, column and box, and the sets are counted.
//!
//! The code is compiled for each level of vector instructions, and the level is chosen when the
//! program runs. Vectors are kept out of closures: those are compiled without the level's
//! instructions, and calls in the inner loop cost more than all else.

// Index loops keep vectors out of closures and iterator adaptors.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

use super::fitness;
use crate::board::{Geometry, MAX_SIDE};

/// Cells that are transposed together.
const BLOCK: usize = 16;
/// Lanes of the widest vectors.
const MAX_LANES: usize = 64;
/// Values in a plane.
const PLANE: usize = 8;

/// Writes the fitness of `scores.len()` packed boards, which lie side by side in `boards`.
pub(super) fn score(level: Level, geometry: Geometry, boards: &[u8], scores: &mut [u16]) {
    dispatch!(level, simd => match geometry.side().div_ceil(PLANE) {
        1 => score_tiles::<_, 1>(simd, geometry, boards, scores),
        2 => score_tiles::<_, 2>(simd, geometry, boards, scores),
        3 | 4 => score_tiles::<_, 4>(simd, geometry, boards, scores),
        _ => score_tiles::<_, 8>(simd, geometry, boards, scores),
    });
}

#[inline(always)]
fn score_tiles<S: Simd, const PLANES: usize>(
    simd: S,
    geometry: Geometry,
    boards: &[u8],
    scores: &mut [u16],
) {
    let (stride, lanes) = (geometry.stride(), S::u8s::LEN);
    let mut sets = Sets::<S, PLANES> {
        columns: [[S::u8s::splat(simd, 0); PLANES]; MAX_SIDE],
        boxes: [[S::u8s::splat(simd, 0); PLANES]; MAX_SIDE],
    };
    let mut cells = vec![0; geometry.stride() * lanes];
    let mut tiles = scores.chunks_exact_mut(lanes);
    let mut rest = boards;
    for scores in &mut tiles {
        let (tile, after) = rest.split_at(lanes * stride);
        // All cells first: what was just stored in halves cannot be loaded whole without a wait.
        for first in (0..geometry.cells()).step_by(BLOCK) {
            // The last block of a board begins before its place rather than end behind the board.
            transpose::<S>(simd, tile, stride, first.min(stride - BLOCK), &mut cells);
        }
        score_tile(simd, geometry, &cells, &mut sets, scores);
        rest = after;
    }
    for (score, board) in tiles.into_remainder().iter_mut().zip(rest.chunks_exact(stride)) {
        *score = fitness(geometry, board);
    }
}

/// The sets of all columns, and of the boxes of a band. Those of a row fit registers.
struct Sets<S: Simd, const PLANES: usize> {
    columns: [[S::u8s; PLANES]; MAX_SIDE],
    boxes: [[S::u8s; PLANES]; MAX_SIDE],
}

#[inline(always)]
fn score_tile<S: Simd, const PLANES: usize>(
    simd: S,
    geometry: Geometry,
    cells: &[u8],
    sets: &mut Sets<S, PLANES>,
    scores: &mut [u16],
) {
    let zero = S::u8s::splat(simd, 0);
    let columns = &mut sets.columns[..geometry.side()];
    let boxes = &mut sets.boxes[..geometry.stacks()];
    for column in &mut *columns {
        *column = [zero; PLANES];
    }
    // At index `i`: the bit of value `i + 1` in its plane.
    let bits = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let bits = S::u8s::block_splat(u8x16::simd_from(simd, bits));
    let mut cells = cells.chunks_exact(S::u8s::LEN);
    let mut distinct = Distinct::<S, PLANES>::new(simd, geometry.side());
    for _ in 0..geometry.bands() {
        for set in &mut *boxes {
            *set = [zero; PLANES];
        }
        for _ in 0..geometry.box_rows() {
            let mut row = [zero; PLANES];
            let mut c = 0;
            for in_box in &mut *boxes {
                let mut segment = [zero; PLANES];
                for _ in 0..geometry.box_cols() {
                    let Some(cell) = cells.next() else { break };
                    let index = S::u8s::from_slice(simd, cell) - S::u8s::splat(simd, 1);
                    // The plane of what is no value has no bit that counts, or does not exist.
                    let bit = bits.swizzle_dyn_within_blocks(index & S::u8s::splat(simd, 15));
                    let plane = index >> 3;
                    let column = &mut columns[c];
                    for p in 0..PLANES {
                        let here = plane.simd_eq(S::u8s::splat(simd, p as u8));
                        let part = here.select(bit, zero);
                        segment[p] |= part;
                        column[p] |= part;
                    }
                    c += 1;
                }
                for p in 0..PLANES {
                    row[p] |= segment[p];
                    in_box[p] |= segment[p];
                }
            }
            distinct.add(&row);
        }
        for set in &*boxes {
            distinct.add(set);
        }
    }
    for column in &*columns {
        distinct.add(column);
    }
    distinct.finish(geometry.worst_fitness(), scores);
}

/// Writes `BLOCK` cells from `from` on of every board of the tile, a vector for each cell.
#[inline(always)]
fn transpose<S: Simd>(simd: S, tile: &[u8], stride: usize, from: usize, cells: &mut [u8]) {
    let lanes = S::u8s::LEN;
    for group in (0..lanes).step_by(BLOCK) {
        let mut rows = [u8x16::splat(simd, 0); BLOCK];
        for board in 0..BLOCK {
            let cells = &tile[(group + board) * stride + from..][..BLOCK];
            rows[board] = u8x16::from_slice(simd, cells);
        }
        // Interleaving the first half with the second moves the top bit of a row's number to the
        // bottom of a column's; four rounds exchange the two.
        for _ in 0..BLOCK.ilog2() {
            let halves = rows;
            for pair in 0..BLOCK / 2 {
                let (a, b) = (halves[pair], halves[pair + BLOCK / 2]);
                rows[2 * pair] = a.zip_low(b);
                rows[2 * pair + 1] = a.zip_high(b);
            }
        }
        for cell in 0..BLOCK {
            rows[cell].store_slice(&mut cells[(from + cell) * lanes + group..][..BLOCK]);
        }
    }
}

/// Distinct values of every board so far.
struct Distinct<S: Simd, const PLANES: usize> {
    simd: S,
    /// Bits of each plane that are values.
    valid: [S::u8s; PLANES],
    /// Units that fit the bytes of `few` before they have to be added to `total`.
    capacity: usize,
    units: usize,
    few: S::u8s,
    total: [u16; MAX_LANES],
}

impl<S: Simd, const PLANES: usize> Distinct<S, PLANES> {
    #[inline(always)]
    fn new(simd: S, side: usize) -> Self {
        let all = u64::MAX >> (u64::BITS as usize - side);
        let mut valid = [S::u8s::splat(simd, 0); PLANES];
        for p in 0..PLANES {
            valid[p] = S::u8s::splat(simd, (all >> (PLANE * p)) as u8);
        }
        Self {
            simd,
            valid,
            capacity: usize::from(u8::MAX) / side,
            units: 0,
            few: S::u8s::splat(simd, 0),
            total: [0; MAX_LANES],
        }
    }

    #[inline(always)]
    fn add(&mut self, set: &[S::u8s; PLANES]) {
        for p in 0..PLANES {
            self.few += (set[p] & self.valid[p]).count_ones();
        }
        self.units += 1;
        if self.units == self.capacity {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for (total, few) in self.total.iter_mut().zip(self.few.as_slice()) {
            *total += u16::from(*few);
        }
        self.few = S::u8s::splat(self.simd, 0);
        self.units = 0;
    }

    #[inline(always)]
    fn finish(mut self, worst: u16, scores: &mut [u16]) {
        self.flush();
        for (score, total) in scores.iter_mut().zip(self.total) {
            *score = worst - total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MIN_SIDE;
    use crate::random::{Seed, Stage};
    use crate::score::SimdLevel;

    #[test]
    fn every_level_agrees_with_the_truth_on_any_bytes_of_any_shape() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let stride = geometry.stride();
            let mut draws = Seed::new(geometry.cells() as u64, 0).draws(Stage::Initialise, 0);
            let count = MAX_LANES + 37;
            let boards: Vec<u8> = (0..count * stride)
                .map(|at| {
                    let word = draws.word();
                    let any = word as u8;
                    // Half of the boards are mostly legal.
                    let legal = 1 + (word >> 8) % geometry.side() as u32;
                    if at / stride % 2 == 0 { any } else { legal as u8 }
                })
                .collect();
            let expected: Vec<u16> =
                boards.chunks_exact(stride).map(|board| fitness(geometry, board)).collect();
            for level in SimdLevel::available() {
                let mut scores = vec![0; count];
                level.score(geometry, &boards, &mut scores);
                assert_eq!(scores, expected, "{geometry} {level}");
            }
        }
    }
}
