//! The fitness of one board: the reference that every other evaluator has to agree with.
//!
//! The same in WGSL is in `shaders/fitness/direct.wgsl` and `staged.wgsl`. A set of values is a `u64`
//! with value `v` as bit `v - 1`; each cell is added to the sets of its row, column and box, and the
//! sets are counted.
//!
//! ```
//! use evodoku::board::Geometry;
//! use evodoku::fitness::fitness;
//!
//! let geometry = Geometry::new(2, 2)?;
//! // Row 1 holds 1 twice, and so do column 2 and box 1.
//! let board = [1, 1, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
//! assert_eq!(fitness(geometry, &board), 3);
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

use crate::board::{Geometry, MAX_SIDE};

/// `3 n²` less the number of distinct values `1..=n` in each row, column and box.
///
/// `board` holds at least `cells` bytes of any value, in row-major order; bytes after these are ignored.
/// The result is between 0 and [`worst_fitness`](Geometry::worst_fitness).
///
/// # Panics
/// When `board` has fewer than `cells` bytes.
pub fn fitness(geometry: Geometry, board: &[u8]) -> u16 {
    // Common geometries are compiled separately, with constant bounds.
    match (geometry.box_rows(), geometry.box_cols()) {
        (2, 2) => count::<2, 2>(board),
        (2, 3) => count::<2, 3>(board),
        (3, 3) => count::<3, 3>(board),
        (4, 4) => count::<4, 4>(board),
        (5, 5) => count::<5, 5>(board),
        (box_rows, box_cols) => count_any(box_rows, box_cols, board),
    }
}

/// Writes what each unit of a board lacks of distinct values: `n` numbers for the rows, then for the columns, then for
/// the boxes. Their sum is the [`fitness`](fitness()). `board` is as there.
///
/// # Panics
/// When `board` has fewer than `cells` bytes, or there are not `3 n` counts.
pub fn unit_duplicates(geometry: Geometry, board: &[u8], counts: &mut [u8]) {
    let side = geometry.side();
    assert_eq!(counts.len(), 3 * side, "counts of {geometry}");
    let mut sets = [0u64; 3 * MAX_SIDE];
    for (cell, value) in board[..geometry.cells()].iter().enumerate() {
        let bit = value_bit(*value, side);
        sets[geometry.row_of(cell)] |= bit;
        sets[side + geometry.col_of(cell)] |= bit;
        sets[2 * side + geometry.box_of(cell)] |= bit;
    }
    for (count, set) in counts.iter_mut().zip(sets) {
        *count = (side as u32 - set.count_ones()) as u8;
    }
}

fn count<const BOX_ROWS: usize, const BOX_COLS: usize>(board: &[u8]) -> u16 {
    count_any(BOX_ROWS, BOX_COLS, board)
}

#[inline(always)]
fn count_any(box_rows: usize, box_cols: usize, board: &[u8]) -> u16 {
    let side = box_rows * box_cols;
    let mut distinct = 0;
    let mut columns = [0u64; MAX_SIDE];
    for band in board[..side * side].chunks_exact(box_rows * side) {
        let mut boxes = [0u64; MAX_SIDE];
        for cells in band.chunks_exact(side) {
            let mut row = 0;
            for (stack, in_box) in cells.chunks_exact(box_cols).enumerate() {
                let mut part = 0;
                for (k, value) in in_box.iter().enumerate() {
                    let bit = value_bit(*value, side);
                    columns[stack * box_cols + k] |= bit;
                    part |= bit;
                }
                boxes[stack] |= part;
                row |= part;
            }
            distinct += row.count_ones();
        }
        distinct += size_of_all(&boxes[..box_rows]);
    }
    distinct += size_of_all(&columns[..side]);
    (3 * side * side) as u16 - distinct as u16
}

/// The set of `value` alone, or the empty set when it is not in `1..=side`.
#[inline(always)]
fn value_bit(value: u8, side: usize) -> u64 {
    let index = value.wrapping_sub(1);
    u64::from(usize::from(index) < side) << (index & 63)
}

#[inline(always)]
fn size_of_all(sets: &[u64]) -> u32 {
    sets.iter().map(|set| set.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn by_definition(geometry: Geometry, board: &[u8]) -> u16 {
        let values = 1..=geometry.side() as u8;
        let distinct = |unit| -> usize {
            let held: BTreeSet<u8> = geometry.unit_cells(unit).map(|cell| board[cell]).collect();
            held.intersection(&values.clone().collect()).count()
        };
        geometry.worst_fitness() - geometry.units().map(distinct).sum::<usize>() as u16
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition_on_any_bytes(
            (geometry, board) in (2usize..=8, 2usize..=8).prop_flat_map(|(rows, cols)| {
                let geometry = Geometry::new(rows, cols).unwrap();
                let high = prop_oneof![Just(u8::MAX), Just(geometry.side() as u8 + 1)];
                let bytes = high.prop_flat_map(move |high| {
                    proptest::collection::vec(0..=high, geometry.cells())
                });
                (Just(geometry), bytes)
            })
        ) {
            prop_assert_eq!(fitness(geometry, &board), by_definition(geometry, &board));
            let mut counts = vec![0; 3 * geometry.side()];
            unit_duplicates(geometry, &board, &mut counts);
            prop_assert_eq!(counts.iter().map(|count| u16::from(*count)).sum::<u16>(), fitness(geometry, &board));
            for (unit, count) in geometry.units().zip(&counts) {
                let held: BTreeSet<u8> = geometry.unit_cells(unit).map(|cell| board[cell]).collect();
                let values = (1..=geometry.side() as u8).filter(|value| held.contains(value)).count();
                prop_assert_eq!(geometry.side() - values, usize::from(*count), "{}", unit);
            }
        }
    }

    #[test]
    fn a_solved_board_scores_0() {
        let solved =
            b"145327698839654127672918543496185372218473956753296481367542819984761235521839764";
        let board: Vec<u8> = solved.iter().map(|digit| digit - b'0').collect();
        assert_eq!(fitness(Geometry::new(3, 3).unwrap(), &board), 0);
    }
}
