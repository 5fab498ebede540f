//! How many slots a submission takes, so that it ends after about a tenth of a second.
//!
//! Ctrl-C is then answered within a second, and no driver's watchdog ends a run. What a slot costs
//! is measured: the first submission is small, and each later one takes as many slots as the last
//! would have taken in the time, at most eight times as many as were allowed for that one.

use std::time::Duration;

/// What a submission should take.
const TARGET: Duration = Duration::from_millis(100);
/// Slots of a first submission: a tenth of a second where a child takes 25 µs.
const FIRST: u32 = 4096;
const GROWTH: u32 = 8;
/// Fewer slots would leave most of a GPU idle however long they take, if there are as many.
const LEAST: u32 = 256;

/// Slots a submission.
#[derive(Clone, Debug)]
pub(super) struct SlotPace {
    slots: u32,
    least: u32,
    /// Whether the number was asked for.
    fixed: bool,
}

impl SlotPace {
    /// `chunk` slots, or as many as measuring says.
    pub(super) fn new(chunk: Option<u32>) -> Self {
        Self { slots: chunk.unwrap_or(FIRST).max(1), least: LEAST, fixed: chunk.is_some() }
    }

    /// The same where a slot costs much: as few as there may be at first, and a round of `children`
    /// where there are no more of them.
    pub(super) fn careful(chunk: Option<u32>, children: u32) -> Self {
        let least = LEAST.min(children).max(1);
        Self { slots: chunk.unwrap_or(least).max(1), least, fixed: chunk.is_some() }
    }

    /// Slots of the next submission.
    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    /// Notes that a submission of `slots` took a time.
    pub(super) fn note(&mut self, slots: u32, time: Duration) {
        if self.fixed || slots == 0 {
            return;
        }
        let fitting = f64::from(slots) * TARGET.as_secs_f64() / time.as_secs_f64().max(1e-6);
        let most = self.slots.saturating_mul(GROWTH);
        self.slots = (fitting.min(f64::from(most)) as u32).max(self.least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_step_by_step_and_falls_at_once() {
        let mut pace = SlotPace::new(None);
        pace.note(4096, Duration::from_millis(1));
        assert_eq!(pace.slots(), 8 * 4096);
        pace.note(8 * 4096, Duration::from_secs(2));
        assert_eq!(pace.slots(), 1638);
        pace.note(1638, Duration::from_secs(100));
        assert_eq!(pace.slots(), LEAST);
    }

    #[test]
    fn what_was_asked_for_stays() {
        let mut pace = SlotPace::new(Some(7));
        pace.note(7, Duration::from_secs(9));
        assert_eq!(pace.slots(), 7);
    }
}
