//! Boards: their geometry, the puzzle to solve, and populations of packed boards.

mod geometry;
mod population;
mod puzzle;
mod sample;
mod space;

pub use geometry::{Geometry, GeometryError, MAX_SIDE, MIN_SIDE, Unit, UnitKind};
pub use population::{Population, PopulationError};
pub use puzzle::{Place, Puzzle};
pub use sample::complete_board;
pub use space::SearchSpace;

/// The value of a cell that holds none.
pub const BLANK: u8 = 0;
