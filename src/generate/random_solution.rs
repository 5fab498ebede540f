//! Random complete boards, by a random walk among them.
//!
//! The walk starts at a shuffled pattern ([`complete_board`]), for half of the boards of the transposed shape
//! and transposed back, and makes [`STEPS_PER_CELL`] steps for each cell,
//! each an exchange of a cycle of two lines or of two values (`markov_chain.rs`). The same method therefore
//! serves 4x4 and 64x64, whereas filling blanks at random with backtracking works up to 16x16 or so
//! and hardly beyond.
//!
//! The reverse of a step is drawn with the same probability, so in the limit the walk
//! is uniform over all boards that it can reach. On 4x4 and 6x6 it reaches all boards, as the
//! tests show; for larger boards this is not known. The pattern's own structure is gone after few
//! steps: all cycles between rows of a band of its 25x25 board have length 5; on a board after the walk
//! they have all lengths.

use super::markov_chain::MarkovChain;
use crate::board::Geometry;
use crate::generate::complete_board;
use crate::random::Draws;

/// Steps of the walk for each cell of the board.
pub(super) const STEPS_PER_CELL: usize = 20;

/// A random complete board, one value a cell.
///
/// ```
/// use evodoku::board::Geometry;
/// use evodoku::random_board;
/// use evodoku::random::{GenerationRng, StreamStage};
/// use evodoku::fitness::fitness;
///
/// let geometry = Geometry::new(5, 5)?;
/// let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
/// let board = random_board(geometry, &mut draws);
/// assert_eq!(fitness(geometry, &board), 0);
/// # Ok::<(), evodoku::board::GeometryError>(())
/// ```
pub fn random_board(geometry: Geometry, draws: &mut Draws) -> Vec<u8> {
    let mut walk = MarkovChain::new(geometry, shuffled_pattern(geometry, draws));
    for _ in 0..STEPS_PER_CELL * geometry.cells() {
        walk.step(draws);
    }
    walk.into_board()
}

fn shuffled_pattern(geometry: Geometry, draws: &mut Draws) -> Vec<u8> {
    let mut board = vec![0; geometry.cells()];
    let turned = Geometry::new(geometry.box_cols(), geometry.box_rows());
    match turned {
        Ok(turned) if draws.coin() => {
            let mut pattern = vec![0; geometry.cells()];
            complete_board(turned, &mut pattern, draws);
            for (cell, value) in board.iter_mut().enumerate() {
                *value = pattern[geometry.col_of(cell) * geometry.side() + geometry.row_of(cell)];
            }
        }
        _ => complete_board(geometry, &mut board, draws),
    }
    board
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};
    use crate::fitness::fitness;
    use crate::generate::markov_chain::{cycles, reduced};
    use crate::random::{GenerationRng, StreamStage};

    fn board(geometry: Geometry, slot: u32) -> Vec<u8> {
        random_board(geometry, &mut GenerationRng::new(7, 0).draws(StreamStage::Initialise, slot))
    }

    #[test]
    fn boards_of_every_shape_are_complete() {
        for geometry in (MIN_SIDE..=MAX_SIDE).step_by(4).flat_map(Geometry::of_side) {
            assert_eq!(fitness(geometry, &board(geometry, 0)), 0, "{geometry}");
        }
    }

    #[test]
    fn boards_differ_by_more_than_their_values() {
        let classic = Geometry::new(3, 3).unwrap();
        let boards: BTreeSet<Vec<u8>> =
            (0..200).map(|slot| reduced(classic, &board(classic, slot))).collect();
        assert_eq!(boards.len(), 200);
    }

    /// The set of lengths of the cycles of two rows of a band distinguishes boards, whatever the order
    /// of their lines and values.
    #[test]
    fn cycles_are_not_those_of_the_pattern() {
        for (shape, of_pattern) in [("3x3", 3), ("4x4", 4), ("5x5", 5), ("6x6", 6)] {
            let geometry: Geometry = shape.parse().unwrap();
            let mut pattern = vec![0; geometry.cells()];
            let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
            complete_board(geometry, &mut pattern, &mut draws);
            assert!(cycles(geometry, &pattern).iter().all(|length| of_pattern % length == 0));

            let lengths: BTreeSet<Vec<usize>> =
                (0..10).map(|slot| cycles(geometry, &board(geometry, slot))).collect();
            assert!(lengths.len() > 5, "{shape}: {lengths:?}");
            for one in lengths {
                let kinds: BTreeSet<usize> = one.into_iter().collect();
                assert!(kinds.len() > 3, "{shape}: {kinds:?}");
            }
        }
    }
}
