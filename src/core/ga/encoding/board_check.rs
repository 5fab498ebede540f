//! Whether a board from outside of a run keeps the promises of its encoding.

use thiserror::Error;

use super::{Encoding, PermutationGroup};
use crate::board::{BLANK, CellPos, Geometry, MAX_SIDE, SearchSpace};

/// Why a board cannot be an individual of a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// It has another number of cells.
    #[error("it has {found} cells instead of {expected}")]
    Cells {
        /// Its cells.
        found: usize,
        /// The cells of the puzzle.
        expected: usize,
    },
    /// A fixed cell holds another value.
    #[error("{at} holds {value}, but {fixed} is fixed there")]
    Fixed {
        /// The cell.
        at: CellPos,
        /// Its value.
        value: u8,
        /// The value that the puzzle or presolve gives it.
        fixed: u8,
    },
    /// A cell holds a value that the encoding does not put there.
    #[error("{at} holds {value}, which encoding {encoding} does not allow there after presolve")]
    Value {
        /// The cell.
        at: CellPos,
        /// Its value.
        value: u8,
        /// The encoding.
        encoding: Encoding,
    },
    /// Values that the encoding permutes do not occur as often as they should.
    #[error(
        "{value} occurs too often or too rarely: encoding {encoding} only permutes missing values of the unit at {at}"
    )]
    Permutation {
        /// The first blank of the group.
        at: CellPos,
        /// The value.
        value: u8,
        /// The encoding.
        encoding: Encoding,
    },
}

/// Checks boards for one run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct BoardCheck {
    geometry: Geometry,
    /// The fixed board.
    fixed: Vec<u8>,
    encoding: Encoding,
    groups: Vec<PermutationGroup>,
    /// The values that each cell may hold.
    sets: Vec<u64>,
    /// How often each group holds each value, group by group.
    expected: Vec<Vec<usize>>,
}

impl BoardCheck {
    /// For boards of a puzzle in an encoding.
    pub fn new(encoding: Encoding, space: &SearchSpace) -> Self {
        let (groups, side) = (encoding.groups(space), space.geometry().side());
        let sets = encoding.cell_values(space);
        let counts = |group: &PermutationGroup| match encoding.unit_kind() {
            Some(_) => {
                let all = group.candidates.iter().fold(0, |all, set| all | set);
                (0..side).map(|value| (all >> value & 1) as usize).collect()
            }
            // The whole board holds every value once in each row. Padding is blank.
            None => {
                let mut counts = vec![side; side];
                let fixed = space.fixed.iter().filter(|value| **value != BLANK);
                fixed.for_each(|value| counts[usize::from(*value) - 1] -= 1);
                counts
            }
        };
        let expected = groups.iter().map(counts).collect();
        let (geometry, fixed) = (space.geometry(), space.fixed.clone());
        Self { geometry, fixed, encoding, groups, sets, expected }
    }

    /// Checks a board of one byte a cell.
    ///
    /// # Errors
    /// [`BoardError`] names the first cell that does not fit.
    pub fn check(&self, board: &[u8]) -> Result<(), BoardError> {
        let Self { groups, sets, expected, .. } = self;
        let (geometry, encoding) = (self.geometry, self.encoding);
        if board.len() != geometry.cells() {
            return Err(BoardError::Cells { found: board.len(), expected: geometry.cells() });
        }
        for (cell, ((value, fixed), set)) in board.iter().zip(&self.fixed).zip(sets).enumerate() {
            let (at, value, fixed) = (CellPos::of(geometry, cell), *value, *fixed);
            if fixed != BLANK && fixed != value {
                return Err(BoardError::Fixed { at, value, fixed });
            }
            if !(1..=geometry.side()).contains(&usize::from(value)) || set >> (value - 1) & 1 == 0 {
                return Err(BoardError::Value { at, value, encoding });
            }
        }
        for (group, expected) in groups.iter().zip(expected) {
            let mut counts = [0; MAX_SIDE];
            group.blanks.iter().for_each(|cell| counts[usize::from(board[*cell]) - 1] += 1);
            let wrong =
                expected.iter().zip(&counts).position(|(expected, found)| expected != found);
            if let Some(value) = wrong {
                let at = CellPos::of(geometry, group.blanks.first().copied().unwrap_or(0));
                return Err(BoardError::Permutation { at, value: value as u8 + 1, encoding });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::format;
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn boards_that_a_run_draws_fit_and_others_are_told_why() {
        let puzzle = format::read("1... ..1. .... ...1", "small", None).unwrap().puzzle;
        let space = presolve(&puzzle, Presolve::None).unwrap();
        for encoding in Encoding::ALL.iter().copied() {
            let check = BoardCheck::new(encoding, &space);
            let groups = encoding.groups(&space);
            let config = crate::ga::Config {
                encoding,
                ..crate::ga::Config::of(crate::ga::Preset::Boxes, &space)
            };
            let context = crate::ga::BuildContext::new(&space, &config, &groups);
            let operator = encoding.build(&context).unwrap();
            let seed = GenerationRng::new(1, 0);
            for slot in 0..100 {
                let mut board = vec![0; 16];
                operator.initialise(&mut board, &mut seed.draws(StreamStage::Initialise, slot));
                assert_eq!(check.check(&board), Ok(()), "{encoding}");
                let mut blank = board.clone();
                blank[1] = 0;
                let at = CellPos::of(puzzle.geometry, 1);
                assert_eq!(check.check(&blank), Err(BoardError::Value { at, value: 0, encoding }));
                let mut other = board.clone();
                other[0] = 2;
                let at = CellPos::of(puzzle.geometry, 0);
                let fixed = Err(BoardError::Fixed { at, value: 2, fixed: 1 });
                assert_eq!(check.check(&other), fixed);
                // One value more and one less.
                let mut other = board.clone();
                let cell = space.free[slot as usize % space.free.len()];
                other[cell] = 2 + (other[cell] - 1) % 3;
                assert_eq!(check.check(&other).is_err(), !groups.is_empty(), "{encoding}");
                assert!(check.check(&board[1..]).is_err());
            }
        }
    }
}
