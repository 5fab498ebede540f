//! What a text does not say about itself.

use super::Alphabet;
use crate::board::Geometry;

/// What a text does not say about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The boxes; without it the squarest shape with no more rows than columns is taken.
    pub shape: Option<Geometry>,
    /// What each character stands for, where one character is a cell.
    pub alphabet: Option<Alphabet>,
}
