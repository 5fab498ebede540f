//! Presolve: the conclusions that the givens alone allow, drawn before evolution starts.
//!
//! Each level includes the lower ones and is repeated until nothing changes, so that the result depends
//! on the puzzle and the level alone, not on the order of the steps. No level removes a value that
//! any solution has. A contradiction is reported with its place.
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

mod fish;
mod probing;
mod subsets;

use thiserror::Error;

use crate::board::candidate_grid::{CandidateGrid, Singles, Worklist};
use crate::board::matching::values_of;
use crate::board::{BLANK, Contradiction, Puzzle, SearchSpace};
use crate::util::named_enum::named;

named! {
    /// How much is derived from the givens before evolution.
    #[derive(PartialOrd, Ord)]
    pub enum Presolve {
        /// Nothing; only givens that repeat in a unit are reported.
        None = "none",
        /// Naked singles: a cell with one candidate holds it.
        Naked = "naked",
        /// Naked and hidden singles: a value with one place in a unit is placed there.
        Singles = "singles",
        /// Singles and naked or hidden subsets of any size: all-different consistency of each unit.
        Subsets = "subsets",
        /// Subsets, and fish of any size: all-different consistency of each value over rows and columns, and over
        /// the lines and boxes of each band and stack.
        Fish = "fish",
        /// Fish, and probing: a candidate is removed if propagating it by singles leads to a contradiction.
        Probing = "probing",
    }
}

/// A puzzle without a solution: every contradiction found at the same point, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.sentence(|value| value.to_string()))]
pub struct UnsolvableError {
    /// The presolve level that found them.
    pub level: Presolve,
    /// The contradictions, at least one.
    pub contradictions: Vec<Contradiction>,
}

impl UnsolvableError {
    /// The sentence with values written so: at most three contradictions, and how many more there are.
    pub fn sentence(&self, symbol: impl Fn(u8) -> String) -> String {
        const MOST: usize = 3;
        let shown = self.contradictions.iter().take(MOST).map(|one| one.sentence(&symbol));
        let mut text = shown.collect::<Vec<_>>().join(", ");
        if let Some(more @ 1..) = self.contradictions.len().checked_sub(MOST) {
            text += &format!(" and {more} more");
        }
        if self.level != Presolve::None {
            text += &format!(" (presolve {})", self.level);
        }
        text
    }
}

/// Derives what `level` allows and returns the remaining search space.
///
/// With [`Presolve::None`] each blank keeps all values as candidates.
///
/// # Errors
/// [`UnsolvableError`] when the puzzle is malformed or is found to have no solution.
pub fn presolve(puzzle: &Puzzle, level: Presolve) -> Result<SearchSpace, UnsolvableError> {
    let contradictions = match puzzle.check() {
        Ok(()) => repeated_givens(puzzle),
        Err(error) => vec![Contradiction::Malformed(error)],
    };
    if !contradictions.is_empty() {
        return Err(UnsolvableError { level: Presolve::None, contradictions });
    }
    let candidates = match level {
        Presolve::None => givens_alone(puzzle),
        _ => derive(puzzle, level)?.candidates().to_vec(),
    };
    Ok(SearchSpace::new(puzzle.clone(), candidates))
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

/// The candidates without propagation: blanks keep all values.
fn givens_alone(puzzle: &Puzzle) -> Vec<u64> {
    let set = |given: &u8| match *given {
        BLANK => puzzle.geometry.all_values(),
        value => 1 << (value - 1),
    };
    puzzle.givens.iter().map(set).collect()
}

/// The candidates after a level above [`Presolve::None`].
fn derive(puzzle: &Puzzle, level: Presolve) -> Result<CandidateGrid, UnsolvableError> {
    let found =
        |level| move |contradiction| UnsolvableError { level, contradictions: vec![contradiction] };
    let geometry = puzzle.geometry;
    let (base, singles) = match level {
        Presolve::Naked => (Presolve::Naked, Singles::Naked),
        _ => (Presolve::Singles, Singles::Hidden),
    };
    let mut grid = CandidateGrid::new(geometry, singles);
    grid.load_and_propagate(&puzzle.givens).map_err(found(base))?;
    if level == base {
        subsets::check(&grid).map_err(found(base))?;
        return Ok(grid);
    }
    let mut units = Worklist::new(3 * geometry.side());
    let mut values = Worklist::new(geometry.side());
    let mut budget = probing::BUDGET;
    loop {
        subsets::subsets(&mut grid, &mut units).map_err(found(Presolve::Subsets))?;
        let mark = grid.mark();
        if level >= Presolve::Fish {
            fish::fish(&mut grid, &mut values).map_err(found(Presolve::Fish))?;
        }
        if grid.mark() == mark && level >= Presolve::Probing {
            probing::probing(&mut grid, &mut budget).map_err(found(Presolve::Probing))?;
        }
        if grid.mark() == mark {
            return Ok(grid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{CellPos, Geometry, Unit, UnitKind};

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
        let space = presolve(&puzzle, Presolve::Singles).unwrap();
        assert!(space.free.is_empty());
        assert_eq!(crate::fitness::fitness(puzzle.geometry, &space.fixed), 0);
    }

    #[test]
    fn candidates_exclude_values_of_peers() {
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
    fn all_contradictions_and_their_level_are_named() {
        let unit = Unit { kind: UnitKind::Row, index: 3 };
        let place = CellPos { row: 0, column: 8 };
        let contradictions =
            vec![Contradiction::NoPlace { unit, value: 9 }, Contradiction::NoCandidate { place }];
        let both = UnsolvableError { level: Presolve::Singles, contradictions };
        let sentence =
            "row 4 has no place for 9, row 1 column 9 has no candidate left (presolve singles)";
        assert_eq!(both.to_string(), sentence);
    }

    #[test]
    fn each_level_leaves_the_known_number_of_blanks() {
        // Each level fixes some blanks of the first puzzle; of the second, fish fixes none and probing does.
        for (name, expected) in
            [("large-25-50", [312, 309, 237, 182, 157, 95]), ("sato-sd1", [57, 54, 33, 33, 33, 0])]
        {
            let puzzle = crate::format::shipped::puzzle(name);
            let left = |level: &Presolve| presolve(&puzzle, *level).unwrap().free.len();
            let left: Vec<usize> = Presolve::ALL.iter().map(left).collect();
            assert_eq!(left, expected, "{name}");
        }
    }
}
