//! What is wrong with a puzzle's text, in one sentence: `puzzle.txt: 80 cells; the nearest board
//! is 9x9 with 81 cells`.

use std::fmt;

use thiserror::Error;

use super::DIGIT_SIDE;
use crate::board::{Geometry, MAX_SIDE};

/// A text that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: {fault}")]
pub struct FormatError {
    /// Where the text came from.
    pub name: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Nothing but blanks, comments and frames.
    #[error("empty, there is no cell in it")]
    Empty,
    /// A character that no cell, blank or frame uses.
    #[error("{at}: unknown character {character:?}")]
    Character {
        /// Where it stands.
        at: Spot,
        /// The character.
        character: char,
    },
    /// A number below 0 that is not the blank's -1.
    #[error("{at}: {value} is no value (of the numbers below 0 only -1 is used, for a blank)")]
    Negative {
        /// Where it stands.
        at: Spot,
        /// As it is written.
        value: String,
    },
    /// A value that a board of this side has not.
    #[error("{at}: the value {value} is above the side, which is {side}")]
    Value {
        /// Where it stands.
        at: Spot,
        /// As it is written, shortened when very long.
        value: String,
        /// Side of the board.
        side: usize,
    },
    /// A number of cells that is no square.
    #[error("{}; the nearest board is {nearest}x{nearest} with {} cells", count(*cells), nearest * nearest)]
    Count {
        /// Cells found.
        cells: usize,
        /// Side of the board with the nearest number of cells.
        nearest: usize,
    },
    /// A square, but its side is no product of two numbers from 2.
    #[error(
        "{} would be a board of side {side}, which no box shape has; the nearest board is {nearest}x{nearest} with {} cells",
        count(side * side), nearest * nearest
    )]
    NoShape {
        /// Side that the count gives.
        side: usize,
        /// Side of the board with the nearest number of cells.
        nearest: usize,
    },
    /// A board above [`MAX_SIDE`].
    #[error("{} would be a board of side {side}; the largest side is {MAX_SIDE}", count(side * side))]
    Large {
        /// Side that the count gives.
        side: usize,
    },
    /// A large board written with one character a cell.
    #[error(
        "{cells} characters without blanks between them; a board with a side above {DIGIT_SIDE} is written as numbers separated by blanks"
    )]
    Compact {
        /// Characters found.
        cells: usize,
    },
    /// A number of cells that does not fit the box shape asked for.
    #[error("{}, but a board with boxes of {shape} has {} cells", count(*cells), shape.cells())]
    Shape {
        /// Cells found.
        cells: usize,
        /// Shape asked for.
        shape: Geometry,
    },
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Line.
    pub line: usize,
    /// Character of the line.
    pub column: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// `1 cell`, `80 cells`.
fn count(cells: usize) -> String {
    format!("{cells} cell{}", if cells == 1 { "" } else { "s" })
}
