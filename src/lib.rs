//! Sudoku boards evolved in very large populations, a whole population scored at once on the GPU.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! The host breeds packed boards in parallel, slot by slot, from random draws that depend on
//! nothing but the seed, the generation and the slot; an [`Evaluator`](score::Evaluator) scores
//! them chunk by chunk on the CPU or on a GPU. The same configuration and seed give the same run
//! on any number of threads, with any chunk size and on any device.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use evodoku::evolve::{Preset, Run, Settings};
//! use evodoku::format;
//! use evodoku::propagate::presolve;
//! use evodoku::score::{CpuEvaluator, Pipeline};
//!
//! let puzzle = format::load("ai-escargot", None)?.puzzle;
//! let settings = Settings::of(Preset::Memetic);
//! let space = presolve(&puzzle, settings.presolve())?;
//! let config = settings.config(&space); // what was not set follows from the puzzle
//!
//! let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(puzzle.geometry, None)));
//! let run = Run { space: &space, config: &config, seed: 1, interrupted: &AtomicBool::new(false) };
//! let outcome = run.evolve(&mut pipeline, &mut ())?;
//!
//! assert!(outcome.solved()); // and checked by `verify`, which shares no code with scoring
//! println!("{}", format::grid(puzzle.geometry, &outcome.board));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to look: [`board`] for geometry and packed populations, [`format`](mod@format) for
//! reading and writing puzzles, [`propagate`] for presolve, [`evolve`] for the generation loop and
//! its operators, [`score`] for evaluators, [`gpu`] for adapters, [`random`] for the generator,
//! [`verify`](mod@verify) for the checker, [`report`] for traces and exports.

pub mod bench;
pub mod board;
pub mod bounded;
pub mod device;
pub mod evolve;
pub mod exact;
pub mod experiment;
pub mod format;
pub mod generate;
pub mod gpu;
pub mod matching;
pub mod memory;
pub mod named;
pub mod ordered;
mod prefetch;
pub mod propagate;
pub mod random;
pub mod report;
pub mod score;
pub mod verify;

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 1;
