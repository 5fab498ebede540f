//! Scoring a population on the CPU; `src/fitness/mod.rs` of evodoku has the contract of all evaluators.

mod cpu;
mod evaluator;
mod pipeline;
mod reference;
mod score_boards;
mod simd;
mod simd_level;

pub use cpu::CpuEvaluator;
pub use evaluator::{
    Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes, ScoredChunk, UNWRITTEN, check_bytes,
    first_unwritten, next_chunk, overlapping_len,
};
pub use pipeline::{GenerationTimes, Pipeline};
pub use reference::{fitness, unit_duplicates};
pub use score_boards::{ScoreBoardsError, score_boards, score_boards_into};
pub use simd_level::{SimdLevel, UnsupportedSimd};
