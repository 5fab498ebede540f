//! Breeds and scores a population chunk by chunk, and survives faults of the device.
//!
//! While up to [`IN_FLIGHT`] chunks are in flight, one in each phase, the next is bred. When the
//! evaluator fails, the chunks in flight are scored again from host memory: after the first fault in
//! chunks of the same size, after a second in smaller ones, after a third on the CPU, which then scores
//! everything that follows. Scores do not depend on the evaluator or the chunks, so the run continues
//! as if nothing had happened.

use std::collections::VecDeque;
use std::ops::{AddAssign, Range};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::evaluator::{next_chunk, overlapping_len};
use super::{CpuEvaluator, Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes};
use crate::board::{Geometry, Population};
use crate::util::clock::Instant;

/// Chunks become smaller by this factor after a second fault.
const SMALLER: usize = 8;

/// An evaluator with the CPU as its fallback.
pub struct Pipeline {
    evaluator: Box<dyn Evaluator>,
    /// The first fault, and the one after which the CPU took over.
    fault: Option<EvaluatorError>,
    given_up: Option<EvaluatorError>,
    /// Faults so far.
    faults: u32,
    /// Slots that are bred and not yet submitted, and slots in flight.
    waiting: VecDeque<Range<usize>>,
    out: VecDeque<Range<usize>>,
}

/// Time spent on a population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationTimes {
    /// Breeding.
    pub breed: Duration,
    /// Scoring.
    pub score: PhaseTimes,
}

impl GenerationTimes {
    /// Returns the longer time of each part, for populations that were bred in parallel.
    pub fn longer(self, other: Self) -> Self {
        Self { breed: self.breed.max(other.breed), score: self.score.longer(other.score) }
    }
}

impl AddAssign for GenerationTimes {
    fn add_assign(&mut self, other: Self) {
        self.breed += other.breed;
        self.score += other.score;
    }
}

impl Pipeline {
    /// Creates a pipeline that scores with `evaluator` until it fails for good.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Self {
        Self {
            evaluator,
            fault: None,
            given_up: None,
            faults: 0,
            waiting: VecDeque::with_capacity(IN_FLIGHT + 1),
            out: VecDeque::with_capacity(IN_FLIGHT),
        }
    }

    /// Returns the first fault of the evaluator, if any.
    pub fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    /// Returns the fault after which the CPU took over, if it did.
    pub fn given_up(&self) -> Option<&EvaluatorError> {
        self.given_up.as_ref()
    }

    /// Breeds all boards with `breed`, which gets a range of slots and their boards to overwrite, and
    /// writes their fitness to `scores`, one score per slot. When `breed` returns false, the population is
    /// abandoned and the result is `None`.
    ///
    /// # Errors
    /// [`EvaluatorError::Shape`] when the evaluator scores another geometry, and errors of the CPU once it
    /// has taken over.
    pub fn fill(
        &mut self,
        boards: &mut Population,
        scores: &mut [u16],
        mut breed: impl FnMut(Range<usize>, &mut [u8]) -> bool,
    ) -> Result<Option<GenerationTimes>, EvaluatorError> {
        let geometry = boards.geometry();
        let scored = self.evaluator.geometry();
        if scored != geometry {
            return Err(EvaluatorError::Shape { scored, given: geometry });
        }
        let stride = geometry.stride();
        let mut times = GenerationTimes::default();
        let mut bred = 0;
        loop {
            if self.waiting.is_empty() && bred < scores.len() {
                let most = overlapping_len(self.evaluator.chunk_len(), scores.len());
                let count = next_chunk(scores.len() - bred, most);
                let range = bred..bred + count;
                let start = Instant::now();
                let bytes = &mut boards.bytes_mut()[range.start * stride..range.end * stride];
                let complete = breed(range.clone(), bytes);
                times.breed += start.elapsed();
                if !complete {
                    self.drain();
                    return Ok(None);
                }
                bred = range.end;
                self.waiting.push_back(range);
            }
            let done = if self.out.len() < IN_FLIGHT && !self.waiting.is_empty() {
                self.submit(boards)
            } else if !self.out.is_empty() {
                self.collect(scores).map(|phases| times.score += phases)
            } else {
                return Ok(Some(times));
            };
            if let Err(error) = done {
                self.recover(error, geometry)?;
            }
        }
    }

    /// Submits the first waiting slots to the evaluator.
    fn submit(&mut self, boards: &Population) -> Result<(), EvaluatorError> {
        let Some(waiting) = self.waiting.pop_front() else { return Ok(()) };
        let count = next_chunk(waiting.len(), self.evaluator.chunk_len());
        let (range, rest) =
            (waiting.start..waiting.start + count, waiting.start + count..waiting.end);
        if !rest.is_empty() {
            self.waiting.push_front(rest);
        }
        self.out.push_back(range.clone());
        let stride = boards.geometry().stride();
        let bytes = &boards.bytes()[range.start * stride..range.end * stride];
        self.evaluator.submit(range, bytes)
    }

    fn collect(&mut self, scores: &mut [u16]) -> Result<PhaseTimes, EvaluatorError> {
        let geometry = self.evaluator.geometry();
        let scored = self.evaluator.collect()?;
        scored.check(geometry)?;
        scores[scored.range.clone()].copy_from_slice(scored.scores);
        self.out.pop_front();
        Ok(scored.times)
    }

    /// Restarts the evaluator, or replaces it by the CPU. Slots in flight wait again.
    fn recover(&mut self, error: EvaluatorError, geometry: Geometry) -> Result<(), EvaluatorError> {
        if self.given_up.is_some() {
            return Err(error);
        }
        self.fault.get_or_insert(error.clone());
        while let Some(range) = self.out.pop_back() {
            self.waiting.push_front(range);
        }
        let lost = self.waiting.iter().map(Range::len).max().unwrap_or(usize::MAX);
        let chunk_len = self.evaluator.chunk_len().min(lost);
        for smaller in [1, SMALLER].into_iter().skip(self.faults as usize) {
            self.faults += 1;
            if self.evaluator.recover((chunk_len / smaller).max(1)).is_ok() {
                return Ok(());
            }
        }
        self.evaluator = Box::new(CpuEvaluator::new(geometry, None));
        self.given_up = Some(error);
        Ok(())
    }

    /// Collects and drops the chunks in flight, so that none is mixed with the next population.
    fn drain(&mut self) {
        self.waiting.clear();
        while self.out.pop_front().is_some() {
            if self.evaluator.collect().is_err() {
                self.out.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{UNWRITTEN, fitness};

    #[test]
    fn chunks_of_an_abandoned_population_are_not_mixed_with_the_next() {
        let geometry = Geometry::new(2, 2).unwrap();
        let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(geometry, Some(2))));
        let mut boards = Population::new(geometry, 9).unwrap();
        let mut scores = vec![UNWRITTEN; 9];
        let abandoned = pipeline.fill(&mut boards, &mut scores, |slots, _| slots.start < 4);
        assert!(matches!(abandoned, Ok(None)));
        scores.fill(UNWRITTEN);
        let complete = pipeline.fill(&mut boards, &mut scores, |slots, bytes| {
            bytes.chunks_mut(16).zip(slots).for_each(|(board, slot)| board[..slot].fill(1));
            true
        });
        assert!(matches!(complete, Ok(Some(_))) && pipeline.fault().is_none());
        let truth = boards.bytes().chunks(16).map(|board| fitness(geometry, board));
        assert!(truth.eq(scores));
    }
}
