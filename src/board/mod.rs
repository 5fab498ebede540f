//! Boards: their geometry, the puzzle to solve, and populations of packed boards.

pub(crate) mod candidate_grid;
mod geometry;
pub(crate) mod matching;
mod peers;
mod population;
mod presolve;
mod puzzle;
mod search_space;
mod unsolvable;
mod verify;

pub use geometry::{Geometry, GeometryError, MAX_SIDE, MIN_SIDE, Unit, UnitKind};
pub(crate) use peers::PeerScan;
pub use population::{Population, PopulationError};
pub use presolve::{Contradiction, Presolve, Region, UnsolvableError, presolve};
pub use puzzle::{CellPos, Puzzle, PuzzleError};
pub use search_space::SearchSpace;
pub use unsolvable::unsolvable;
pub use verify::{VerifyError, verify};

/// The value of a cell that holds none.
pub const BLANK: u8 = 0;
