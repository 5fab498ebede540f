//! Boards: their geometry, the puzzle to solve, and populations of packed boards.

mod around;
mod geometry;
pub(crate) mod marks;
pub(crate) mod matching;
mod population;
mod presolve;
mod puzzle;
mod sample;
mod space;
mod unsolvable;
mod verify;

pub(crate) use around::Around;
pub use geometry::{Geometry, GeometryError, MAX_SIDE, MIN_SIDE, Unit, UnitKind};
pub use population::{Population, PopulationError};
pub use presolve::{Area, Contradiction, Contradictory, Presolve, presolve};
pub use puzzle::{Place, Puzzle, PuzzleError};
pub use sample::complete_board;
pub use space::SearchSpace;
pub use unsolvable::unsolvable;
pub use verify::{Flaw, verify};

/// The value of a cell that holds none.
pub const BLANK: u8 = 0;
