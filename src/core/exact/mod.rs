//! Exact methods: backtracking, an integer program, and functions built on them.
//!
//! [`ExactMethod`] is their common interface, for comparisons with the presets: document 004 compares its
//! genetic algorithm with backtracking and integer programming. [`Backtracking`] also counts
//! solutions, which shows whether a puzzle has none, one or several, and `dig` removes givens
//! from a puzzle and counts the solutions of what is left.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use evodoku::exact::{ExactMethod, MethodEnd};
//! use evodoku::format;
//!
//! let puzzle = format::read("1... .2.. ..3. ...4", "small", None)?.puzzle;
//! let outcome = ExactMethod::Backtracking.solve(&puzzle, None, &AtomicBool::new(false));
//! assert_eq!(outcome.ended, MethodEnd::Solved);
//! assert!(outcome.board.is_some());
//! # Ok::<(), format::FormatError>(())
//! ```

mod backtracking;
mod clue_removal;
mod integer_program;
#[cfg(feature = "ilp")]
mod microlp;
mod solver;

pub use backtracking::{Backtracking, GuessBudget, SearchEnd, Solutions};
pub use clue_removal::{LadderSpec, RemovalOrder, dig};
pub use integer_program::linear_program;
pub use solver::{ExactMethod, MethodEnd, MethodOutcome, is_unique, proves_unsolvable};
