//! Encodings: what a board is made of, and what every operator keeps intact.

mod board_check;
mod permutation_group;

use super::ConfigError;
use super::operator::{BuildContext, FromContext, common_methods, family};
use crate::board::{SearchSpace, UnitKind};
use crate::random::Draws;

pub use super::operator_names::Encoding;
pub use board_check::{BoardCheck, BoardError};
pub use permutation_group::PermutationGroup;

super::operator_names::encodings!();

impl Encoding {
    /// Returns the kind of the units that are permuted, if any are.
    pub fn unit_kind(self) -> Option<UnitKind> {
        match self {
            Self::Boxes => Some(UnitKind::Box),
            Self::Rows => Some(UnitKind::Row),
            Self::Columns => Some(UnitKind::Column),
            Self::Board | Self::Cells | Self::Candidates => None,
        }
    }

    /// Returns the blanks that are permuted among themselves, group by group. Where any value may be
    /// in any blank there is no group.
    #[doc(hidden)]
    pub fn groups(self, space: &SearchSpace) -> Vec<PermutationGroup> {
        match (self, self.unit_kind()) {
            (_, Some(kind)) => space
                .geometry()
                .units_of(kind)
                .map(|unit| PermutationGroup::of_unit(space, unit))
                .collect(),
            (Self::Board, None) => vec![PermutationGroup::of_board(space)],
            (_, None) => Vec::new(),
        }
    }

    /// Returns the values that each cell of the board may hold: its candidates, all values for the free cells with
    /// `cells`, and in a permutation those that its group lets it hold.
    #[doc(hidden)]
    pub fn cell_values(self, space: &SearchSpace) -> Vec<u64> {
        let mut sets = space.candidates.clone();
        if self == Self::Cells {
            space.free.iter().for_each(|cell| sets[*cell] = space.geometry().all_values());
        }
        for group in self.groups(space) {
            group.blanks.iter().zip(group.candidates).for_each(|(cell, set)| sets[*cell] = set);
        }
        sets
    }

    /// Returns the logarithm, to base 10, of the number of boards that keep the fixed cells and the
    /// promises of the encoding. Where presolve has removed candidates there are at most as many.
    ///
    /// ```
    /// use evodoku::board::{Presolve, presolve};
    /// use evodoku::format;
    /// use evodoku::ga::encoding::Encoding;
    ///
    /// let puzzle = format::load("000-notebook", None)?.puzzle;
    /// let space = presolve(&puzzle, Presolve::None).unwrap();
    /// let magnitude = |encoding: Encoding| encoding.magnitude(&space).round();
    /// let encodings = [Encoding::Cells, Encoding::Board, Encoding::Columns];
    /// assert_eq!(encodings.map(magnitude), [38.0, 32.0, 16.0]);
    /// # Ok::<(), format::InputError>(())
    /// ```
    pub fn magnitude(self, space: &SearchSpace) -> f64 {
        let values = f64::from(space.geometry().side() as u32);
        // An empty sum of floats is -0.
        0.0 + match self {
            Self::Cells => space.free.len() as f64 * values.log10(),
            Self::Candidates => choices(space.free.iter().map(|cell| space.candidates[*cell])),
            Self::Board => board_permutations(space),
            Self::Boxes | Self::Rows | Self::Columns => {
                self.groups(space).iter().map(permutations).sum()
            }
        }
    }
}

/// The logarithm of the number of choices of a candidate from each set.
fn choices(sets: impl Iterator<Item = u64>) -> f64 {
    sets.map(|set| f64::from(set.count_ones().max(1)).log10()).sum()
}

/// That of the orders of a group's values, or of the choices of its candidates where these are fewer.
fn permutations(group: &PermutationGroup) -> f64 {
    factorial(group.blanks.len()).min(choices(group.candidates.iter().copied()))
}

/// That of the orders of the board's missing values; an exchange of equal ones makes no other order.
fn board_permutations(space: &SearchSpace) -> f64 {
    let fixed = &space.fixed[..space.geometry().cells()];
    let missing = |value: usize| {
        let given = fixed.iter().filter(|given| usize::from(**given) == value).count();
        space.geometry().side().saturating_sub(given)
    };
    let equal = (1..=space.geometry().side()).map(|value| factorial(missing(value)));
    factorial(space.free.len()) - equal.sum::<f64>()
}

/// The logarithm of `count!`.
fn factorial(count: usize) -> f64 {
    (2..=count as u32).map(|factor| f64::from(factor).log10()).sum()
}

/// Draws new boards of an encoding.
///
/// A custom operator draws boards in its own way, but keeps the promises of the configuration's
/// encoding, on which the other operators rely: fixed cells, and permuted units where the
/// groups of the context say so. A board depends on its draws alone.
pub trait EncodingOperator: copies::Duplicate + Send + Sync {
    /// Overwrites `board`, a packed board of `stride` bytes, with a random full one whose padding is
    /// zero.
    fn initialise(&self, board: &mut [u8], draws: &mut Draws);

    common_methods!();
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
