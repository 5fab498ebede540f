//! Boards that a new kernel has to score correctly before it is used.

use crate::board::Geometry;
use crate::random::philox::philox;

/// Boards of random bytes: together with the others more than one workgroup, and not a multiple of one.
const RANDOM_BOARDS: u32 = 192;

/// Packed boards: solved, solved but for one cell, blank, without any value, and random bytes.
pub(super) fn boards(geometry: Geometry) -> Vec<u8> {
    let (stride, cells) = (geometry.stride(), geometry.cells());
    let side = geometry.side() as u8;
    let solved = solved(geometry);
    let mut one_wrong = solved.clone();
    one_wrong[cells - 1] = solved[cells - 1] % side + 1;
    let mut boards = Vec::new();
    for board in [solved, one_wrong, vec![0; cells], vec![side + 1; cells], vec![u8::MAX; cells]] {
        boards.extend_from_slice(&board);
        boards.resize(boards.len() + stride - cells, 0);
    }
    for number in 0..RANDOM_BOARDS {
        let bytes = (0..).flat_map(|block| {
            philox([number, block, 0, 0], [0; 2]).into_iter().flat_map(u32::to_le_bytes)
        });
        // Every second board has few bytes that are no value.
        let high = if number % 2 == 0 { u8::MAX } else { side + 1 };
        boards.extend(
            bytes.take(cells).map(|byte| if byte > high { byte % (side + 2) } else { byte }),
        );
        boards.resize(boards.len() + stride - cells, 0);
    }
    boards
}

/// The solved board whose rows are the first row, shifted.
fn solved(geometry: Geometry) -> Vec<u8> {
    let value = |cell| {
        let (row, col) = (geometry.row_of(cell), geometry.col_of(cell));
        let shifted = row * geometry.box_cols() + row / geometry.box_rows() + col;
        (shifted % geometry.side()) as u8 + 1
    };
    (0..geometry.cells()).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};
    use crate::fitness::fitness;

    #[test]
    fn the_first_board_is_solved_and_the_others_are_not() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let boards = boards(geometry);
            let scores: Vec<u16> =
                boards.chunks_exact(geometry.stride()).map(|b| fitness(geometry, b)).collect();
            assert_eq!(scores[0], 0, "{geometry}");
            assert!(scores[1..].iter().all(|score| *score > 0), "{geometry}");
            assert_eq!(scores[2..5], [geometry.worst_fitness(); 3], "{geometry}");
        }
    }
}
