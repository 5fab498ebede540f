//! The shape of a board: the shape of its boxes, and everything derived from it.
//!
//! A board has side `n = box_rows * box_cols`; its `n * n` cells are numbered in row-major order
//! and belong to `n` rows, `n` columns and `n` boxes of `box_rows` x `box_cols` cells. Boxes are
//! numbered in row-major order too. A *band* is a row of boxes, a *stack* a column of boxes.
//!
//! ```
//! use evodoku::board::Geometry;
//!
//! let classic = Geometry::new(3, 3)?;
//! assert_eq!((classic.side(), classic.cells(), classic.stride()), (9, 81, 84));
//! assert_eq!(classic.box_of(40), 4);
//! assert_eq!(Geometry::squarest(6), Some(Geometry::new(2, 3)?));
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::util::serde_text;

/// The smallest side: a board of 2x2 boxes.
pub const MIN_SIDE: usize = 4;
/// The largest side: a set of values still fits one `u64`.
pub const MAX_SIDE: usize = 64;

/// The shape of a board, given by the shape of its boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Geometry {
    box_rows: u8,
    box_cols: u8,
}

/// Why a box shape is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GeometryError {
    /// A box needs at least two rows and two columns, and a side of at most [`MAX_SIDE`].
    #[error(
        "a box of {box_rows}x{box_cols} is not supported: a box has at least 2 rows and 2 columns, and at most {MAX_SIDE} cells"
    )]
    Size {
        /// Rows of the box.
        box_rows: usize,
        /// Columns of the box.
        box_cols: usize,
    },
    /// The text is not of the form `ROWSxCOLUMNS`.
    #[error("'{0}' is not a box shape: write rows, an x, and columns, as in 3x3")]
    Text(String),
}

impl Geometry {
    /// The board whose boxes have `box_rows` rows and `box_cols` columns of cells.
    ///
    /// # Errors
    /// [`GeometryError::Size`] when either is below 2 or the side is above [`MAX_SIDE`].
    pub fn new(box_rows: usize, box_cols: usize) -> Result<Self, GeometryError> {
        let small = box_rows < 2 || box_cols < 2;
        if small || box_rows.saturating_mul(box_cols) > MAX_SIDE {
            return Err(GeometryError::Size { box_rows, box_cols });
        }
        Ok(Self { box_rows: box_rows as u8, box_cols: box_cols as u8 })
    }

    /// Every shape of side `side`, the squarest with rows <= columns first.
    pub fn of_side(side: usize) -> Vec<Self> {
        let rows = (2..=MAX_SIDE / 2).filter(|rows| side.is_multiple_of(*rows));
        let mut shapes: Vec<Self> =
            rows.filter_map(|rows| Self::new(rows, side / rows).ok()).collect();
        shapes.sort_by_key(|shape| {
            (shape.box_rows.abs_diff(shape.box_cols), shape.box_rows > shape.box_cols)
        });
        shapes
    }

    /// The squarest shape of side `side`, with at most as many rows as columns; `None` if the side has no shape.
    pub fn squarest(side: usize) -> Option<Self> {
        Self::of_side(side).into_iter().next()
    }

    /// Rows of a box.
    pub fn box_rows(self) -> usize {
        self.box_rows.into()
    }

    /// Columns of a box.
    pub fn box_cols(self) -> usize {
        self.box_cols.into()
    }

    /// Values, and rows, columns and boxes: `box_rows * box_cols`.
    pub fn side(self) -> usize {
        self.box_rows() * self.box_cols()
    }

    /// Cells of a board: `side * side`.
    pub fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// Bytes of a packed board: the cells, rounded up to a multiple of 4.
    pub fn stride(self) -> usize {
        self.cells().next_multiple_of(4)
    }

    /// Bands, which are rows of boxes: as many as a box has columns.
    pub fn bands(self) -> usize {
        self.box_cols()
    }

    /// Stacks, which are columns of boxes: as many as a box has rows.
    pub fn stacks(self) -> usize {
        self.box_rows()
    }

    /// The fitness of a board that holds no value at all: `3 * side * side` duplicates or missing values.
    pub fn worst_fitness(self) -> u16 {
        (3 * self.cells()) as u16
    }

    /// The set of all values `1..=side`, value `v` as bit `v - 1`.
    pub fn all_values(self) -> u64 {
        u64::MAX >> (64 - self.side())
    }

    /// The row of a cell.
    pub fn row_of(self, cell: usize) -> usize {
        cell / self.side()
    }

    /// The column of a cell.
    pub fn col_of(self, cell: usize) -> usize {
        cell % self.side()
    }

    /// The box of a cell.
    pub fn box_of(self, cell: usize) -> usize {
        let band = self.row_of(cell) / self.box_rows();
        let stack = self.col_of(cell) / self.box_cols();
        band * self.stacks() + stack
    }

    /// The cells of a unit, ascending.
    pub fn unit_cells(self, unit: Unit) -> impl Iterator<Item = usize> + Clone {
        let (n, i) = (self.side(), unit.index);
        let (rows, cols) = (self.box_rows(), self.box_cols());
        // Each unit is `height` runs of `width` adjacent cells, one row apart.
        let (first, height, width) = match unit.kind {
            UnitKind::Row => (i * n, 1, n),
            UnitKind::Column => (i, n, 1),
            UnitKind::Box => {
                ((i / self.stacks()) * rows * n + (i % self.stacks()) * cols, rows, cols)
            }
        };
        (0..height * width).map(move |k| first + (k / width) * n + k % width)
    }

    /// All units: the rows, then the columns, then the boxes.
    pub fn units(self) -> impl Iterator<Item = Unit> {
        UnitKind::ALL.into_iter().flat_map(move |kind| self.units_of(kind))
    }

    /// The unit with this number, from 0, among [`Geometry::units`].
    pub(crate) fn unit(self, number: usize) -> Unit {
        Unit { kind: UnitKind::ALL[number / self.side()], index: number % self.side() }
    }

    /// The units of one kind, in order.
    pub fn units_of(self, kind: UnitKind) -> impl Iterator<Item = Unit> {
        (0..self.side()).map(move |index| Unit { kind, index })
    }

    /// The row, the column and the box of a cell.
    pub fn units_with(self, cell: usize) -> [Unit; 3] {
        [
            Unit { kind: UnitKind::Row, index: self.row_of(cell) },
            Unit { kind: UnitKind::Column, index: self.col_of(cell) },
            Unit { kind: UnitKind::Box, index: self.box_of(cell) },
        ]
    }

    /// The other cells of a cell's row, column and box, ascending.
    pub fn peers(self, cell: usize) -> impl Iterator<Item = usize> {
        let (side, row, col) = (self.side(), self.row_of(cell), self.col_of(cell));
        let [rows, cols] = [(row, self.box_rows()), (col, self.box_cols())]
            .map(|(at, length)| at - at % length..at - at % length + length);
        (0..side).flat_map(move |other| {
            let seen = match other {
                _ if other == row => 0..side,
                _ if rows.contains(&other) => cols.clone(),
                _ => col..col + 1,
            };
            seen.map(move |col| other * side + col).filter(move |peer| *peer != cell)
        })
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.box_rows, self.box_cols)
    }
}

impl FromStr for Geometry {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || GeometryError::Text(text.to_owned());
        let (rows, cols) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
        let rows = rows.trim().parse().map_err(|_| wrong())?;
        let cols = cols.trim().parse().map_err(|_| wrong())?;
        Self::new(rows, cols)
    }
}

serde_text!(Geometry);

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKind {
    /// `side` cells next to each other.
    Row,
    /// `side` cells below each other.
    Column,
    /// `box_rows` x `box_cols` cells.
    Box,
}

impl UnitKind {
    /// The three kinds, in the order in which units are reported.
    pub const ALL: [Self; 3] = [Self::Row, Self::Column, Self::Box];
}

/// A row, a column or a box: `side` cells that hold every value once in a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// Row, column or box.
    pub kind: UnitKind,
    /// Its number among the units of its kind, from 0.
    pub index: usize,
}

impl fmt::Display for Unit {
    /// Counts from 1, as people do: `row 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            UnitKind::Row => "row",
            UnitKind::Column => "column",
            UnitKind::Box => "box",
        };
        write!(f, "{kind} {}", self.index + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_shape() -> impl Iterator<Item = Geometry> {
        (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side)
    }

    #[test]
    fn every_cell_is_in_one_unit_of_each_kind() {
        for geometry in every_shape() {
            for kind in UnitKind::ALL {
                let mut seen = vec![0; geometry.cells()];
                for unit in geometry.units_of(kind) {
                    for cell in geometry.unit_cells(unit) {
                        seen[cell] += 1;
                        assert!(geometry.units_with(cell).contains(&unit), "{geometry} {unit}");
                    }
                }
                assert!(seen.iter().all(|times| *times == 1), "{geometry} {kind:?}");
            }
        }
    }

    #[test]
    fn the_squarest_shape_has_no_more_rows_than_columns() {
        let shapes =
            |side| Geometry::of_side(side).iter().map(Geometry::to_string).collect::<Vec<_>>();
        assert_eq!(shapes(6), ["2x3", "3x2"]);
        assert_eq!(shapes(16), ["4x4", "2x8", "8x2"]);
        assert_eq!(shapes(7), [""; 0]);
    }

    #[test]
    fn shapes_are_read_and_refused() {
        assert_eq!("2x3".parse(), Geometry::new(2, 3));
        for bad in ["1x9", "9", "x", "9x9", "ax3", "3x"] {
            assert!(bad.parse::<Geometry>().is_err(), "{bad}");
        }
    }
}
