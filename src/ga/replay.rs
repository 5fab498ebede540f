//! Whether a run whose device failed is done again on the host, and when that is given up.
//!
//! A replay that nobody asked for is given up where it would take more than a minute: 50 generations that took
//! 2 s tell that 2,000 take 80.

use std::time::Duration;

use crate::named_enum::named;

named! {
    /// Whether a run whose device failed is done again on the host.
    pub enum Replay {
        /// If that takes less than a minute by estimate.
        Short = "short",
        /// However long it takes.
        Always = "always",
        /// The run ends.
        Never = "never",
    }
}

/// The longest replay that is not asked for.
const LONGEST: Duration = Duration::from_secs(60);
/// A replay that takes less is not estimated.
const ESTIMATED: Duration = Duration::from_secs(1);

impl Replay {
    /// Whether a replay that has taken so long is given up.
    pub(super) fn is_over(self, elapsed: Duration) -> bool {
        self == Self::Short && elapsed > LONGEST
    }

    /// Whether one of `all` generations is given up after `done` of them, which took `elapsed`.
    pub(super) fn will_be_over(self, elapsed: Duration, done: u32, all: u32) -> bool {
        elapsed > ESTIMATED && self.is_over(elapsed / done.max(1) * all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_of_more_than_a_minute_is_given_up_unless_it_was_asked_for() {
        let seconds = Duration::from_secs;
        assert!(!Replay::Short.is_over(seconds(60)));
        assert!(Replay::Short.is_over(seconds(61)));
        assert!(!Replay::Always.is_over(seconds(61)));
        assert!(!Replay::Short.will_be_over(seconds(2), 50, 1_500));
        assert!(Replay::Short.will_be_over(seconds(2), 50, 2_000));
        assert!(!Replay::Always.will_be_over(seconds(2), 50, 2_000));
        // What one second tells is not trusted.
        assert!(!Replay::Short.will_be_over(seconds(1), 1, 2_000));
        assert!(Replay::Short.will_be_over(seconds(61), 1_999, 2_000));
    }
}
