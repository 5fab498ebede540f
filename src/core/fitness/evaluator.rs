//! The contract between engines, which breed boards, and evaluators, which score them.

use std::ops::{AddAssign, Range};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Geometry;

/// Chunks that may be submitted before the oldest has to be collected: one each for upload, kernel and
/// readback while the next chunk is bred.
#[doc(hidden)]
pub const IN_FLIGHT: usize = 3;

/// The value that score buffers are filled with beforehand. No board has this score, so a score that was
/// never written cannot pass for a good one.
pub const UNWRITTEN: u16 = u16::MAX;

/// Scores packed boards, chunk by chunk.
///
/// **Another objective.** A custom evaluator may score by another objective than
/// [`fitness`](super::fitness()). It is handed to [`Pipeline::new`](super::Pipeline::new): selection,
/// replacement, restarts, traces and [`Outcome::fitness`](crate::ga::Outcome) then go by its
/// scores. A score depends on the board alone, is at most the geometry's
/// [`worst_fitness`](Geometry::worst_fitness), and is 0 for solutions only: the first board of
/// score 0 ends the run, and is reported once [`verify`](crate::board::verify) agrees. If it does
/// not, the run ends with [`Unverified`](crate::ga::RunError::Unverified). A solution that
/// scores more than 0 is passed over. Operators that price boards by themselves (the best of
/// several mutants, local search) go on counting duplicates, and so does the CPU when it takes
/// over from an evaluator that failed.
pub trait Evaluator: Send {
    /// Returns the geometry of the boards that it scores.
    fn geometry(&self) -> Geometry;

    /// Returns the preferred and largest number of boards in a chunk, at least 1. It may change between chunks.
    fn chunk_len(&self) -> usize;

    /// Submits a chunk: the boards in slots `range`, [`stride`](Geometry::stride) bytes each. Up to
    /// [`IN_FLIGHT`] chunks may be in flight. The boards may change once this returns.
    ///
    /// # Errors
    /// A fault of the device. All chunks in flight are then lost.
    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError>;

    /// Waits for the oldest chunk in flight.
    ///
    /// # Errors
    /// A fault of the device, and [`EvaluatorError::Nothing`] when no chunk is in flight. All chunks in
    /// flight are then lost.
    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError>;

    /// Restarts after an error, with chunks of at most `chunk_len` boards.
    ///
    /// # Errors
    /// The reason why it cannot; by default [`EvaluatorError::Final`].
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
        check_bytes(boards, scores.len(), self.geometry())?;
        self.score_rows(boards, self.geometry().stride(), scores)
    }

    /// Scores `scores.len()` boards, of which board `k` is the `n * n` bytes of `boards` from `k * pitch` on. Boards whose
    /// pitch is not [`stride`](Geometry::stride) are copied, a chunk at a time.
    ///
    /// # Errors
    /// [`EvaluatorError::TooFewBytes`] when `boards` does not hold as many boards, or `pitch` is below `n * n`; the errors
    /// of [`submit`](Self::submit) and [`collect`](Self::collect).
    fn score_rows(
        &mut self,
        boards: &[u8],
        pitch: usize,
        scores: &mut [u16],
    ) -> Result<PhaseTimes, EvaluatorError> {
        let (stride, cells) = (self.geometry().stride(), self.geometry().cells());
        let needed = scores.len().saturating_sub(1).saturating_mul(pitch).saturating_add(cells);
        if !scores.is_empty() && (pitch < cells || boards.len() < needed) {
            let (bytes, count) = (boards.len(), scores.len());
            return Err(EvaluatorError::TooFewBytes { bytes, count, stride: pitch.max(cells) });
        }
        let (mut times, mut packed) = (PhaseTimes::default(), Vec::new());
        let (mut submitted, mut collected, mut out) = (0, 0, 0);
        while collected < scores.len() {
            if submitted < scores.len() && out < IN_FLIGHT {
                let most = overlapping_len(self.chunk_len(), scores.len());
                let count = next_chunk(scores.len() - submitted, most);
                let range = submitted..submitted + count;
                submitted = range.end;
                let rows = &boards[range.start * pitch..boards.len().min(range.end * pitch)];
                let chunk = match pitch == stride && rows.len() == count * stride {
                    true => rows,
                    false => pack(rows, pitch, cells, stride, &mut packed),
                };
                self.submit(range, chunk)?;
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

/// Copies the boards of rows into `packed`.
fn pack<'p>(
    rows: &[u8],
    pitch: usize,
    cells: usize,
    stride: usize,
    packed: &'p mut Vec<u8>,
) -> &'p [u8] {
    packed.resize(rows.len().div_ceil(pitch) * stride, 0);
    let boards = packed.par_chunks_exact_mut(stride).zip(rows.par_chunks(pitch));
    boards
        .with_min_len(1 << 12)
        .for_each(|(board, row)| board[..cells].copy_from_slice(&row[..cells]));
    packed
}

/// Checks that `boards` holds at least `count` packed boards.
///
/// # Errors
/// [`EvaluatorError::TooFewBytes`] when it does not.
#[doc(hidden)]
pub fn check_bytes(boards: &[u8], count: usize, geometry: Geometry) -> Result<(), EvaluatorError> {
    let (bytes, stride) = (boards.len(), geometry.stride());
    match bytes / stride < count {
        true => Err(EvaluatorError::TooFewBytes { bytes, count, stride }),
        false => Ok(()),
    }
}

/// The most boards of a chunk if there are fewer than [`IN_FLIGHT`] chunks.
const LEAST_OVERLAP: usize = 1 << 16;

/// The most boards of a chunk, out of `boards` in all: `chunk_len`, or fewer if phases of large chunks would otherwise
/// not overlap.
#[doc(hidden)]
pub fn overlapping_len(chunk_len: usize, boards: usize) -> usize {
    chunk_len.min(boards.div_ceil(IN_FLIGHT).max(LEAST_OVERLAP))
}

/// The size of the next chunk when `left` boards are left: the fewest chunks of at most `chunk_len` boards,
/// of equal size, since a last chunk of few boards costs as much as a full one.
#[doc(hidden)]
pub fn next_chunk(left: usize, chunk_len: usize) -> usize {
    left.div_ceil(left.div_ceil(chunk_len.max(1)).max(1))
}

/// Finds the first score that is unwritten.
#[doc(hidden)]
pub fn first_unwritten(scores: &[u16]) -> Option<usize> {
    scores.iter().position(|score| *score == UNWRITTEN)
}

/// The scores of a chunk.
#[derive(Clone, Debug)]
pub struct ScoredChunk<'a> {
    /// The slots that were submitted together.
    pub range: Range<usize>,
    /// Their fitness, one score per slot.
    pub scores: &'a [u16],
    /// The time of each phase.
    pub times: PhaseTimes,
}

impl ScoredChunk<'_> {
    /// Checks that every score was written and is at most the worst fitness of `geometry`.
    ///
    /// # Errors
    /// The first slot whose score is [`UNWRITTEN`] or too high.
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

/// Time spent in each phase of scoring a chunk. Phases of successive chunks may overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseTimes {
    /// Copying the boards from host memory to the device.
    pub upload: Duration,
    /// Scoring.
    pub kernel: Duration,
    /// Copying the scores back, waiting included.
    pub readback: Duration,
}

impl PhaseTimes {
    /// Returns the longer time of each phase, for chunks that were scored in parallel.
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
    /// The device was lost, or refuses work.
    #[error("the device was lost: {0}")]
    DeviceLost(String),
    /// The device has too little memory.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// No answer came in time.
    #[error("the device did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// A score was not written by the kernel.
    #[error("the score of slot {slot} was never written")]
    Unwritten {
        /// The first such slot.
        slot: usize,
    },
    /// A score is higher than any board can have.
    #[error("slot {slot} scored {score}, but no board of this shape scores more than {most}")]
    TooHigh {
        /// The first such slot.
        slot: usize,
        /// Its score.
        score: u16,
        /// The highest score that a board can have.
        most: u16,
    },
    /// A board of known fitness was scored wrongly.
    #[error(
        "board {board} of the start-up check scored {got} instead of {expected}: the driver cannot be trusted"
    )]
    WrongAnswer {
        /// Its number in the check.
        board: usize,
        /// The score it got.
        got: u16,
        /// Its fitness.
        expected: u16,
    },
    /// The source of a kernel could not be generated.
    #[error("a kernel could not be generated: {0}")]
    Shader(String),
    /// The driver reported an error.
    #[error("the driver reported: {0}")]
    Driver(String),
    /// The boards have another geometry than the evaluator.
    #[error("the boards have {given} boxes, but the evaluator scores boards with {scored} boxes")]
    Shape {
        /// The geometry of the evaluator.
        scored: Geometry,
        /// The geometry of the boards.
        given: Geometry,
    },
    /// The bytes hold fewer boards than are to be scored.
    #[error(
        "{bytes} bytes are too few for {count} boards of {stride} bytes each; score_boards takes boards without padding"
    )]
    TooFewBytes {
        /// Bytes of all boards.
        bytes: usize,
        /// Boards to be scored.
        count: usize,
        /// Bytes from one board to the next.
        stride: usize,
    },
    /// The fault happened on another rank or adapter, which has other islands of the run.
    #[error("{node}: {fault}")]
    Remote {
        /// The rank or the adapter, as in `rank 1`.
        node: String,
        /// The fault.
        fault: Box<EvaluatorError>,
    },
    /// The evaluator cannot restart.
    #[error("this evaluator cannot restart after an error")]
    Final,
    /// No chunk is in flight.
    #[error("no chunk is in flight, so none can be collected")]
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{CpuEvaluator, GenerationTimes, fitness};

    #[test]
    fn by_default_an_evaluator_does_not_restart() {
        let mut cpu = CpuEvaluator::new(Geometry::new(2, 2).unwrap(), None);
        assert_eq!(cpu.recover(1), Err(EvaluatorError::Final));
    }

    #[test]
    fn chunks_are_of_equal_size_and_as_few_as_possible() {
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
        assert_eq!(overlapping_len(1_000_000, 200_000), 66_667);
        assert_eq!(overlapping_len(1_000_000, 100_000), LEAST_OVERLAP);
        assert_eq!(overlapping_len(50_000, 1_000_000), 50_000);
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
    fn rows_of_any_pitch_are_scored() {
        let geometry = Geometry::new(3, 3).unwrap();
        let cell = |board: usize, cell: usize| ((board * 7 + cell * cell) % 11) as u8;
        for pitch in [81, 83, 84, 100] {
            let mut rows: Vec<u8> =
                (0..30 * pitch).map(|at| cell(at / pitch, at % pitch)).collect();
            rows.truncate(29 * pitch + 81);
            let truth: Vec<u16> =
                rows.chunks(pitch).map(|row| fitness(geometry, &row[..81])).collect();
            for chunk_len in [1, 7, 30, 100] {
                let mut scores = vec![UNWRITTEN; 30];
                let mut cpu = CpuEvaluator::new(geometry, Some(chunk_len));
                cpu.score_rows(&rows, pitch, &mut scores).unwrap();
                assert_eq!(scores, truth, "{pitch}, {chunk_len}");
                let short = cpu.score_rows(&rows[1..], pitch, &mut scores);
                assert!(matches!(short, Err(EvaluatorError::TooFewBytes { .. })), "{pitch}");
                assert!(cpu.score_rows(&rows, 80, &mut scores).is_err());
                assert!(cpu.score_rows(&[], pitch, &mut []).is_ok());
            }
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
