//! The contract between those who breed boards and those who score them.

use std::ops::{AddAssign, Range};
use std::time::Duration;

use thiserror::Error;

use crate::board::Geometry;

/// Chunks that an evaluator takes before the oldest has to be collected: one for each of upload,
/// kernel and readback while the next is bred.
pub const IN_FLIGHT: usize = 3;

/// What score buffers are filled with beforehand. No board scores this, so a score that was
/// never written cannot pass for a good one.
pub const UNWRITTEN: u16 = u16::MAX;

/// Scores packed boards, chunk by chunk.
pub trait Evaluator: Send {
    /// The shape of the boards it scores.
    fn geometry(&self) -> Geometry;

    /// Boards that it prefers to be given at once; it takes no more.
    fn chunk_len(&self) -> usize;

    /// Takes a chunk: the boards in slots `range`, `stride` bytes each. Up to [`IN_FLIGHT`]
    /// chunks may be out at a time. The boards are free to change once this returns.
    ///
    /// # Errors
    /// What the device says. All chunks that are out are then lost.
    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError>;

    /// Waits for the oldest chunk that is out.
    ///
    /// # Errors
    /// What the device says, and [`EvaluatorError::Nothing`] when no chunk is out. All chunks
    /// that are out are then lost.
    fn collect(&mut self) -> Result<Scored<'_>, EvaluatorError>;

    /// Scores boards that lie side by side: `scores.len()` of them.
    ///
    /// # Errors
    /// As [`submit`](Self::submit) and [`collect`](Self::collect).
    fn score(&mut self, boards: &[u8], scores: &mut [u16]) -> Result<PhaseTimes, EvaluatorError> {
        let (stride, chunk) = (self.geometry().stride(), self.chunk_len());
        let mut times = PhaseTimes::default();
        let (mut submitted, mut collected, mut out) = (0, 0, 0);
        while collected < scores.len() {
            if submitted < scores.len() && out < IN_FLIGHT {
                let range = submitted..scores.len().min(submitted + chunk);
                submitted = range.end;
                self.submit(range.clone(), &boards[range.start * stride..range.end * stride])?;
                out += 1;
            } else {
                let scored = self.collect()?;
                scored.check()?;
                scores[scored.range.clone()].copy_from_slice(scored.scores);
                collected = scored.range.end;
                times += scored.times;
                out -= 1;
            }
        }
        Ok(times)
    }
}

/// A chunk that came back.
#[derive(Clone, Debug)]
pub struct Scored<'a> {
    /// The slots that were submitted together.
    pub range: Range<usize>,
    /// Their fitness, one a slot.
    pub scores: &'a [u16],
    /// Where its time went.
    pub times: PhaseTimes,
}

impl Scored<'_> {
    /// Whether every score was written.
    ///
    /// # Errors
    /// [`EvaluatorError::Unwritten`] names the first slot that still holds [`UNWRITTEN`].
    pub fn check(&self) -> Result<(), EvaluatorError> {
        match self.scores.iter().position(|score| *score == UNWRITTEN) {
            Some(at) => Err(EvaluatorError::Unwritten { slot: self.range.start + at }),
            None => Ok(()),
        }
    }
}

/// Seconds spent on the way of a chunk. Phases of successive chunks may overlap in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes {
    /// From host memory to where it is scored.
    pub upload: Duration,
    /// Scoring itself.
    pub kernel: Duration,
    /// The scores' way back, waiting included.
    pub readback: Duration,
}

impl AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        self.upload += other.upload;
        self.kernel += other.kernel;
        self.readback += other.readback;
    }
}

/// Why boards could not be scored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// The device is gone, or refuses work.
    #[error("the device was lost: {0}")]
    DeviceLost(String),
    /// The device has no room.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// No answer came in time.
    #[error("the device did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// A score came back as it was before the kernel ran.
    #[error("the score of slot {slot} was never written")]
    Unwritten {
        /// The first such slot.
        slot: usize,
    },
    /// Boards of known fitness came back with another one.
    #[error(
        "board {board} of the start-up check scored {got} instead of {expected}: the driver cannot be trusted"
    )]
    WrongAnswer {
        /// Its number in the check.
        board: usize,
        /// What it scored.
        got: u16,
        /// What it scores.
        expected: u16,
    },
    /// The driver reported an error.
    #[error("the driver reported: {0}")]
    Driver(String),
    /// Nothing is out.
    #[error("no chunk is out, so none can be collected")]
    Nothing,
}
