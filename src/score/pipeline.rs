//! Breeding and scoring a population chunk by chunk, through whatever the device does.
//!
//! Up to [`IN_FLIGHT`] chunks are out while the next is bred. When the evaluator fails, the
//! chunks that were out are scored again from host memory on the CPU, and so is everything after
//! them: scores are the same on every evaluator, so a run goes on as if nothing had happened.

use std::collections::VecDeque;
use std::ops::{AddAssign, Range};
use std::time::{Duration, Instant};

use super::{CpuEvaluator, Evaluator, EvaluatorError, IN_FLIGHT, PhaseTimes};
use crate::board::Population;

/// An evaluator with the CPU behind it.
pub struct Pipeline {
    evaluator: Box<dyn Evaluator>,
    fault: Option<EvaluatorError>,
    out: VecDeque<Range<usize>>,
}

/// Where the time of a population went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GenerationTimes {
    /// Breeding.
    pub breed: Duration,
    /// Scoring.
    pub score: PhaseTimes,
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
        Self { evaluator, fault: None, out: VecDeque::with_capacity(IN_FLIGHT) }
    }

    /// Why the evaluator was given up, if it was.
    pub fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    /// Breeds all boards with `breed`, which is handed slots and their boards to overwrite, and
    /// scores them into `scores`. When `breed` returns false all is abandoned: `None`.
    ///
    /// # Errors
    /// Those of the evaluator, once it is the CPU.
    pub fn fill(
        &mut self,
        boards: &mut Population,
        scores: &mut [u16],
        mut breed: impl FnMut(Range<usize>, &mut [u8]) -> bool,
    ) -> Result<Option<GenerationTimes>, EvaluatorError> {
        let stride = boards.geometry().stride();
        let mut times = GenerationTimes::default();
        let mut bred = 0;
        loop {
            if bred < scores.len() && self.out.len() < IN_FLIGHT {
                let range = bred..scores.len().min(bred + self.evaluator.chunk_len());
                let bytes = &mut boards.bytes_mut()[range.start * stride..range.end * stride];
                let start = Instant::now();
                let complete = breed(range.clone(), bytes);
                times.breed += start.elapsed();
                if !complete {
                    self.drain();
                    return Ok(None);
                }
                bred = range.end;
                self.out.push_back(range.clone());
                if let Err(error) = self.evaluator.submit(range, bytes) {
                    self.fall_back(error, boards)?;
                }
            } else if self.out.is_empty() {
                return Ok(Some(times));
            } else {
                match self.collect(scores) {
                    Ok(phases) => times.score += phases,
                    Err(error) => self.fall_back(error, boards)?,
                }
            }
        }
    }

    fn collect(&mut self, scores: &mut [u16]) -> Result<PhaseTimes, EvaluatorError> {
        let scored = self.evaluator.collect()?;
        scored.check()?;
        scores[scored.range.clone()].copy_from_slice(scored.scores);
        self.out.pop_front();
        Ok(scored.times)
    }

    /// Gives the evaluator up and hands the chunks that were out to the CPU.
    fn fall_back(
        &mut self,
        error: EvaluatorError,
        boards: &Population,
    ) -> Result<(), EvaluatorError> {
        if self.fault.is_some() {
            return Err(error);
        }
        let stride = boards.geometry().stride();
        let chunk_len = self.evaluator.chunk_len();
        self.evaluator = Box::new(CpuEvaluator::new(boards.geometry(), Some(chunk_len)));
        self.fault = Some(error);
        for range in &self.out {
            let bytes = &boards.bytes()[range.start * stride..range.end * stride];
            self.evaluator.submit(range.clone(), bytes)?;
        }
        Ok(())
    }

    /// Takes back what is out, so that the next population finds none of it.
    fn drain(&mut self) {
        while self.out.pop_front().is_some() {
            if self.evaluator.collect().is_err() {
                self.out.clear();
            }
        }
    }
}
