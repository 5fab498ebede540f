//! The limits of a search, and its result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::util::named_enum::named;

/// Guesses between two checks of the clock: some tens of microseconds on 9x9.
const GUESSES_PER_CLOCK_CHECK: u64 = 64;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct GuessBudget<'a> {
    /// Number of solutions after which to stop, at least 1. Default: no bound.
    pub cap: u64,
    /// Number of guesses after which to stop. Default: no bound.
    pub guesses: u64,
    /// Time after which to stop. Default: no bound.
    pub time: Option<Duration>,
    /// A flag that stops the search when it is set. Default: none.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for GuessBudget<'_> {
    fn default() -> Self {
        Self { cap: u64::MAX, guesses: u64::MAX, time: None, interrupted: None }
    }
}

named! {
    /// Why a search ended.
    pub enum SearchEnd {
        /// The whole search space was covered.
        Exhausted = "exhausted",
        /// The bound on solutions was reached.
        Cap = "cap",
        /// The bound on guesses was reached.
        Guesses = "guesses",
        /// The time limit was reached.
        Time = "time",
        /// The user interrupted it.
        Interrupted = "interrupted",
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// Number of solutions found: all that exist if the search was [complete](Self::complete).
    pub count: u64,
    /// The first solution, one value a cell.
    pub first: Option<Vec<u8>>,
    /// Guesses made; 0 when singles alone decided the puzzle.
    pub guesses: u64,
    /// Why the search ended.
    pub end: SearchEnd,
}

impl Solutions {
    /// Whether the whole search space was covered, so that `count` is exact.
    pub fn complete(&self) -> bool {
        self.end == SearchEnd::Exhausted
    }

    /// Whether the puzzle has exactly one solution; `None` if that is not known.
    pub fn unique(&self) -> Option<bool> {
        match self.count {
            2.. => Some(false),
            count => self.complete().then_some(count == 1),
        }
    }
}

/// Checks the limits; the clock only at every so many guesses.
pub(super) struct Clock<'a> {
    budget: &'a GuessBudget<'a>,
    deadline: Option<Instant>,
}

impl<'a> Clock<'a> {
    /// Starts the time limit.
    pub(super) fn start(budget: &'a GuessBudget<'a>) -> Self {
        // A time limit beyond the clock's range is no limit.
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        Self { budget, deadline }
    }

    /// Why the search has to end after this many guesses, if it has to.
    pub(super) fn end(&self, guesses: u64) -> Option<SearchEnd> {
        if guesses >= self.budget.guesses {
            return Some(SearchEnd::Guesses);
        }
        if !guesses.is_multiple_of(GUESSES_PER_CLOCK_CHECK) {
            return None;
        }
        if self.budget.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(SearchEnd::Interrupted);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then_some(SearchEnd::Time)
    }
}
