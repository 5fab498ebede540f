//! Scoring on all cores, with the scalar truth for each board.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;

use rayon::prelude::*;

use super::{Evaluator, EvaluatorError, PhaseTimes, Scored, UNWRITTEN, fitness};
use crate::board::Geometry;

/// Boards in a chunk unless another number is asked for.
const CHUNK_LEN: usize = 1 << 14;
/// Boards that one task scores: enough to hide what a task costs.
const TASK_LEN: usize = 1 << 10;

/// Scores on the threads of the current rayon pool.
///
/// All cores are busy with breeding anyway, so a chunk is scored when it is submitted.
#[derive(Debug)]
pub struct CpuEvaluator {
    geometry: Geometry,
    chunk_len: usize,
    done: VecDeque<Chunk>,
    collected: Chunk,
    /// Buffers of chunks that were collected, to serve again.
    spare: Vec<Chunk>,
}

#[derive(Debug, Default)]
struct Chunk {
    range: Range<usize>,
    scores: Vec<u16>,
    times: PhaseTimes,
}

impl CpuEvaluator {
    /// An evaluator of chunks of `chunk_len` boards, or of as many as suit it.
    pub fn new(geometry: Geometry, chunk_len: Option<usize>) -> Self {
        Self {
            geometry,
            chunk_len: chunk_len.unwrap_or(CHUNK_LEN).max(1),
            done: VecDeque::new(),
            collected: Chunk::default(),
            spare: Vec::new(),
        }
    }
}

impl Evaluator for CpuEvaluator {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn chunk_len(&self) -> usize {
        self.chunk_len
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        let start = Instant::now();
        let (geometry, stride) = (self.geometry, self.geometry.stride());
        let mut chunk = self.spare.pop().unwrap_or_default();
        chunk.range = range;
        chunk.scores.clear();
        chunk.scores.resize(chunk.range.len(), UNWRITTEN);
        chunk.scores.par_chunks_mut(TASK_LEN).zip(boards.par_chunks(TASK_LEN * stride)).for_each(
            |(scores, boards)| {
                for (score, board) in scores.iter_mut().zip(boards.chunks_exact(stride)) {
                    *score = fitness(geometry, board);
                }
            },
        );
        chunk.times = PhaseTimes { kernel: start.elapsed(), ..PhaseTimes::default() };
        self.done.push_back(chunk);
        Ok(())
    }

    fn collect(&mut self) -> Result<Scored<'_>, EvaluatorError> {
        let oldest = self.done.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.spare.push(std::mem::replace(&mut self.collected, oldest));
        let Chunk { range, scores, times } = &self.collected;
        Ok(Scored { range: range.clone(), scores, times: *times })
    }
}
