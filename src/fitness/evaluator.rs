//! The contract between those who breed boards and those who score them.

use std::ops::{AddAssign, Range};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Place;
use crate::board::Geometry;

/// Chunks that an evaluator takes before the oldest has to be collected: one for each of upload,
/// kernel and readback while the next is bred.
pub const IN_FLIGHT: usize = 3;

/// What score buffers are filled with beforehand. No board scores this, so a score that was
/// never written cannot pass for a good one.
pub const UNWRITTEN: u16 = u16::MAX;

/// Scores packed boards, chunk by chunk.
///
/// **Another objective.** One that is not of this crate may score by something else than
/// [`fitness`](super::fitness), handed to [`Pipeline::new`](super::Pipeline::new): selection,
/// replacement, restarts, traces and [`Outcome::fitness`](crate::ga::Outcome) then go by its
/// scores. A score depends on the board alone, is at most the geometry's
/// [`worst_fitness`](Geometry::worst_fitness), and is 0 for solutions only: the first board of
/// score 0 ends the run, and is reported once [`verify`](crate::board::verify) agrees. If it does
/// not, the run ends with [`Unverified`](crate::ga::RunError::Unverified). A solution that
/// scores more than 0 is passed over. Operators that price boards by themselves (the best of
/// several mutants, local search) go on counting duplicates, and so does the CPU when it takes
/// over from an evaluator that failed.
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
    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError>;

    /// Starts again after an error, in chunks of at most `chunk_len` boards.
    ///
    /// # Errors
    /// Why it cannot, as an evaluator that does not know how.
    fn recover(&mut self, chunk_len: usize) -> Result<(), EvaluatorError> {
        let _ = chunk_len;
        Err(EvaluatorError::Final)
    }

    /// Scores the first `scores.len()` boards of `boards`, [`stride`](Geometry::stride) bytes each.
    /// [`score_boards`](super::score_boards) takes boards without padding.
    ///
    /// # Errors
    /// [`EvaluatorError::TooFewBytes`] when `boards` holds fewer boards, and the errors of
    /// [`submit`](Self::submit) and [`collect`](Self::collect).
    fn score(&mut self, boards: &[u8], scores: &mut [u16]) -> Result<PhaseTimes, EvaluatorError> {
        let stride = self.geometry().stride();
        check_bytes(boards, scores.len(), self.geometry())?;
        let mut times = PhaseTimes::default();
        let (mut submitted, mut collected, mut out) = (0, 0, 0);
        while collected < scores.len() {
            if submitted < scores.len() && out < IN_FLIGHT {
                let count = next_chunk(scores.len() - submitted, self.chunk_len());
                let range = submitted..submitted + count;
                submitted = range.end;
                self.submit(range.clone(), &boards[range.start * stride..range.end * stride])?;
                out += 1;
            } else {
                let geometry = self.geometry();
                let scored = self.collect()?;
                scored.check(geometry)?;
                scores[scored.range.clone()].copy_from_slice(scored.scores);
                collected = scored.range.end;
                times += scored.times;
                out -= 1;
            }
        }
        Ok(times)
    }
}

/// Checks that `boards` holds at least `count` packed boards.
pub(super) fn check_bytes(
    boards: &[u8],
    count: usize,
    geometry: Geometry,
) -> Result<(), EvaluatorError> {
    let (bytes, stride) = (boards.len(), geometry.stride());
    match bytes / stride < count {
        true => Err(EvaluatorError::TooFewBytes { bytes, count, stride }),
        false => Ok(()),
    }
}

/// The size of the next chunk when `left` boards are left: as few chunks of at most `chunk_len`
/// boards as there must be, and all alike, since a last chunk of few boards costs as much.
pub(super) fn next_chunk(left: usize, chunk_len: usize) -> usize {
    left.div_ceil(left.div_ceil(chunk_len.max(1)).max(1))
}

/// A chunk that came back.
#[derive(Clone, Debug)]
pub struct ScoredChunk<'a> {
    /// The slots that were submitted together.
    pub range: Range<usize>,
    /// Their fitness, one a slot.
    pub scores: &'a [u16],
    /// Where its time went.
    pub times: PhaseTimes,
}

impl ScoredChunk<'_> {
    /// Whether every score was written, and is one that boards of this shape may have.
    ///
    /// # Errors
    /// The first slot that still holds [`UNWRITTEN`], or a score that is too high.
    pub fn check(&self, geometry: Geometry) -> Result<(), EvaluatorError> {
        let most = geometry.worst_fitness();
        let wrong = self.scores.iter().enumerate().find(|(_, score)| **score > most);
        let Some((at, &score)) = wrong else { return Ok(()) };
        let slot = self.range.start + at;
        Err(match score {
            UNWRITTEN => EvaluatorError::Unwritten { slot },
            _ => EvaluatorError::TooHigh { slot, score, most },
        })
    }
}

/// Seconds spent on the way of a chunk. Phases of successive chunks may overlap in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseTimes {
    /// From host memory to where it is scored.
    pub upload: Duration,
    /// Scoring itself.
    pub kernel: Duration,
    /// The scores' way back, waiting included.
    pub readback: Duration,
}

impl PhaseTimes {
    /// The longer of each, of what was done side by side.
    pub fn longer(self, other: Self) -> Self {
        Self {
            upload: self.upload.max(other.upload),
            kernel: self.kernel.max(other.kernel),
            readback: self.readback.max(other.readback),
        }
    }
}

impl AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        self.upload += other.upload;
        self.kernel += other.kernel;
        self.readback += other.readback;
    }
}

/// Why boards could not be scored.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
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
    /// A score is higher than any board's.
    #[error("slot {slot} scored {score}, but no board of this shape scores more than {most}")]
    TooHigh {
        /// The first such slot.
        slot: usize,
        /// What it scored.
        score: u16,
        /// What a board may score.
        most: u16,
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
    /// The text of a kernel could not be put together.
    #[error("a kernel could not be put together: {0}")]
    Shader(String),
    /// The driver reported an error.
    #[error("the driver reported: {0}")]
    Driver(String),
    /// Boards of another shape than it scores.
    #[error("boards of {given} boxes, but what scores them scores boards of {scored} boxes")]
    Shape {
        /// What it scores.
        scored: Geometry,
        /// What it was given.
        given: Geometry,
    },
    /// The bytes hold fewer packed boards than are to be scored.
    #[error(
        "{bytes} bytes are too few for {count} packed boards of {stride} bytes each; score_boards takes boards without padding"
    )]
    TooFewBytes {
        /// Bytes of all boards.
        bytes: usize,
        /// Boards to be scored.
        count: usize,
        /// Bytes of a packed board.
        stride: usize,
    },
    /// It happened where other islands of the run are.
    #[error("{place}: {fault}")]
    Elsewhere {
        /// Where.
        place: Place,
        /// What happened there.
        fault: Box<EvaluatorError>,
    },
    /// After an error there is no more to be tried.
    #[error("this evaluator does not start again after an error")]
    Final,
    /// Nothing is out.
    #[error("no chunk is out, so none can be collected")]
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{CpuEvaluator, GenerationTimes, fitness};

    #[test]
    fn an_evaluator_that_does_not_know_how_does_not_start_again() {
        let mut cpu = CpuEvaluator::new(Geometry::new(2, 2).unwrap(), None);
        assert_eq!(cpu.recover(1), Err(EvaluatorError::Final));
    }

    #[test]
    fn chunks_are_alike_and_as_few_as_can_be() {
        for (boards, chunk_len) in [(1, 1), (10, 3), (1000, 999), (1001, 100), (64, 64)] {
            let (mut left, mut sizes) = (boards, Vec::new());
            while left > 0 {
                sizes.push(next_chunk(left, chunk_len));
                left -= sizes[sizes.len() - 1];
            }
            assert_eq!(sizes.len(), boards.div_ceil(chunk_len), "{sizes:?}");
            assert!(sizes[0] <= chunk_len && sizes[0] - sizes[sizes.len() - 1] <= 1, "{sizes:?}");
        }
        assert_eq!(next_chunk(0, 5), 0);
    }

    #[test]
    fn boards_are_scored_in_chunks_of_any_length() {
        let geometry = Geometry::new(2, 2).unwrap();
        let board = |slot: usize| (0..16).map(move |cell| 1 + (cell * slot % 7 % 4) as u8);
        let boards: Vec<u8> = (0..50).flat_map(board).collect();
        let truth: Vec<u16> = boards.chunks(16).map(|board| fitness(geometry, board)).collect();
        for chunk_len in [1, 7, 49, 50, 1_000] {
            let mut scores = vec![UNWRITTEN; 50];
            let mut evaluator = CpuEvaluator::new(geometry, Some(chunk_len));
            evaluator.score(&boards, &mut scores).unwrap();
            assert_eq!(scores, truth, "{chunk_len}");
        }
    }

    #[test]
    fn boards_without_padding_are_an_error() {
        let geometry = Geometry::new(3, 3).unwrap();
        let mut cpu = CpuEvaluator::new(geometry, None);
        let error = EvaluatorError::TooFewBytes { bytes: 162, count: 2, stride: 84 };
        assert_eq!(cpu.score(&[1; 162], &mut [0; 2]), Err(error.clone()));
        assert_eq!(cpu.submit(0..2, &[1; 162]), Err(error));
    }

    #[test]
    fn a_wrong_score_is_named_with_its_slot() {
        let geometry = Geometry::new(2, 2).unwrap();
        let most = geometry.worst_fitness();
        let check = |scores: &[u16]| {
            ScoredChunk { range: 10..10 + scores.len(), scores, times: PhaseTimes::default() }
                .check(geometry)
        };
        assert_eq!(check(&[0, most]), Ok(()));
        assert_eq!(check(&[0, 3, UNWRITTEN]), Err(EvaluatorError::Unwritten { slot: 12 }));
        let wrong = EvaluatorError::TooHigh { slot: 11, score: most + 1, most };
        assert_eq!(check(&[0, most + 1, UNWRITTEN]), Err(wrong));
    }

    #[test]
    fn of_two_side_by_side_the_longer_of_each_counts() {
        let phases = |upload, kernel, readback| {
            let [upload, kernel, readback] = [upload, kernel, readback].map(Duration::from_secs);
            PhaseTimes { upload, kernel, readback }
        };
        let (one, other) = (phases(1, 5, 3), phases(4, 2, 6));
        assert_eq!(one.longer(other), phases(4, 5, 6));
        let of = |breed, score| GenerationTimes { breed: Duration::from_secs(breed), score };
        assert_eq!(of(7, one).longer(of(2, other)), of(7, phases(4, 5, 6)));
    }
}
