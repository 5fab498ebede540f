//! Document 004's integer program: one binary variable for each cell and value.
//!
//! `x[r][c][v] = 1` says that row r, column c holds v. Four families of equations, each with one
//! equation for each unit and value (or each cell): every cell holds one value, and every row, column and box
//! holds each value once. A given is the equation `x = 1`. There is nothing to minimise. On 9x9
//! these are 729 variables and 324 equations, as in Bartlett, Chartier, Langville & Rankin, *An
//! integer programming model for the Sudoku problem*, Journal of Online Mathematics and its
//! Applications 8, 2008.
//!
//! The document solves it with PuLP, this program with microlp (simplex, then branch and bound),
//! which is built in with the cargo feature `ilp`. On easy puzzles the relaxation is integral at
//! the root; on hard ones branch and bound may take very long, as it did in the document.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use evodoku::exact::{IntegerProgramError, Program, integer_program};
//! use evodoku::format;
//!
//! let puzzle = format::read("1... .2.. ..3. ...4", "small", None)?.puzzle;
//! match integer_program(&puzzle, None, &AtomicBool::new(false)) {
//!     Ok(Program::Solved { board, .. }) => assert_eq!(board[0], 1),
//!     other => assert_eq!(other, Err(IntegerProgramError::NotBuilt)),
//! }
//! # Ok::<(), format::FormatError>(())
//! ```

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use thiserror::Error;

use crate::board::Puzzle;

/// The solver's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A feasible integral point.
    Solved {
        /// The board, one value a cell; not checked yet.
        board: Vec<u8>,
        /// Nodes of branch and bound; 0 when the relaxation was integral.
        nodes: u64,
    },
    /// There is no feasible point, up to floating-point accuracy.
    Infeasible,
    /// The time limit was reached.
    Time {
        /// Nodes of branch and bound.
        nodes: u64,
    },
    /// The user interrupted it.
    Interrupted {
        /// Nodes of branch and bound.
        nodes: u64,
    },
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IntegerProgramError {
    /// This build of the program lacks the feature `ilp`.
    #[error(
        "this program was built without the feature ilp: cargo install --path . --features ilp"
    )]
    NotBuilt,
    /// The solver reported an error.
    #[error("the integer program's solver failed: {0}")]
    Solver(String),
}

/// Solves the integer program of a puzzle until `limit` or until `interrupted` is set.
///
/// # Errors
/// [`IntegerProgramError::NotBuilt`] without the feature `ilp`, else the error that the solver reported.
pub fn integer_program(
    puzzle: &Puzzle,
    limit: Option<Duration>,
    interrupted: &AtomicBool,
) -> Result<Program, IntegerProgramError> {
    #[cfg(feature = "ilp")]
    return super::microlp::solve(puzzle, limit, interrupted);
    #[cfg(not(feature = "ilp"))]
    {
        let _ = (puzzle, limit, interrupted);
        Err(IntegerProgramError::NotBuilt)
    }
}
