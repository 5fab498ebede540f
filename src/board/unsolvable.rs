//! A puzzle of any shape that no run ever solves, used to measure generations.
//!
//! Row 1 holds the values 1 to `n - 2` from the left, and the last cell of row 2 holds `n - 1`. That cell
//! is in the box of the two blanks of row 1, so that neither of them can be `n - 1`;
//! yet no unit holds a value twice, and every blank has a candidate. A run on it ends only by its
//! limits, and every generation has the same number of blanks to fill.
//!
//! ```text
//! 1 2 3 4 5 6 7 . .
//! . . . . . . . . 8
//! ```

use crate::board::{Geometry, Puzzle};

/// The unsolvable puzzle of a shape.
pub fn unsolvable(geometry: Geometry) -> Puzzle {
    let mut puzzle = Puzzle::blank(geometry);
    let side = geometry.side();
    for (cell, value) in puzzle.givens[..side - 2].iter_mut().zip(1..) {
        *cell = value;
    }
    puzzle.givens[2 * side - 1] = side as u8 - 1;
    puzzle.name = "bench".to_owned();
    puzzle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE, Presolve, presolve};

    #[test]
    fn no_shape_of_it_is_refused_before_the_search_nor_has_a_solution() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let puzzle = unsolvable(geometry);
            let space = presolve(&puzzle, Presolve::None).unwrap();
            assert_eq!(space.free.len(), geometry.cells() - geometry.side() + 1);
            assert!(presolve(&puzzle, Presolve::Singles).is_err(), "{geometry}");
        }
    }
}
