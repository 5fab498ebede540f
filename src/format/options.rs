//! How to read a text that is ambiguous.

use super::Alphabet;
use crate::board::Geometry;

/// How to read a text that is ambiguous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The box shape; without it the squarest shape with no more rows than columns is used.
    pub shape: Option<Geometry>,
    /// The values of characters, where one character is a cell.
    pub alphabet: Option<Alphabet>,
}
