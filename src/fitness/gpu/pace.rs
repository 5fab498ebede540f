//! How many boards a chunk has: as many as are worth a submission, while a dispatch stays short.
//!
//! A system ends dispatches that take seconds, and shows nothing meanwhile. The first chunk is
//! small; each one that comes back tells how many boards the kernel scores in the time aimed at.

use std::time::Duration;

/// How long a dispatch should take at most, with room for one that takes twice as long.
const AIM: Duration = Duration::from_millis(50);
/// Boards of the first chunk.
const FIRST: usize = 1 << 12;
/// A chunk is at most this many times the one before.
const GROWTH: usize = 8;

/// The size of the next chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkPace {
    most: usize,
    now: usize,
}

impl ChunkPace {
    /// Never more than `most` boards.
    pub(super) fn new(most: usize) -> Self {
        Self { most, now: most.min(FIRST) }
    }

    /// Boards that buffers have to hold.
    pub(super) fn most(self) -> usize {
        self.most
    }

    /// Boards that the next chunk should have.
    pub(super) fn boards(self) -> usize {
        self.now
    }

    /// Takes note that the kernel took `time` for `boards` boards.
    pub(super) fn note(&mut self, boards: usize, time: Duration) {
        // A few boards tell little but what a dispatch costs, unless even they took long.
        if boards * 2 < self.now && time <= 2 * AIM {
            return;
        }
        let fitting = (boards as u128 * AIM.as_nanos()) / time.as_nanos().max(1);
        let fitting = usize::try_from(fitting).unwrap_or(usize::MAX);
        self.now = fitting.min(self.now.saturating_mul(GROWTH)).clamp(1, self.most.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes chunks as they are asked for, on a device that scores a board in `nanos`.
    fn settled(most: usize, nanos: u64) -> Vec<usize> {
        let mut pace = ChunkPace::new(most);
        let chunks = (0..20).map(|_| {
            let boards = pace.boards();
            pace.note(boards, Duration::from_nanos(boards as u64 * nanos));
            boards
        });
        chunks.collect()
    }

    #[test]
    fn a_fast_device_is_given_all_it_takes_and_a_slow_one_what_it_scores_in_time() {
        assert_eq!(settled(100_000, 10)[..4], [4096, 32_768, 100_000, 100_000]);
        assert_eq!(settled(100_000, 5_000)[2..5], [10_000; 3]);
        assert_eq!(settled(100_000, 1_000_000)[1..3], [50; 2]);
        assert_eq!(settled(100_000, 1_000_000_000)[1..3], [1; 2]);
        assert_eq!(settled(7, 10)[..2], [7, 7]);
    }

    #[test]
    fn a_remainder_changes_nothing_unless_it_took_long() {
        let mut pace = ChunkPace::new(100_000);
        pace.note(3, Duration::from_millis(1));
        assert_eq!(pace.boards(), FIRST);
        pace.note(1000, Duration::from_secs(1));
        assert_eq!(pace.boards(), 50);
    }
}
