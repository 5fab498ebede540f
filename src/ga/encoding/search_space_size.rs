//! How many boards an encoding has to search, as powers of ten.
//!
//! ```
//! use evodoku::board::{Presolve, presolve};
//! use evodoku::ga::encoding::Encoding;
//! use evodoku::format;
//!
//! let puzzle = format::load("000-notebook", None)?.puzzle;
//! let space = presolve(&puzzle, Presolve::None).unwrap();
//! let magnitude = |encoding: Encoding| encoding.magnitude(&space).round();
//! assert_eq!([Encoding::Cells, Encoding::Board, Encoding::Columns].map(magnitude), [38.0, 32.0, 16.0]);
//! # Ok::<(), format::InputError>(())
//! ```

use super::{Encoding, PermutationGroup};
use crate::board::SearchSpace;

impl Encoding {
    /// The logarithm, to base 10, of the number of boards that keep the fixed cells and what the encoding
    /// promises. Where presolve has taken away candidates there are at most as many.
    pub fn magnitude(self, space: &SearchSpace) -> f64 {
        let any = f64::from(space.geometry().side() as u32);
        // An empty sum of floats is -0.
        0.0 + match self {
            Self::Cells => space.free.len() as f64 * any.log10(),
            Self::Candidates => candidates(space.free.iter().map(|cell| &space.candidates[*cell])),
            Self::Board => board(space),
            Self::Boxes | Self::Rows | Self::Columns => {
                self.groups(space).iter().map(permutations).sum()
            }
        }
    }
}

/// Of any candidate in each blank.
fn candidates<'a>(sets: impl Iterator<Item = &'a u64>) -> f64 {
    sets.map(|set| f64::from(set.count_ones().max(1)).log10()).sum()
}

/// Of the orders of a group's values, or of its candidates where these leave less.
fn permutations(group: &PermutationGroup) -> f64 {
    factorial(group.blanks.len()).min(candidates(group.candidates.iter()))
}

/// Of the orders of the board's missing values, of which equal ones make no difference.
fn board(space: &SearchSpace) -> f64 {
    let side = space.geometry().side();
    let cells = space.geometry().cells();
    let missing = |value: usize| {
        let held = space.fixed[..cells].iter().filter(|held| usize::from(**held) == value).count();
        side.saturating_sub(held)
    };
    factorial(space.free.len()) - (1..=side).map(|value| factorial(missing(value))).sum::<f64>()
}

/// The logarithm of `count!`.
fn factorial(count: usize) -> f64 {
    (2..=count as u32).map(|factor| f64::from(factor).log10()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn candidates_that_are_gone_make_a_space_smaller() {
        let mut space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(Encoding::Candidates.magnitude(&space), 16.0 * 4f64.log10()));
        assert!(near(Encoding::Rows.magnitude(&space), 4.0 * 24f64.log10()));
        // The first cell has one candidate left, the second two: its row has 1 * 2 * 4 * 4 choices at
        // most, which is more than the orders of its values, and with two more of two, 1 * 2 * 2 * 2.
        (space.candidates[0], space.candidates[1]) = (0b1, 0b11);
        assert!(near(Encoding::Candidates.magnitude(&space), 14.0 * 4f64.log10() + 2f64.log10()));
        assert!(near(Encoding::Rows.magnitude(&space), 4.0 * 24f64.log10()));
        (space.candidates[2], space.candidates[3]) = (0b110, 0b1100);
        assert!(near(Encoding::Rows.magnitude(&space), 8f64.log10() + 3.0 * 24f64.log10()));
        assert!(near(Encoding::Cells.magnitude(&space), 16.0 * 4f64.log10()));
    }
}
