//! Scores plain boards: `n * n` bytes each, one after the other, without the padding of a population.

use rayon::prelude::*;
use thiserror::Error;

use super::SimdLevel;
use crate::board::Geometry;

/// Boards that one task scores: enough to hide the cost of a task, and a multiple of the lanes of a vector.
pub(super) const TASK_LEN: usize = 1 << 11;

/// The bytes are not exactly as many plain boards as there are scores, or the boards would overlap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{bytes} bytes do not hold exactly {scores} boards of {cells} bytes that start {pitch} bytes apart"
)]
pub struct ScoreBoardsError {
    /// Bytes of all boards.
    pub bytes: usize,
    /// The row pitch in bytes.
    pub pitch: usize,
    /// Bytes of a board.
    pub cells: usize,
    /// Scores to be written.
    pub scores: usize,
}

/// Returns the [fitness](super::fitness()) of each board.
///
/// `boards` holds boards of `n * n` bytes (81 at 9x9) in row-major order, one directly after the other.
/// Any byte is allowed; 0 and bytes above `n` are no value. A score is at most
/// [`worst_fitness`](Geometry::worst_fitness), and 0 for a solved board. The boards are scored on the
/// threads of the current rayon pool.
///
/// ```
/// use evodoku::board::Geometry;
/// use evodoku::fitness::score_boards;
///
/// let geometry = Geometry::new(3, 3)?;
/// let solved = b"145327698839654127672918543496185372218473956753296481367542819984761235521839764";
/// let mut boards: Vec<u8> = solved.iter().map(|digit| digit - b'0').collect();
/// boards.extend([0; 81]); // A blank board.
/// assert_eq!(score_boards(geometry, &boards)?, [0, 243]);
/// assert!(score_boards(geometry, &boards[1..]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ScoreBoardsError`] when the length is not a multiple of `n * n`.
pub fn score_boards(geometry: Geometry, boards: &[u8]) -> Result<Vec<u16>, ScoreBoardsError> {
    let cells = geometry.cells();
    let mut scores = vec![0; boards.len() / cells];
    score_boards_into(geometry, boards, cells, &mut scores)?;
    Ok(scores)
}

/// Writes the fitness of each of `scores.len()` boards into `scores`, without allocating for the result.
///
/// Board `k` is the `n * n` bytes of `boards` from `k * pitch` on. The bytes between boards are ignored,
/// and may be missing after the last one. Nothing is copied. Values and scores are those of [`score_boards`].
///
/// ```
/// use evodoku::board::Geometry;
/// use evodoku::fitness::score_boards_into;
///
/// // Two boards of 16 bytes in rows of 20 bytes: a solved one and a blank one.
/// let mut rows = [0; 40];
/// rows[..16].copy_from_slice(&[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]);
/// let mut scores = [0; 2];
/// score_boards_into(Geometry::new(2, 2)?, &rows, 20, &mut scores)?;
/// assert_eq!(scores, [0, 48]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ScoreBoardsError`] when `pitch` is below `n * n` or `boards` does not hold exactly `scores.len()` boards.
/// Nothing is written then.
pub fn score_boards_into(
    geometry: Geometry,
    boards: &[u8],
    pitch: usize,
    scores: &mut [u16],
) -> Result<(), ScoreBoardsError> {
    let (bytes, cells) = (boards.len(), geometry.cells());
    let most = scores.len().checked_mul(pitch).filter(|_| pitch >= cells);
    let is_exact = |most: usize| (most.saturating_sub(pitch - cells)..=most).contains(&bytes);
    if !most.is_some_and(is_exact) {
        return Err(ScoreBoardsError { bytes, pitch, cells, scores: scores.len() });
    }
    let level = SimdLevel::best();
    score_tasks(scores, |first, scores| {
        level.score_rows(geometry, &boards[first * pitch..], pitch, scores);
    });
    Ok(())
}

/// Calls `score` for the scores of each task with the number of its first board, on the threads of the
/// current rayon pool.
pub(super) fn score_tasks(scores: &mut [u16], score: impl Fn(usize, &mut [u16]) + Sync + Send) {
    // For a small population, dividing it would take a notable share of the time.
    if scores.len() <= TASK_LEN {
        return score(0, scores);
    }
    let tasks = scores.par_chunks_mut(TASK_LEN).enumerate();
    tasks.for_each(|(task, scores)| score(task * TASK_LEN, scores));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::fitness;
    use crate::random::{GenerationRng, StreamStage};

    /// No board, a board, batches and tasks and one more or less.
    const COUNTS: [usize; 7] = [0, 1, 63, 64, 65, TASK_LEN, TASK_LEN + 67];

    #[test]
    fn random_bytes_score_as_the_reference_does_with_any_pitch() {
        for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 3), (3, 5), (4, 4), (5, 5), (7, 2)] {
            let geometry = Geometry::new(box_rows, box_cols).unwrap();
            let (cells, stride) = (geometry.cells(), geometry.stride());
            let mut draws = GenerationRng::new(7, 0).draws(StreamStage::Initialise, 0);
            let plain: Vec<u8> = (0..COUNTS[COUNTS.len() - 1] * cells)
                .map(|_| {
                    let word = draws.word();
                    let legal = (word >> 8) % (geometry.side() as u32 + 2);
                    if word.is_multiple_of(8) { (word >> 16) as u8 } else { legal as u8 }
                })
                .collect();
            let expected: Vec<u16> =
                plain.chunks_exact(cells).map(|board| fitness(geometry, board)).collect();
            for count in COUNTS {
                let plain = &plain[..count * cells];
                let expected = &expected[..count];
                assert_eq!(score_boards(geometry, plain).unwrap(), expected, "{count} {geometry}");
                for pitch in [cells, cells + 1, stride, stride + 4, 2 * stride + 1] {
                    let mut rows = vec![u8::MAX; count * pitch];
                    for (row, board) in rows.chunks_exact_mut(pitch).zip(plain.chunks_exact(cells))
                    {
                        row[..cells].copy_from_slice(board);
                    }
                    let without_last_gap = rows.len().saturating_sub(pitch - cells);
                    for rows in [&rows[..], &rows[..without_last_gap]] {
                        let mut scores = vec![u16::MAX; count];
                        score_boards_into(geometry, rows, pitch, &mut scores).unwrap();
                        assert_eq!(scores, expected, "{count} {geometry}, pitch {pitch}");
                    }
                }
            }
        }
    }

    #[test]
    fn wrong_lengths_are_errors() {
        let geometry = Geometry::new(3, 3).unwrap();
        let error = |bytes, pitch, scores| ScoreBoardsError { bytes, pitch, cells: 81, scores };
        assert_eq!(score_boards(geometry, &[1; 84]), Err(error(84, 81, 1)));
        let into = |bytes: usize, pitch: usize, scores: usize| {
            score_boards_into(geometry, &vec![1; bytes], pitch, &mut vec![0; scores])
        };
        assert_eq!(into(160, 80, 2), Err(error(160, 80, 2)));
        for (bytes, scores) in [(164, 2), (169, 2), (1, 0), (0, 1), (252, 2)] {
            assert_eq!(into(bytes, 84, scores), Err(error(bytes, 84, scores)));
        }
        assert_eq!(into(165, 84, 2), Ok(()));
        assert_eq!(into(81, usize::MAX, 2), Err(error(81, usize::MAX, 2)));
        assert_eq!(into(81, usize::MAX, 1), Ok(()));
    }
}
