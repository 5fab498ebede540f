//! Sudoku boards evolved in very large populations, a whole population scored at once on the GPU.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! The host breeds packed boards in parallel, slot by slot, from random draws that depend on
//! nothing but the seed, the generation and the slot; an [`Evaluator`](fitness::Evaluator) scores
//! them chunk by chunk on the CPU or on a GPU. The same configuration and seed give the same run
//! on any number of threads, with any chunk size and on any device.
//!
//! ```
//! use evodoku::{Backend, Preset, Solver, format};
//!
//! let puzzle = format::load("ai-escargot", None)?.puzzle;
//! let solver = Solver::new(Preset::Memetic).on(Backend::auto()).seed(1);
//! let outcome = solver.solve(&puzzle)?.outcome;
//!
//! assert!(outcome.solved()); // and checked by `verify`, which shares no code with scoring
//! println!("{}", format::grid(puzzle.geometry, &outcome.board));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules: [`board`] has geometry, packed populations, presolve and the checker; [`format`](mod@format)
//! reads and writes puzzles; [`ga`] has the generation loop and its operators; [`fitness`] has the
//! evaluators; `device` has adapters and the engine that runs wholly on them; [`random`] has the random
//! number generator; [`exact`] has methods that prove their result; `experiment` carries out many runs and
//! compares them; `tune` tunes parameters by iterated racing; `ranks` has the processes of an MPI job.
//!
//! # Features
//! `gpu`: graphics adapters, scoring and evolving on them. `cli`: the command, with experiments
//! and the bench. `plot`: their plots. These three are the default. `ilp`: the integer program of
//! document 004. `mpi`: lists, experiments and islands over the ranks of an MPI job. Without features the
//! crate has boards, formats, presolve, operators, the host engine and scoring on the CPU.

// A backend holds backends and is shared among threads; to prove that it may be, the compiler recurses deeply.
#![recursion_limit = "256"]

#[cfg(all(feature = "cli", feature = "gpu"))]
mod bench;
pub mod board;
#[cfg(feature = "cli")]
mod bounded;
#[cfg(feature = "cli")]
mod checkpoint;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "gpu")]
pub mod device;
pub mod exact;
#[cfg(feature = "cli")]
pub mod experiment;
pub mod fitness;
pub mod format;
pub mod ga;
mod generate;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "cli")]
mod interrupt;
#[cfg(feature = "cli")]
mod lock;
mod memory;
mod named_enum;
mod plural;
mod prefetch;
mod quantity;
pub mod random;
#[cfg(feature = "cli")]
pub mod ranks;
#[cfg(feature = "cli")]
mod report;
mod sanitize;
#[cfg(feature = "cli")]
mod seal;
mod solver;
mod spread;
#[cfg(feature = "cli")]
mod statistics;
#[cfg(feature = "cli")]
pub mod tune;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::main as command;
/// Readers of untrusted files, public only for the fuzz targets (`tests/attacks`).
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod attacked {
    pub use crate::cli::{ReadCheckpoint, checkpoint_bytes};
    pub use crate::report::read_recording;
    pub use crate::seal::seal;
}
pub use ga::Preset;
pub use generate::{
    GenerateError, Generator, PuzzleSpec, PuzzleSpecError, min_clues, random_board,
};
pub use named_enum::UnknownName;
pub use solver::{
    Backend, BackendError, BackendInfo, Elsewhere, Errand, Finished, Maker, Pool, SolveError,
    Solver, Worker,
};
pub use spread::Delivery;

/// The version of results: it increases whenever the same configuration and seed give a different run.
pub const RESULTS_VERSION: u32 = 5;
