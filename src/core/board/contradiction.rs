//! Why a puzzle has no solution, in one sentence: `row 4 has no place for 9`.

use std::fmt;

use thiserror::Error;

use super::{CellPos, PuzzleError, Unit};

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// The puzzle is malformed.
    #[error(transparent)]
    Malformed(PuzzleError),
    /// A unit holds a value more than once.
    #[error("{unit} holds {value} {}", if *times == 2 { "twice".to_owned() } else { format!("{times} times") })]
    Repeated {
        /// The unit.
        unit: Unit,
        /// The value.
        value: u8,
        /// The number of times.
        times: usize,
    },
    /// A unit lacks a value, and none of its cells may hold it.
    #[error("{unit} has no place for {value}")]
    NoPlace {
        /// The unit.
        unit: Unit,
        /// The value.
        value: u8,
    },
    /// Every value is excluded from a cell.
    #[error("{place} has no candidate left")]
    NoCandidate {
        /// The cell.
        place: CellPos,
    },
    /// Each blank of a unit has candidates, but they cannot all be different.
    #[error("{unit} cannot place all its missing values at once")]
    NoMatching {
        /// The unit.
        unit: Unit,
    },
    /// A value has a place in every unit, but not in all units at once.
    #[error("{value} does not fit {area} at once")]
    NoArrangement {
        /// The region.
        area: Region,
        /// The value.
        value: u8,
    },
}

/// A part of the board in which a value occurs once in each line and in each box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The whole board: rows and columns.
    Board,
    /// A band, from 0: its rows and boxes.
    Band(usize),
    /// A stack, from 0: its columns and boxes.
    Stack(usize),
}

impl fmt::Display for Region {
    /// Counts from 1: `all rows and boxes of band 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.write_str("all rows and columns"),
            Self::Band(index) => write!(f, "all rows and boxes of band {}", index + 1),
            Self::Stack(index) => write!(f, "all columns and boxes of stack {}", index + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::UnitKind;

    #[test]
    fn each_is_one_sentence_that_counts_from_one() {
        let unit = Unit { kind: UnitKind::Row, index: 3 };
        let place = CellPos { row: 0, column: 8 };
        let arrangement = |area| Contradiction::NoArrangement { area, value: 7 };
        for (contradiction, sentence) in [
            (Contradiction::Repeated { unit, value: 5, times: 2 }, "row 4 holds 5 twice"),
            (Contradiction::Repeated { unit, value: 5, times: 3 }, "row 4 holds 5 3 times"),
            (Contradiction::NoPlace { unit, value: 9 }, "row 4 has no place for 9"),
            (Contradiction::NoCandidate { place }, "row 1 column 9 has no candidate left"),
            (
                Contradiction::NoMatching { unit },
                "row 4 cannot place all its missing values at once",
            ),
            (arrangement(Region::Board), "7 does not fit all rows and columns at once"),
            (arrangement(Region::Band(0)), "7 does not fit all rows and boxes of band 1 at once"),
            (
                arrangement(Region::Stack(2)),
                "7 does not fit all columns and boxes of stack 3 at once",
            ),
        ] {
            assert_eq!(contradiction.to_string(), sentence);
        }
    }
}
