//! Encodings: what a board is made of, and what every operator keeps intact.

mod boxes;
mod unit_blanks;

pub use boxes::Boxes;
pub use unit_blanks::UnitBlanks;

use super::operator::family;
use crate::board::{SearchSpace, UnitKind};
use crate::random::Draws;

family! {
    /// What a board is made of.
    pub enum Encoding: EncodingOperator {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes" => Boxes,
    }
}

impl Encoding {
    /// The units whose blanks are permuted.
    pub fn units(self, space: &SearchSpace) -> Vec<UnitBlanks> {
        let kind = match self {
            Self::Boxes => UnitKind::Box,
        };
        space.geometry().units_of(kind).map(|unit| UnitBlanks::new(space, unit)).collect()
    }
}

/// Draws new boards of an encoding.
pub trait EncodingOperator: Send + Sync {
    /// Overwrites `board` (`stride` bytes) with a random one.
    fn initialise(&self, board: &mut [u8], draws: &mut Draws);
}
