//! Why a puzzle has no solution, in one sentence: `row 4 has no place for 9`.

use std::fmt;

use thiserror::Error;

use super::{CellPos, PuzzleError, Unit};

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.sentence(|value| value.to_string()))]
pub enum Contradiction {
    /// The puzzle is malformed.
    Malformed(PuzzleError),
    /// A unit holds a value more than once.
    Repeated {
        /// The unit.
        unit: Unit,
        /// The value.
        value: u8,
        /// The number of times.
        times: usize,
    },
    /// A unit lacks a value, and none of its cells may hold it.
    NoPlace {
        /// The unit.
        unit: Unit,
        /// The value.
        value: u8,
    },
    /// Every value is excluded from a cell.
    NoCandidate {
        /// The cell.
        place: CellPos,
    },
    /// Each blank of a unit has candidates, but they cannot all be different.
    NoMatching {
        /// The unit.
        unit: Unit,
    },
    /// A value has a place in every unit, but not in all units at once.
    NoArrangement {
        /// The region.
        area: Region,
        /// The value.
        value: u8,
    },
}

impl Contradiction {
    /// The sentence, with values written so.
    pub(super) fn sentence(&self, symbol: impl Fn(u8) -> String) -> String {
        match self {
            Self::Malformed(error) => error.to_string(),
            Self::Repeated { unit, value, times: 2 } => {
                format!("{unit} holds {} twice", symbol(*value))
            }
            Self::Repeated { unit, value, times } => {
                format!("{unit} holds {} {times} times", symbol(*value))
            }
            Self::NoPlace { unit, value } => format!("{unit} has no place for {}", symbol(*value)),
            Self::NoCandidate { place } => format!("{place} has no candidate left"),
            Self::NoMatching { unit } => {
                format!("{unit} has too few cells for its missing values")
            }
            Self::NoArrangement { area, value } => {
                format!("{} cannot be placed in {area}", symbol(*value))
            }
        }
    }
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
            (Contradiction::NoMatching { unit }, "row 4 has too few cells for its missing values"),
            (arrangement(Region::Board), "7 cannot be placed in all rows and columns"),
            (arrangement(Region::Band(0)), "7 cannot be placed in all rows and boxes of band 1"),
            (
                arrangement(Region::Stack(2)),
                "7 cannot be placed in all columns and boxes of stack 3",
            ),
        ] {
            assert_eq!(contradiction.to_string(), sentence);
        }
    }
}
