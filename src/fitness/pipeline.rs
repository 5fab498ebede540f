//! Breeding and scoring a population chunk by chunk, through whatever the device does.
//!
//! While up to [`IN_FLIGHT`] chunks are out, one in each phase, the next is bred. When the
//! evaluator fails, the chunks that were out are scored again from host memory: first as they
//! were, after a second fault in smaller chunks, after a third on the CPU, and so is everything
//! that follows. Scores are the same on every evaluator and in any chunk, so a run goes on as if
//! nothing had happened.

use std::collections::VecDeque;
use std::ops::{AddAssign, Range};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::evaluator::next_chunk;
use super::{CpuEvaluator, Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes};
use crate::board::{Geometry, Population};

/// Part of a chunk that is tried when the whole one failed again.
const SMALLER: usize = 8;

/// An evaluator with the CPU behind it.
pub struct Pipeline {
    evaluator: Box<dyn Evaluator>,
    /// The first fault, and the one after which the CPU took over.
    fault: Option<EvaluatorError>,
    given_up: Option<EvaluatorError>,
    /// Faults so far.
    faults: u32,
    /// Slots that are bred and not submitted, and slots that are out.
    waiting: VecDeque<Range<usize>>,
    out: VecDeque<Range<usize>>,
}

/// Where the time of a population went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationTimes {
    /// Breeding.
    pub breed: Duration,
    /// Scoring.
    pub score: PhaseTimes,
}

impl GenerationTimes {
    /// The longer of each, of what was done side by side.
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
    /// Scores with `evaluator` as long as it works.
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

    /// The first fault of the evaluator, if it had any.
    pub fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    /// Why the evaluator was given up, if it was.
    pub fn given_up(&self) -> Option<&EvaluatorError> {
        self.given_up.as_ref()
    }

    /// Breeds all boards with `breed`, which is handed slots and their boards to overwrite, and
    /// scores them into `scores`. When `breed` returns false all is abandoned: `None`.
    ///
    /// # Errors
    /// Those of the evaluator, once it is the CPU, and boards of another shape than it scores.
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
                let count = next_chunk(scores.len() - bred, self.evaluator.chunk_len());
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

    /// Hands the first slots that wait to the evaluator.
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

    /// Starts the evaluator again, or puts the CPU in its place; what was out waits again.
    fn recover(&mut self, error: EvaluatorError, geometry: Geometry) -> Result<(), EvaluatorError> {
        if self.given_up.is_some() {
            return Err(error);
        }
        self.fault.get_or_insert(error.clone());
        while let Some(range) = self.out.pop_back() {
            self.waiting.push_front(range);
        }
        let chunk_len = self.evaluator.chunk_len();
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

    /// Takes back what is out, so that the next population finds none of it.
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
    use crate::fitness::{MockEvaluator, UNWRITTEN, fitness};

    #[test]
    fn nothing_of_a_population_that_was_abandoned_comes_back_with_the_next() {
        let geometry = Geometry::new(2, 2).unwrap();
        let mock = MockEvaluator::new(geometry, 2, PhaseTimes::default());
        let mut pipeline = Pipeline::new(Box::new(mock));
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
