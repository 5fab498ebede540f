//! Scoring a population: one contract for all evaluators.
//!
//! `fitness = 3 n² − Σ distinct values 1..=n over rows, columns and boxes`: 0 for a solved board,
//! the number of duplicates for a full one. A blank, or a byte above `n`, is no value. All
//! evaluators agree on every byte pattern.
//!
//! A population is scored in chunks, so that the breeding, upload, kernel and readback of
//! successive chunks can overlap:
//!
//! ```
//! use evodoku::board::{Geometry, Population};
//! use evodoku::fitness::{CpuEvaluator, Evaluator};
//!
//! let geometry = Geometry::new(2, 2)?;
//! let mut population = Population::new(geometry, 2)?;
//! population.bytes_mut()[..16].copy_from_slice(&[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]);
//! let mut scores = vec![0; 2];
//! CpuEvaluator::new(geometry, None).score(population.bytes(), &mut scores)?;
//! assert_eq!(scores, [0, 48]); // solved, and all blank
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cpu;
mod evaluator;
mod pipeline;
mod reference;
mod score_boards;
mod simd;
mod simd_level;

pub use cpu::CpuEvaluator;
pub use evaluator::{Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes, ScoredChunk, UNWRITTEN};
pub use pipeline::{GenerationTimes, Pipeline};
pub use reference::fitness;
pub use score_boards::{ScoreBoardsError, score_boards, score_boards_into};
pub use simd_level::{SimdLevel, UnsupportedSimd};
