//! The checker: whether a grid solves a puzzle, and otherwise the first error.
//!
//! No solution is reported without it. It shares no code with scoring, nor with
//! the geometry's tables of units: rows, columns and boxes are computed here from their arithmetic,
//! so that one mistake cannot both produce a wrong solution and accept it.
//!
//! ```
//! use evodoku::{board::verify, format};
//!
//! let puzzle = format::read("1... ..1. .... ...1", "small", None)?.puzzle;
//! let grid = [1, 2, 3, 4, 3, 4, 1, 2, 4, 1, 2, 3, 2, 3, 4, 4];
//! let flaw = verify(&puzzle, &grid).unwrap_err();
//! assert_eq!(flaw.to_string(), "row 4 column 4 holds 4, but the puzzle gives 1");
//! # Ok::<(), format::FormatError>(())
//! ```

use thiserror::Error;

use super::{CellPos, Puzzle, PuzzleError, Unit, UnitKind};
use crate::util::quantity::noun;

/// Why a grid is not a solution of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.sentence(|value| value.to_string()))]
pub enum VerifyError {
    /// The puzzle itself is malformed.
    Puzzle(PuzzleError),
    /// The grid's number of cells differs from the puzzle's.
    Cells {
        /// Cells of the grid.
        found: usize,
        /// Cells of the puzzle.
        expected: usize,
    },
    /// A cell without a value.
    Blank {
        /// The cell.
        place: CellPos,
    },
    /// A value above the side.
    Value {
        /// The cell.
        place: CellPos,
        /// The value.
        value: u8,
        /// Side of the board.
        side: usize,
    },
    /// A cell that differs from its given.
    Given {
        /// The cell.
        place: CellPos,
        /// The value.
        value: u8,
        /// The given.
        given: u8,
    },
    /// A value twice in a row, column or box.
    Repeated {
        /// The row, column or box; boxes are in row-major order.
        unit: Unit,
        /// The value.
        value: u8,
    },
}

impl VerifyError {
    /// The sentence, with values written so.
    pub fn sentence(&self, symbol: impl Fn(u8) -> String) -> String {
        match self {
            Self::Puzzle(error) => error.to_string(),
            Self::Cells { found, expected } => {
                format!("{found} {}, but the puzzle has {expected}", noun(*found as u64, "cell"))
            }
            Self::Blank { place } => format!("{place} is blank"),
            Self::Value { place, value, side } => {
                format!("{place} holds {value}, but the side is {side}")
            }
            Self::Given { place, value, given } => {
                let (value, given) = (symbol(*value), symbol(*given));
                format!("{place} holds {value}, but the puzzle gives {given}")
            }
            Self::Repeated { unit, value } => format!("{unit} holds {} twice", symbol(*value)),
        }
    }
}

/// Checks that `grid`, one value a cell in row-major order, solves `puzzle`.
///
/// # Errors
/// The first [`VerifyError`] in this order: the puzzle, the number of cells, the cells one by one, the givens,
/// the rows, the columns, the boxes.
pub fn verify(puzzle: &Puzzle, grid: &[u8]) -> Result<(), VerifyError> {
    puzzle.check().map_err(VerifyError::Puzzle)?;
    let (box_rows, box_cols) = (puzzle.geometry.box_rows(), puzzle.geometry.box_cols());
    let side = box_rows * box_cols;
    if grid.len() != side * side {
        return Err(VerifyError::Cells { found: grid.len(), expected: side * side });
    }
    let place = |cell: usize| CellPos { row: cell / side, column: cell % side };

    for (cell, &value) in grid.iter().enumerate() {
        if value == 0 {
            return Err(VerifyError::Blank { place: place(cell) });
        }
        if usize::from(value) > side {
            return Err(VerifyError::Value { place: place(cell), value, side });
        }
    }
    for (cell, (&value, &given)) in grid.iter().zip(&puzzle.givens).enumerate() {
        if given != 0 && value != given {
            return Err(VerifyError::Given { place: place(cell), value, given });
        }
    }

    let repeated = |kind, index, values: &mut dyn Iterator<Item = u8>| match twice(side, values) {
        Some(value) => Err(VerifyError::Repeated { unit: Unit { kind, index }, value }),
        None => Ok(()),
    };
    for row in 0..side {
        repeated(UnitKind::Row, row, &mut (0..side).map(|column| grid[row * side + column]))?;
    }
    for column in 0..side {
        repeated(UnitKind::Column, column, &mut (0..side).map(|row| grid[row * side + column]))?;
    }
    // A board is `box_rows` boxes wide, for its side is `box_rows * box_cols`.
    for number in 0..side {
        let top = number / box_rows * box_rows;
        let left = number % box_rows * box_cols;
        let mut values = (top..top + box_rows)
            .flat_map(|row| (left..left + box_cols).map(move |column| grid[row * side + column]));
        repeated(UnitKind::Box, number, &mut values)?;
    }
    Ok(())
}

/// The first value that occurred before; all are of `1..=side`.
fn twice(side: usize, mut values: impl Iterator<Item = u8>) -> Option<u8> {
    let mut seen = vec![false; side + 1];
    values.find(|value| std::mem::replace(&mut seen[usize::from(*value)], true))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Geometry;

    /// A solved board of any shape: each row is the first one, rotated by a box's width for the
    /// next row of a box and by one more for the next band; `turn` renames the values.
    fn solved(shape: &str, turn: usize) -> (Geometry, Vec<u8>) {
        let geometry: Geometry = shape.parse().unwrap();
        let (rows, cols) = (geometry.box_rows(), geometry.box_cols());
        let side = rows * cols;
        let value = |row: usize, column: usize| {
            let turned = row % rows * cols + row / rows + column;
            ((turned + turn) % side + 1) as u8
        };
        let cells = (0..side * side).map(|cell| value(cell / side, cell % side)).collect();
        (geometry, cells)
    }

    fn shapes() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec!["2x2", "2x3", "3x2", "3x3", "2x4", "4x4", "5x5", "8x8"])
    }

    fn sentence(givens: &[u8], grid: &[u8]) -> String {
        let geometry = Geometry::new(2, 2).unwrap();
        let puzzle = Puzzle { givens: givens.to_vec(), ..Puzzle::blank(geometry) };
        verify(&puzzle, grid).unwrap_err().to_string()
    }

    #[test]
    fn each_flaw_is_one_sentence() {
        let good = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let with = |changes: &[(usize, u8)]| {
            let mut grid = good;
            changes.iter().for_each(|(cell, value)| grid[*cell] = *value);
            sentence(&[0; 16], &grid)
        };
        assert_eq!(sentence(&[0; 16], &good[..15]), "15 cells, but the puzzle has 16");
        assert_eq!(with(&[(6, 0)]), "row 2 column 3 is blank");
        assert_eq!(with(&[(6, 5)]), "row 2 column 3 holds 5, but the side is 4");
        assert_eq!(with(&[(15, 2)]), "row 4 holds 2 twice");
        // Whole rows exchanged between bands, and rows rotated: only one kind of unit is wrong.
        let columns = [1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4, 1, 2];
        assert_eq!(sentence(&[0; 16], &columns), "column 1 holds 1 twice");
        let boxes = [1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2, 4, 1, 2, 3];
        assert_eq!(sentence(&[0; 16], &boxes), "box 1 holds 2 twice");
        let mut givens = [0; 16];
        givens[11] = 2;
        assert_eq!(sentence(&givens, &good), "row 3 column 4 holds 3, but the puzzle gives 2");
    }

    proptest! {
        #[test]
        fn a_solution_passes_and_its_givens_may_be_any(
            shape in shapes(), turn in 0..64_usize, keep in any::<u64>(),
        ) {
            let (geometry, grid) = solved(shape, turn);
            let kept = |(cell, value): (usize, &u8)| if keep >> (cell % 64) & 1 == 1 { *value } else { 0 };
            let givens = grid.iter().enumerate().map(kept).collect();
            let puzzle = Puzzle { givens, ..Puzzle::blank(geometry) };
            prop_assert_eq!(verify(&puzzle, &grid), Ok(()));
        }

        #[test]
        fn one_exchanged_pair_is_rejected(
            shape in shapes(), turn in 0..64_usize, a: prop::sample::Index, b: prop::sample::Index,
        ) {
            let (geometry, mut grid) = solved(shape, turn);
            let (a, b) = (a.index(grid.len()), b.index(grid.len()));
            prop_assume!(grid[a] != grid[b]);
            grid.swap(a, b);
            prop_assert!(verify(&Puzzle::blank(geometry), &grid).is_err());
        }

        #[test]
        fn a_changed_given_is_rejected(
            shape in shapes(), turn in 0..64_usize, at: prop::sample::Index,
        ) {
            let (geometry, grid) = solved(shape, turn);
            // The same board with its values renamed solves a different puzzle.
            let (_, other) = solved(shape, turn + 1);
            let cell = at.index(grid.len());
            let mut puzzle = Puzzle::blank(geometry);
            puzzle.givens[cell] = grid[cell];
            let flaw = verify(&puzzle, &other);
            prop_assert!(matches!(flaw, Err(VerifyError::Given { .. })), "{flaw:?}");
        }

        #[test]
        fn no_bytes_panic(shape in shapes(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = verify(&Puzzle::blank(shape.parse().unwrap()), &bytes);
        }
    }
}
