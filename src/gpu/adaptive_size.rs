//! The size of a submission, adapted so that each takes about a given time.
//!
//! Operating systems end dispatches that take seconds, and an interrupt has to wait for them. The first
//! submission is small; each later one has the size that would have taken the target time at the rate of
//! the last one, but is at most eight times as large.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Most times that a submission is larger than the one before.
const GROWTH: usize = 8;

/// The size of the next submission, in boards or slots.
#[derive(Clone, Debug)]
pub(crate) struct AdaptiveSize {
    target: Duration,
    now: usize,
    bounds: RangeInclusive<usize>,
}

impl AdaptiveSize {
    /// Starts with `first`, then adapts to the time `target`, within `bounds`.
    pub(crate) fn new(target: Duration, first: usize, bounds: RangeInclusive<usize>) -> Self {
        let now = first.clamp(*bounds.start(), (*bounds.end()).max(*bounds.start()));
        Self { target, now, bounds }
    }

    /// A size that does not change.
    pub(crate) fn fixed(size: usize) -> Self {
        let size = size.max(1);
        Self { target: Duration::ZERO, now: size, bounds: size..=size }
    }

    /// The size of the next submission.
    pub(crate) fn get(&self) -> usize {
        self.now
    }

    /// The largest possible size.
    pub(crate) fn most(&self) -> usize {
        *self.bounds.end()
    }

    /// Adapts to the time that a submission of this size took.
    pub(crate) fn note(&mut self, size: f64, time: Duration) {
        let nanos = |time: Duration| time.as_nanos().max(1) as f64;
        // What is larger than any number becomes the largest.
        let fitting = (size * nanos(self.target) / nanos(time)) as usize;
        // The time of a small remainder is mostly the fixed cost of a submission, unless it was long.
        let is_rest = size < (self.now / 2) as f64 && time <= 2 * self.target;
        if size <= 0.0 || is_rest && fitting <= self.now {
            return;
        }
        let (least, most) = (*self.bounds.start(), *self.bounds.end());
        self.now = fitting.min(self.now.saturating_mul(GROWTH)).min(most).max(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Duration = Duration::from_millis(50);

    /// Sizes on a device that takes `nanos` for each board.
    fn settled(most: usize, nanos: u64) -> Vec<usize> {
        let mut size = AdaptiveSize::new(TARGET, 4096, 1..=most);
        let sizes = (0..20).map(|_| {
            let boards = size.get();
            size.note(boards as f64, Duration::from_nanos(boards as u64 * nanos));
            boards
        });
        sizes.collect()
    }

    #[test]
    fn a_fast_device_gets_all_at_once_and_a_slow_one_what_fits_the_time() {
        assert_eq!(settled(100_000, 10)[..4], [4096, 32_768, 100_000, 100_000]);
        assert_eq!(settled(100_000, 5_000)[2..5], [10_000; 3]);
        assert_eq!(settled(100_000, 1_000_000)[1..3], [50; 2]);
        assert_eq!(settled(100_000, 1_000_000_000)[1..3], [1; 2]);
        assert_eq!(settled(7, 10)[..2], [7, 7]);
    }

    #[test]
    fn it_grows_step_by_step_and_falls_at_once() {
        let mut size = AdaptiveSize::new(2 * TARGET, 4096, 256..=usize::MAX);
        size.note(4096.0, Duration::from_millis(1));
        assert_eq!(size.get(), 8 * 4096);
        size.note(8.0 * 4096.0, Duration::from_secs(2));
        assert_eq!(size.get(), 1638);
        size.note(1638.0, Duration::from_secs(100));
        assert_eq!(size.get(), 256);
    }

    #[test]
    fn a_remainder_changes_nothing_unless_it_took_long() {
        let mut size = AdaptiveSize::new(TARGET, 4096, 1..=100_000);
        size.note(3.0, Duration::from_millis(1));
        assert_eq!(size.get(), 4096);
        size.note(1000.0, Duration::from_secs(1));
        assert_eq!(size.get(), 50);
        // Fast as it was, more would have fitted.
        size.note(0.5, Duration::from_micros(100));
        assert_eq!(size.get(), 250);
    }

    #[test]
    fn a_fixed_size_stays() {
        let mut size = AdaptiveSize::fixed(7);
        size.note(7.0, Duration::from_secs(9));
        assert_eq!((size.get(), size.most()), (7, 7));
    }
}
