//! Boards: their geometry, the puzzle to solve, and populations of packed boards.

pub(crate) mod candidate_grid;
mod contradiction;
mod geometry;
#[doc(hidden)]
pub mod matching;
mod population;
mod presolve;
mod puzzle;
mod search_space;
mod verify;

pub use contradiction::{Contradiction, Region};
pub use geometry::{Geometry, GeometryError, MAX_SIDE, MIN_SIDE, Unit, UnitKind};
pub use population::{Population, PopulationError};
pub use presolve::{Presolve, UnsolvableError, presolve};
pub use puzzle::{CellPos, Puzzle, PuzzleError};
pub use search_space::{PeerScan, SearchSpace};
pub use verify::{VerifyError, verify};

/// The value of a cell that holds none.
pub const BLANK: u8 = 0;
