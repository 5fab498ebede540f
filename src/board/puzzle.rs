//! A puzzle: the givens, before anything is derived from them.

use std::fmt;

use super::{BLANK, Geometry};

/// A board with blanks to be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What it is called in traces and reports.
    pub name: String,
    /// The shape of the board.
    pub geometry: Geometry,
    /// One value a cell in row-major order, [`BLANK`] where there is none.
    pub givens: Vec<u8>,
}

impl Puzzle {
    /// A board without any given.
    pub fn blank(geometry: Geometry) -> Self {
        Self { name: format!("blank-{geometry}"), geometry, givens: vec![BLANK; geometry.cells()] }
    }

    /// Cells that hold a value.
    pub fn given_count(&self) -> usize {
        self.givens.iter().filter(|value| **value != BLANK).count()
    }
}

/// A cell as people name it, counted from 1: `row 3 column 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
}

impl Place {
    /// Where a cell lies.
    pub fn of(geometry: Geometry, cell: usize) -> Self {
        Self { row: geometry.row_of(cell), column: geometry.col_of(cell) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} column {}", self.row + 1, self.column + 1)
    }
}
