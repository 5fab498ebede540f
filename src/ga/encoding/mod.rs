//! Encodings: what a board is made of, and what every operator keeps intact.

mod permutation_group;
mod search_space_size;

use super::ConfigError;
use super::operator::{BuildContext, family, type_name};
use crate::board::{SearchSpace, UnitKind};
use crate::random::Draws;

pub(crate) use permutation_group::PermutationGroup;

family! {
    /// What a board is made of.
    pub enum Encoding: EncodingOperator {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes" => unit_permutation::UnitPermutation,
        /// Each row is a permutation of its missing values.
        Rows = "rows" => UnitPermutation,
        /// Each column is a permutation of its missing values.
        Columns = "columns" => UnitPermutation,
        /// The missing values of the whole board, permuted over all blanks.
        Board = "board" => board::BoardPermutation,
        /// Any value in any blank.
        Cells = "cells" => candidates::Candidates,
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
}

/// Draws new boards of an encoding.
///
/// One of the user's own draws boards in its own way, but keeps what the configuration's encoding
/// promises, since the other operators rely on it: fixed cells, and permuted units where its
/// groups say so. A board depends on its draws alone.
pub trait EncodingOperator: copies::Duplicate + Send + Sync {
    /// Overwrites `board`, a packed one of `stride` bytes, with a random full one whose padding is
    /// zero.
    fn initialise(&self, board: &mut [u8], draws: &mut Draws);

    /// Name in reports.
    fn name(&self) -> &str {
        type_name::<Self>()
    }

    /// Prepares a custom operator for the puzzle and configuration, before the run.
    ///
    /// # Errors
    /// Why it cannot work there.
    fn prepare(&mut self, context: &BuildContext) -> Result<(), ConfigError> {
        let _ = context;
        Ok(())
    }
}
