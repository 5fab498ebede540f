//! The evaluator of the CPU: all cores, with vector instructions on each.

use std::collections::VecDeque;
use std::ops::Range;

use super::evaluator::check_bytes;
use super::score_boards::{TASK_LEN, score_tasks};
use super::{
    Evaluator, EvaluatorError, PhaseTimes, ScoredChunk, SimdLevel, UNWRITTEN, UnsupportedSimd,
};
use crate::board::Geometry;
use crate::util::clock::Instant;

/// Bytes of a chunk by default: few enough for the cache that cores share, which still holds boards that
/// were just bred.
const CHUNK_BYTES: usize = 4 << 20;

/// Scores on the threads of the current rayon pool, with the best vector instructions of the machine.
///
/// All cores are busy with breeding anyway, so a chunk is scored when it is submitted.
/// [`SimdLevel::score`] scores on the calling thread alone.
#[derive(Debug)]
pub struct CpuEvaluator {
    geometry: Geometry,
    level: SimdLevel,
    chunk_len: usize,
    done: VecDeque<CpuChunk>,
    collected: CpuChunk,
    /// Buffers of chunks that were collected, to be used again.
    spare: Vec<CpuChunk>,
}

#[derive(Debug, Default)]
struct CpuChunk {
    range: Range<usize>,
    scores: Vec<u16>,
    times: PhaseTimes,
}

impl CpuEvaluator {
    /// Creates an evaluator with chunks of `chunk_len` boards (at least 1), or of about 4 MiB by default.
    pub fn new(geometry: Geometry, chunk_len: Option<usize>) -> Self {
        // Whole tasks.
        let tasks = || (CHUNK_BYTES / geometry.stride()).next_multiple_of(TASK_LEN);
        Self {
            geometry,
            level: SimdLevel::best(),
            chunk_len: chunk_len.unwrap_or_else(tasks).max(1),
            done: VecDeque::new(),
            collected: CpuChunk::default(),
            spare: Vec::new(),
        }
    }

    /// Creates an evaluator that uses the vector instructions of `level`; `chunk_len` is as in
    /// [`new`](Self::new).
    ///
    /// # Errors
    /// [`UnsupportedSimd`] when the machine lacks these instructions.
    pub fn with_level(
        geometry: Geometry,
        chunk_len: Option<usize>,
        level: SimdLevel,
    ) -> Result<Self, UnsupportedSimd> {
        Ok(Self { level: level.checked()?, ..Self::new(geometry, chunk_len) })
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
        check_bytes(boards, range.len(), self.geometry)?;
        let start = Instant::now();
        let (geometry, stride, level) = (self.geometry, self.geometry.stride(), self.level);
        let mut chunk = self.spare.pop().unwrap_or_default();
        chunk.range = range;
        chunk.scores.clear();
        chunk.scores.resize(chunk.range.len(), UNWRITTEN);
        // A thread mostly takes the next task, whose boards the task before has prefetched.
        score_tasks(&mut chunk.scores, |first, scores| {
            level.score(geometry, &boards[first * stride..], scores);
        });
        chunk.times = PhaseTimes { kernel: start.elapsed(), ..PhaseTimes::default() };
        self.done.push_back(chunk);
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        let oldest = self.done.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.spare.push(std::mem::replace(&mut self.collected, oldest));
        let CpuChunk { range, scores, times } = &self.collected;
        Ok(ScoredChunk { range: range.clone(), scores, times: *times })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};

    #[test]
    fn a_default_chunk_is_whole_tasks_of_about_chunk_bytes() {
        for geometry in (MIN_SIDE..=MAX_SIDE).filter_map(Geometry::squarest) {
            let chunk = CpuEvaluator::new(geometry, None).chunk_len();
            let task = TASK_LEN * geometry.stride();
            assert_eq!(chunk % TASK_LEN, 0, "{geometry}");
            let beyond = (chunk * geometry.stride()).checked_sub(CHUNK_BYTES - geometry.stride());
            assert!(beyond.is_some_and(|bytes| bytes <= task + geometry.stride()), "{geometry}");
        }
        let nine = Geometry::new(3, 3).unwrap();
        assert_eq!(CpuEvaluator::new(nine, Some(7)).chunk_len(), 7);
        assert_eq!(CpuEvaluator::new(nine, Some(0)).chunk_len(), 1);
    }
}
