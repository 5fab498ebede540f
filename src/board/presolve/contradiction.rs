//! Why a puzzle has no solution, as presolve finds it.

use std::fmt;

use thiserror::Error;

use super::Presolve;
use crate::board::{CellPos, PuzzleError, Unit};

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Repeated { unit, value, times: 2 } => write!(f, "{unit} holds {value} twice"),
            Self::Repeated { unit, value, times } => {
                write!(f, "{unit} holds {value} {times} times")
            }
            Self::NoPlace { unit, value } => write!(f, "{unit} has no place for {value}"),
            Self::NoCandidate { place } => write!(f, "{place} has no candidate left"),
            Self::NoMatching { unit } => {
                write!(f, "{unit} cannot place all its missing values at once")
            }
            Self::NoArrangement { area, value } => match area {
                Region::Board => write!(f, "{value} does not fit all rows and columns at once"),
                Region::Band(index) => {
                    write!(
                        f,
                        "{value} does not fit all rows and boxes of band {} at once",
                        index + 1
                    )
                }
                Region::Stack(index) => write!(
                    f,
                    "{value} does not fit all columns and boxes of stack {} at once",
                    index + 1
                ),
            },
        }
    }
}

/// A puzzle without a solution: every contradiction found at the same point, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnsolvableError {
    /// The presolve level that found them.
    pub level: Presolve,
    /// The contradictions, at least one.
    pub contradictions: Vec<Contradiction>,
}

impl fmt::Display for UnsolvableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, contradiction) in self.contradictions.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{contradiction}")?;
        }
        match self.level {
            Presolve::None => Ok(()),
            level => write!(f, " after {level}"),
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
        let contradictions =
            vec![Contradiction::NoPlace { unit, value: 9 }, Contradiction::NoCandidate { place }];
        let both = UnsolvableError { level: Presolve::Singles, contradictions };
        let sentence =
            "row 4 has no place for 9, row 1 column 9 has no candidate left after singles";
        assert_eq!(both.to_string(), sentence);
    }
}
