//! Presolve: pencil marks and singles, to the fixpoint, before anything is evolved.
//!
//! A *naked single* is a cell with one candidate left; a *hidden single* is the only cell of a
//! unit that may still hold a value. What contradicts is reported with its unit and value.
//!
//! ```
//! use evodoku::board::{Geometry, Puzzle};
//! use evodoku::board::{Presolve, presolve};
//!
//! let mut puzzle = Puzzle::blank(Geometry::new(2, 2)?);
//! puzzle.givens[..3].copy_from_slice(&[1, 2, 3]);
//! let space = presolve(&puzzle, Presolve::Naked)?;
//! assert_eq!(space.fixed[3], 4);
//!
//! puzzle.givens[3] = 3;
//! let refused = presolve(&puzzle, Presolve::None).unwrap_err();
//! assert_eq!(refused.to_string(), "row 1 holds 3 twice, box 2 holds 3 twice");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::VecDeque;
use std::fmt;

use thiserror::Error;

use crate::board::matching::{Matching, values_of};
use crate::board::{BLANK, Geometry, Place, Puzzle, SearchSpace, Unit};
use crate::named::named;

named! {
    /// How much is derived from the givens beforehand.
    pub enum Presolve {
        /// Nothing; only givens that repeat in a unit are found.
        None = "none",
        /// Naked singles.
        Naked = "naked",
        /// Naked and hidden singles.
        Full = "full",
    }
}

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A unit holds a value more than once.
    Repeated {
        /// Where.
        unit: Unit,
        /// What.
        value: u8,
        /// How often.
        times: usize,
    },
    /// No cell of a unit may hold a value that it lacks.
    NoPlace {
        /// Where.
        unit: Unit,
        /// What.
        value: u8,
    },
    /// Every value is excluded from a cell.
    NoCandidate {
        /// Where.
        place: Place,
    },
    /// Each blank of a unit has candidates, but not all blanks at once.
    NoMatching {
        /// Where.
        unit: Unit,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { unit, value, times: 2 } => write!(f, "{unit} holds {value} twice"),
            Self::Repeated { unit, value, times } => {
                write!(f, "{unit} holds {value} {times} times")
            }
            Self::NoPlace { unit, value } => write!(f, "{unit} has no place for {value}"),
            Self::NoCandidate { place } => write!(f, "{place} has no candidate left"),
            Self::NoMatching { unit } => {
                write!(f, "{unit} cannot place all its missing values at once")
            }
        }
    }
}

/// A puzzle without a solution: every contradiction found at the same point, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Contradictory(pub Vec<Contradiction>);

impl fmt::Display for Contradictory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, contradiction) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{contradiction}")?;
        }
        Ok(())
    }
}

/// Derives what `level` allows and returns the search space that is left.
///
/// With [`Presolve::None`] each blank keeps all values as candidates.
///
/// # Errors
/// [`Contradictory`] when the puzzle is found to have no solution.
pub fn presolve(puzzle: &Puzzle, level: Presolve) -> Result<SearchSpace, Contradictory> {
    let repeated = repeated_givens(puzzle);
    if !repeated.is_empty() {
        return Err(Contradictory(repeated));
    }
    let mut marks = PencilMarks::new(puzzle.geometry);
    if level == Presolve::None {
        marks.write(&puzzle.givens);
    } else {
        marks
            .propagate(&puzzle.givens, level == Presolve::Full)
            .map_err(|found| Contradictory(vec![found]))?;
    }
    Ok(SearchSpace::new(puzzle.clone(), marks.values, marks.candidates))
}

fn repeated_givens(puzzle: &Puzzle) -> Vec<Contradiction> {
    let geometry = puzzle.geometry;
    let mut found = Vec::new();
    for unit in geometry.units() {
        for value in values_of(geometry.all_values()) {
            let times = geometry.unit_cells(unit).filter(|cell| puzzle.givens[*cell] == value);
            match times.count() {
                0 | 1 => {}
                times => found.push(Contradiction::Repeated { unit, value, times }),
            }
        }
    }
    found
}

/// Candidates of every cell, and the values that are certain.
struct PencilMarks {
    geometry: Geometry,
    values: Vec<u8>,
    candidates: Vec<u64>,
    /// Cells whose value is certain but not yet taken from their peers. Givens come before what is
    /// derived from them, so that no given is said to be without a candidate.
    singles: VecDeque<(usize, u8)>,
}

impl PencilMarks {
    fn new(geometry: Geometry) -> Self {
        Self {
            geometry,
            values: vec![BLANK; geometry.cells()],
            candidates: vec![geometry.all_values(); geometry.cells()],
            singles: VecDeque::new(),
        }
    }

    /// Notes the givens without a thought for their peers.
    fn write(&mut self, givens: &[u8]) {
        for (cell, value) in givens.iter().enumerate().filter(|(_, value)| **value != BLANK) {
            self.values[cell] = *value;
            self.candidates[cell] = 1 << (value - 1);
        }
    }

    fn propagate(&mut self, givens: &[u8], hidden: bool) -> Result<(), Contradiction> {
        let given = |(cell, value): (usize, &u8)| (*value != BLANK).then_some((cell, *value));
        self.singles = givens.iter().enumerate().filter_map(given).collect();
        loop {
            while let Some((cell, value)) = self.singles.pop_front() {
                self.assign(cell, value)?;
            }
            self.find_hidden_singles(hidden)?;
            if self.singles.is_empty() {
                return self.check_matchings();
            }
        }
    }

    /// Fixes a cell and takes its value from its peers.
    fn assign(&mut self, cell: usize, value: u8) -> Result<(), Contradiction> {
        if self.values[cell] == value {
            return Ok(());
        }
        let geometry = self.geometry;
        let bit = 1 << (value - 1);
        if self.candidates[cell] & bit == 0 {
            return Err(self.no_candidate(cell));
        }
        self.values[cell] = value;
        self.candidates[cell] = bit;
        for unit in geometry.units_with(cell) {
            for peer in geometry.unit_cells(unit).filter(|peer| *peer != cell) {
                if self.candidates[peer] & bit == 0 {
                    continue;
                }
                self.candidates[peer] &= !bit;
                match self.candidates[peer].count_ones() {
                    0 => return Err(self.no_candidate(peer)),
                    1 => {
                        let single = self.candidates[peer].trailing_zeros() as u8 + 1;
                        self.singles.push_back((peer, single));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Finds values without a place, and notes those with a single place if `take` says so.
    fn find_hidden_singles(&mut self, take: bool) -> Result<(), Contradiction> {
        for unit in self.geometry.units() {
            let (mut once, mut more) = (0u64, 0u64);
            for cell in self.geometry.unit_cells(unit) {
                more |= once & self.candidates[cell];
                once |= self.candidates[cell];
            }
            if let Some(value) = values_of(self.geometry.all_values() & !once).next() {
                return Err(Contradiction::NoPlace { unit, value });
            }
            if !take {
                continue;
            }
            for cell in self.geometry.unit_cells(unit) {
                let single = self.candidates[cell] & !more;
                if single != 0 && self.values[cell] == BLANK {
                    self.singles.push_back((cell, single.trailing_zeros() as u8 + 1));
                }
            }
        }
        Ok(())
    }

    /// Whether the blanks of every unit can hold different candidates.
    fn check_matchings(&self) -> Result<(), Contradiction> {
        for unit in self.geometry.units() {
            let candidates: Vec<u64> =
                self.geometry.unit_cells(unit).map(|cell| self.candidates[cell]).collect();
            let mut matching = Matching::new(&candidates);
            if !(0..candidates.len()).all(|blank| matching.augment(blank)) {
                return Err(Contradiction::NoMatching { unit });
            }
        }
        Ok(())
    }

    fn no_candidate(&self, cell: usize) -> Contradiction {
        Contradiction::NoCandidate { place: Place::of(self.geometry, cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classic(line: &str) -> Puzzle {
        let digit = |c: char| c.to_digit(10).unwrap_or(0) as u8;
        Puzzle {
            name: "test".into(),
            geometry: Geometry::new(3, 3).unwrap(),
            givens: line.chars().map(digit).collect(),
        }
    }

    const PUZZLE1: &str =
        "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    const GOLDEN_NUGGET: &str =
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

    #[test]
    fn singles_finish_an_easy_puzzle() {
        let puzzle = classic(PUZZLE1);
        assert_eq!(presolve(&puzzle, Presolve::None).unwrap().free.len(), 51);
        let space = presolve(&puzzle, Presolve::Full).unwrap();
        assert!(space.free.is_empty());
        assert_eq!(crate::score::fitness(puzzle.geometry, &space.fixed), 0);
    }

    #[test]
    fn candidates_exclude_what_peers_hold() {
        let puzzle = classic(GOLDEN_NUGGET);
        let space = presolve(&puzzle, Presolve::Naked).unwrap();
        for cell in space.free.iter().copied() {
            for unit in puzzle.geometry.units_with(cell) {
                for peer in puzzle.geometry.unit_cells(unit) {
                    assert!(!space.allows(cell, space.fixed[peer]));
                }
            }
        }
    }

    #[test]
    fn givens_that_repeat_are_all_named() {
        let puzzle5 = classic(
            "003020600900305001001806400008700060400080300700026000060000280000419005000080079",
        );
        let refused = presolve(&puzzle5, Presolve::None).unwrap_err().to_string();
        for part in ["column 5 holds 2 twice", "column 5 holds 8 twice", "column 6 holds 6 twice"] {
            assert!(refused.contains(part), "{refused}");
        }
    }

    #[test]
    fn a_value_without_a_place_is_named() {
        // Box 1 has no blank in row 1; the 1s in rows 2 and 3 shut out boxes 2 and 3.
        let puzzle = classic(
            "234000000000100000000000100000000000000000000000000000000000000000000000000000000",
        );
        let refused = presolve(&puzzle, Presolve::Naked).unwrap_err();
        assert_eq!(refused.to_string(), "row 1 has no place for 1");
    }
}
