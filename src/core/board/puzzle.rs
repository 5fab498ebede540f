//! A puzzle: its shape and givens.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{BLANK, Geometry};
use crate::util::quantity::noun;

/// A board with blanks to fill in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Puzzle {
    /// Its name in traces and reports.
    pub name: String,
    /// The shape of the board.
    pub geometry: Geometry,
    /// One value a cell in row-major order, [`BLANK`] where there is none.
    pub givens: Vec<u8>,
}

impl Puzzle {
    /// A board without givens.
    pub fn blank(geometry: Geometry) -> Self {
        Self { name: format!("blank-{geometry}"), geometry, givens: vec![BLANK; geometry.cells()] }
    }

    /// A puzzle of a shape that no run ever solves, to measure generations on.
    ///
    /// Row 1 holds the values 1 to `n - 2` from the left, and the last cell of row 2 holds `n - 1`. That cell
    /// is in the box of the two blanks of row 1, so that neither of them can be `n - 1`;
    /// yet no unit holds a value twice, and every blank has a candidate. A run on it ends only by its
    /// limits, and every generation has the same number of blanks to fill.
    ///
    /// ```text
    /// 1 2 3 4 5 6 7 . .
    /// . . . . . . . . 8
    /// ```
    pub fn unsolvable(geometry: Geometry) -> Self {
        let side = geometry.side();
        let mut puzzle = Self { name: "bench".to_owned(), ..Self::blank(geometry) };
        puzzle.givens[..side - 2].iter_mut().zip(1..).for_each(|(cell, value)| *cell = value);
        puzzle.givens[2 * side - 1] = side as u8 - 1;
        puzzle
    }

    /// Checks that there is a given or a blank for each cell, and no given above the side. Every function that
    /// takes a puzzle from a caller checks it.
    ///
    /// # Errors
    /// The first [`PuzzleError`] found.
    pub fn check(&self) -> Result<(), PuzzleError> {
        let (found, expected, side) =
            (self.givens.len(), self.geometry.cells(), self.geometry.side());
        if found != expected {
            return Err(PuzzleError::Cells { found, expected });
        }
        let above = |given: &u8| usize::from(*given) > side;
        self.givens.iter().position(above).map_or(Ok(()), |cell| {
            let (place, value) = (CellPos::of(self.geometry, cell), self.givens[cell]);
            Err(PuzzleError::Value { place, value, side })
        })
    }

    /// The number of givens.
    pub fn given_count(&self) -> usize {
        self.givens.iter().filter(|value| **value != BLANK).count()
    }
}

/// Why a puzzle is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PuzzleError {
    /// The number of givens and blanks differs from the number of cells.
    #[error("the puzzle has {found} {}, but a board of this size has {expected}", noun(*found as u64, "cell"))]
    Cells {
        /// Givens and blanks of the puzzle.
        found: usize,
        /// Cells of its board.
        expected: usize,
    },
    /// A given that is not a value of a board of this side.
    #[error("{place} is given as {value}, but the side is {side}")]
    Value {
        /// The cell.
        place: CellPos,
        /// The given.
        value: u8,
        /// Side of the board.
        side: usize,
    },
}

/// A position that is displayed counted from 1: `row 3 column 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPos {
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
}

impl CellPos {
    /// The position of a cell.
    pub fn of(geometry: Geometry, cell: usize) -> Self {
        Self { row: geometry.row_of(cell), column: geometry.col_of(cell) }
    }
}

impl fmt::Display for CellPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} column {}", self.row + 1, self.column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE, Presolve, presolve, verify};
    use crate::exact::{Backtracking, GuessBudget, LadderSpec, RemovalOrder, dig};

    /// One cell short, one too long, and a value too high.
    fn malformed() -> [Puzzle; 3] {
        let blank = Puzzle::blank(Geometry::new(2, 2).unwrap());
        let with = |givens: Vec<u8>| Puzzle { givens, ..blank.clone() };
        [with(vec![0; 15]), with(vec![0; 17]), with([&[0; 15][..], &[200]].concat())]
    }

    #[test]
    fn malformed_puzzles_are_refused_by_all_functions() {
        let sentences = [
            "the puzzle has 15 cells, but a board of this size has 16",
            "the puzzle has 17 cells, but a board of this size has 16",
            "row 4 column 4 is given as 200, but the side is 4",
        ];
        let solved = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        for (puzzle, sentence) in malformed().iter().zip(sentences) {
            assert_eq!(puzzle.check().unwrap_err().to_string(), sentence);
            assert_eq!(verify(puzzle, &solved).unwrap_err().to_string(), sentence);
            for level in Presolve::ALL {
                assert_eq!(presolve(puzzle, *level).unwrap_err().to_string(), sentence);
            }
            let ladder = LadderSpec { order: RemovalOrder::Rows, step: None, until: 0, seed: 1 };
            let dug = dig(puzzle, &ladder, &GuessBudget::default());
            assert_eq!(dug.unwrap_err().to_string(), sentence);
            let found =
                Backtracking::new(puzzle.geometry).search(&puzzle.givens, &GuessBudget::default());
            assert_eq!((found.count, found.complete()), (0, true));
        }
    }

    #[test]
    fn no_shape_of_it_is_refused_before_the_search_nor_has_a_solution() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let puzzle = Puzzle::unsolvable(geometry);
            let space = presolve(&puzzle, Presolve::None).unwrap();
            assert_eq!(space.free.len(), geometry.cells() - geometry.side() + 1);
            assert!(presolve(&puzzle, Presolve::Singles).is_err(), "{geometry}");
        }
    }
}
