//! Encodings: what a board is made of, and what every operator keeps intact.

mod board;
mod candidates;
mod group;
mod unit_permutation;

pub use board::BoardPermutation;
pub use candidates::Candidates;
pub use group::Group;
pub use unit_permutation::UnitPermutation;

use super::operator::family;
use crate::board::{SearchSpace, UnitKind};
use crate::random::Draws;

family! {
    /// What a board is made of.
    pub enum Encoding: EncodingOperator {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes" => UnitPermutation,
        /// Each row is a permutation of its missing values.
        Rows = "rows" => UnitPermutation,
        /// Each column is a permutation of its missing values.
        Columns = "columns" => UnitPermutation,
        /// The missing values of the whole board, permuted over all blanks.
        Board = "board" => BoardPermutation,
        /// Any value in any blank.
        Cells = "cells" => Candidates,
        /// Any candidate in any free cell.
        Candidates = "candidates" => Candidates,
    }
}

impl Encoding {
    /// The kind of unit that is permuted, if one is.
    pub fn unit_kind(self) -> Option<UnitKind> {
        match self {
            Self::Boxes => Some(UnitKind::Box),
            Self::Rows => Some(UnitKind::Row),
            Self::Columns => Some(UnitKind::Column),
            Self::Board | Self::Cells | Self::Candidates => None,
        }
    }

    /// The blanks that are permuted among themselves, group by group. Where any value may stand
    /// in any blank there is no group.
    pub fn groups(self, space: &SearchSpace) -> Vec<Group> {
        match (self, self.unit_kind()) {
            (_, Some(kind)) => {
                space.geometry().units_of(kind).map(|unit| Group::of_unit(space, unit)).collect()
            }
            (Self::Board, None) => vec![Group::of_board(space)],
            (_, None) => Vec::new(),
        }
    }
}

/// Draws new boards of an encoding.
pub trait EncodingOperator: Send + Sync {
    /// Overwrites `board` (`stride` bytes) with a random one.
    fn initialise(&self, board: &mut [u8], draws: &mut Draws);
}
