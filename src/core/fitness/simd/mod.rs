//! Scoring many boards at once: lane `k` of every vector belongs to board `k`.
//!
//! A *tile* is as many boards as a vector has bytes. It is scored in three steps:
//! 1. [`transpose()`]: cells of the packed boards become vectors, one for each cell;
//! 2. [`add_sets`]: as in the [scalar reference](super::fitness()), each cell is added to the sets of its
//!    row, column and box, for 16 values at a time;
//! 3. [`DistinctCounter`]: the sets are counted.
//!
//! The code is compiled for each level of vector instructions, and for the most common shapes with
//! their sizes as constants. Vectors are kept out of closures and iterator adaptors: those may be
//! compiled without the level's instructions, and calls in the inner loop cost more than all else.

mod bitsets;
mod shuffle;
mod transpose;

use std::cell::RefCell;

use fearless_simd::prelude::*;

use self::bitsets::{DistinctCounter, GROUP, MAX_LANES, PLANE, add_sets};
use self::shuffle::SimdShuffle;
use self::transpose::{Shape, transpose};
use crate::board::{Geometry, MAX_SIDE};
use crate::util::prefetch::Prefetcher;

/// Bytes between the tile that is scored and the one that is prefetched.
const AHEAD: usize = 16 << 10;

thread_local! {
    /// A tile for boards that do not fill one, without gaps. The lanes after them hold old boards, whose scores are
    /// dropped.
    static REST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Scores the first `scores.len()` boards of `boards`, which are `pitch` bytes apart. The boards after them are prefetched,
/// since they are scored next.
pub(super) fn score<S: SimdShuffle>(
    simd: S,
    geometry: Geometry,
    boards: &[u8],
    pitch: usize,
    scores: &mut [u16],
) {
    let lanes = S::u8s::LEN;
    if scores.len() >= lanes {
        return score_tiles(simd, geometry, boards, pitch, scores);
    }
    if scores.is_empty() {
        return;
    }
    let cells = geometry.cells();
    REST.with_borrow_mut(|tile| {
        tile.resize(tile.len().max(lanes * cells), 0);
        for (to, from) in tile.chunks_exact_mut(cells).zip(boards.chunks(pitch).take(scores.len()))
        {
            to.copy_from_slice(&from[..cells]);
        }
        let mut all = [0; MAX_LANES];
        score_tiles(simd, geometry, &tile[..lanes * cells], cells, &mut all[..lanes]);
        scores.copy_from_slice(&all[..scores.len()]);
    });
}

/// Scores boards that fill at least one tile.
fn score_tiles<S: SimdShuffle>(
    simd: S,
    geometry: Geometry,
    boards: &[u8],
    pitch: usize,
    scores: &mut [u16],
) {
    match (geometry.box_rows(), geometry.box_cols()) {
        (3, 3) if pitch == 84 => score_known::<S, 3, 3, 81, 84>(simd, boards, scores),
        (3, 3) if pitch == 81 => score_known::<S, 3, 3, 81, 81>(simd, boards, scores),
        (4, 4) if pitch == 256 => score_known::<S, 4, 4, 256, 256>(simd, boards, scores),
        (5, 5) if pitch == 628 => score_known::<S, 5, 5, 625, 628>(simd, boards, scores),
        (5, 5) if pitch == 625 => score_known::<S, 5, 5, 625, 625>(simd, boards, scores),
        (box_rows, box_cols) => simd.vectorize(
            #[inline(always)]
            || {
                let shape = Shape { box_rows, box_cols, pitch };
                let mut cells = vec![S::u8s::splat(simd, 0); shape.cells()];
                score_any(simd, shape, boards, &mut cells, scores);
            },
        ),
    }
}

/// Common shapes, packed or without gaps: with a pitch that is known when this is compiled no load is checked.
fn score_known<
    S: SimdShuffle,
    const BOX_ROWS: usize,
    const BOX_COLS: usize,
    const CELLS: usize,
    const PITCH: usize,
>(
    simd: S,
    boards: &[u8],
    scores: &mut [u16],
) {
    simd.vectorize(
        // A captured shape would not be a constant, so it is made inside the closure.
        #[inline(always)]
        || {
            let shape = Shape { box_rows: BOX_ROWS, box_cols: BOX_COLS, pitch: PITCH };
            // On the stack: for a small population an allocation costs more.
            let mut cells = [S::u8s::splat(simd, 0); CELLS];
            score_any(simd, shape, boards, &mut cells, scores);
        },
    );
}

/// Scores tile by tile. `cells` holds the vectors of a tile. Later tiles are prefetched meanwhile, so that
/// reading and computing overlap.
#[inline(always)]
fn score_any<S: SimdShuffle>(
    simd: S,
    shape: Shape,
    boards: &[u8],
    cells: &mut [S::u8s],
    scores: &mut [u16],
) {
    let zero = S::u8s::splat(simd, 0);
    let mut rows = [[zero; 2]; MAX_SIDE];
    let bytes = S::u8s::LEN * shape.pitch;
    for first in (0..scores.len()).step_by(S::u8s::LEN) {
        // The last tile begins early, so that it ends with the boards: some are scored twice.
        let first = first.min(scores.len() - S::u8s::LEN);
        let tile = &boards[first * shape.pitch..];
        let after = tile.get(bytes..).unwrap_or_default();
        let far = after.get(AHEAD..).unwrap_or_default();
        let mut ahead = Prefetcher::new(&far[..far.len().min(bytes)]);
        transpose(simd, shape, tile, &mut ahead, cells);
        let mut distinct = DistinctCounter::new(simd, shape.side());
        for first in (0..shape.side()).step_by(GROUP) {
            let (rows, ahead) = (&mut rows[..shape.side()], &mut ahead);
            if shape.side() - first > PLANE {
                add_sets::<S, 2>(simd, shape, first, cells, rows, &mut distinct, ahead);
            } else {
                add_sets::<S, 1>(simd, shape, first, cells, rows, &mut distinct, ahead);
            }
        }
        let scores = &mut scores[first..first + S::u8s::LEN];
        distinct.finish((3 * shape.cells()) as u16, scores);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MIN_SIDE;
    use crate::fitness::{SimdLevel, fitness};
    use crate::random::{GenerationRng, StreamStage};

    /// Whole tiles of every level, one board more and less, and a few.
    const COUNTS: [usize; 10] = [1, 2, 15, 16, 17, 31, 33, 63, 65, 2 * MAX_LANES + 37];

    #[test]
    fn every_level_agrees_with_the_reference_on_any_bytes_of_any_shape() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let stride = geometry.stride();
            let mut draws =
                GenerationRng::new(geometry.cells() as u64, 0).draws(StreamStage::Initialise, 0);
            let most = COUNTS[COUNTS.len() - 1];
            let boards: Vec<u8> = (0..most * stride)
                .map(|at| {
                    let word = draws.word();
                    let any = word as u8;
                    // Half of the boards are mostly legal.
                    let legal = (word >> 8) % (geometry.side() as u32 + 2);
                    if at / stride % 2 == 0 { any } else { legal as u8 }
                })
                .collect();
            let expected: Vec<u16> =
                boards.chunks_exact(stride).map(|board| fitness(geometry, board)).collect();
            for level in SimdLevel::available() {
                for count in COUNTS {
                    let mut scores = vec![0; count];
                    level.score(geometry, &boards[..count * stride], &mut scores);
                    assert_eq!(scores, expected[..count], "{count} of {geometry}, {level}");
                }
                // Other pitches, without what would be after the last board.
                let cells = geometry.cells();
                for pitch in [cells, cells + 1, stride + 5] {
                    for count in COUNTS {
                        let mut rows = vec![u8::MAX; count * pitch];
                        for (row, board) in rows.chunks_mut(pitch).zip(boards.chunks(stride)) {
                            row[..cells].copy_from_slice(&board[..cells]);
                        }
                        rows.truncate((count - 1) * pitch + cells);
                        let mut scores = vec![0; count];
                        level.score_rows(geometry, &rows, pitch, &mut scores);
                        assert_eq!(scores, expected[..count], "{count} of {geometry}, {pitch}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_byte_value_is_a_value_or_none_at_every_level() {
        for side in [9, 15, 16, 25, 33, 64] {
            for geometry in Geometry::of_side(side) {
                let stride = geometry.stride();
                let mut boards = vec![0; 256 * stride];
                for (byte, board) in (0..=u8::MAX).zip(boards.chunks_exact_mut(stride)) {
                    board[geometry.cells() - 1] = byte;
                }
                let values = 1..=side as u8;
                let expected: Vec<u16> = (0..=u8::MAX)
                    .map(|byte| geometry.worst_fitness() - 3 * u16::from(values.contains(&byte)))
                    .collect();
                for level in SimdLevel::available() {
                    let mut scores = vec![0; 256];
                    level.score(geometry, &boards, &mut scores);
                    assert_eq!(scores, expected, "{geometry}, {level}");
                }
            }
        }
    }
}
