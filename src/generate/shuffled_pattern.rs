//! Complete boards without duplicates, drawn at random.
//!
//! The pattern `value = (row * box_cols + row / box_rows + col) mod n + 1` solves the blank board
//! of any shape. Values, bands, the rows of each band, stacks and the columns of each stack are
//! then shuffled; none of these makes a duplicate. Only a small part of all complete boards can
//! result.
//!
//! ```
//! use evodoku::board::Geometry;
//! use evodoku::complete_board;
//! use evodoku::fitness::fitness;
//! use evodoku::random::{GenerationRng, StreamStage};
//!
//! let geometry = Geometry::new(3, 4)?;
//! let mut board = vec![0; geometry.stride()];
//! let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
//! complete_board(geometry, &mut board, &mut draws);
//! assert_eq!(fitness(geometry, &board), 0);
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

use crate::board::{Geometry, MAX_SIDE};
use crate::random::Draws;

/// Overwrites `board` (at least `cells` bytes) with a random complete one.
pub fn complete_board(geometry: Geometry, board: &mut [u8], draws: &mut Draws) {
    let side = geometry.side();
    let rows = shuffled_lines(geometry.bands(), geometry.box_rows(), draws);
    let cols = shuffled_lines(geometry.stacks(), geometry.box_cols(), draws);
    let mut values: [u8; MAX_SIDE] = std::array::from_fn(|value| value as u8 + 1);
    draws.shuffle(&mut values[..side]);
    for (cell, value) in board[..geometry.cells()].iter_mut().enumerate() {
        let row = usize::from(rows[geometry.row_of(cell)]);
        let col = usize::from(cols[geometry.col_of(cell)]);
        let shift = row * geometry.box_cols() + row / geometry.box_rows();
        *value = values[(shift + col) % side];
    }
}

/// The numbers of all lines, shuffled within groups (bands or stacks) of `len` lines and group by group.
fn shuffled_lines(groups: usize, len: usize, draws: &mut Draws) -> [u8; MAX_SIDE] {
    let mut order: [u8; MAX_SIDE] = std::array::from_fn(|group| group as u8);
    draws.shuffle(&mut order[..groups]);
    let mut lines = [0; MAX_SIDE];
    for (place, lines) in lines[..groups * len].chunks_exact_mut(len).enumerate() {
        for (k, line) in lines.iter_mut().enumerate() {
            *line = order[place] * len as u8 + k as u8;
        }
        draws.shuffle(lines);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MIN_SIDE;
    use crate::fitness::fitness;
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn boards_of_every_shape_are_complete_and_differ() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let mut boards = [vec![0; geometry.cells()], vec![0; geometry.cells()]];
            for (slot, board) in boards.iter_mut().enumerate() {
                let mut draws =
                    GenerationRng::new(1, 0).draws(StreamStage::Initialise, slot as u32);
                complete_board(geometry, board, &mut draws);
                assert_eq!(fitness(geometry, board), 0, "{geometry}");
            }
            assert_ne!(boards[0], boards[1], "{geometry}");
        }
    }
}
