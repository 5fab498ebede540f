//! What ends a search, and what it has found by then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::util::named_enum::named;

/// Guesses between two looks at the clock: some tens of microseconds on 9x9.
const GUESSES_A_LOOK: u64 = 64;

/// What ends a search before it has seen everything.
#[derive(Clone, Copy, Debug)]
pub struct GuessBudget<'a> {
    /// Solutions after which to stop, at least 1. Default: no bound.
    pub cap: u64,
    /// Guesses after which to stop. Default: no bound.
    pub guesses: u64,
    /// Time after which to stop. Default: no bound.
    pub time: Option<Duration>,
    /// Set by whoever wants to stop the search. Default: nobody.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for GuessBudget<'_> {
    fn default() -> Self {
        Self { cap: u64::MAX, guesses: u64::MAX, time: None, interrupted: None }
    }
}

named! {
    /// What ended a search.
    pub enum SearchEnd {
        /// All of the search space was seen.
        Exhausted = "exhausted",
        /// As many solutions as were asked for were found.
        Cap = "cap",
        /// The bound on guesses was reached.
        Guesses = "guesses",
        /// The time limit was reached.
        Time = "time",
        /// The user ended it.
        Interrupted = "interrupted",
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// Solutions found: all there are when the search was [complete](Self::complete).
    pub count: u64,
    /// The first, one value a cell.
    pub first: Option<Vec<u8>>,
    /// Guesses made; 0 when singles alone decided.
    pub guesses: u64,
    /// What ended the search.
    pub end: SearchEnd,
}

impl Solutions {
    /// Whether the whole search space was seen, so that `count` is exact.
    pub fn complete(&self) -> bool {
        self.end == SearchEnd::Exhausted
    }

    /// Whether the puzzle has exactly one solution, if that is known.
    pub fn unique(&self) -> Option<bool> {
        match self.count {
            2.. => Some(false),
            count => self.complete().then_some(count == 1),
        }
    }
}

/// Looks at the budget, but not at the clock before every guess.
pub(super) struct Clock<'a> {
    budget: &'a GuessBudget<'a>,
    deadline: Option<Instant>,
}

impl<'a> Clock<'a> {
    /// From now on.
    pub(super) fn start(budget: &'a GuessBudget<'a>) -> Self {
        // A limit beyond what the clock can tell is none.
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        Self { budget, deadline }
    }

    /// What ends the search after so many guesses, if anything does.
    pub(super) fn end(&self, guesses: u64) -> Option<SearchEnd> {
        if guesses >= self.budget.guesses {
            return Some(SearchEnd::Guesses);
        }
        if !guesses.is_multiple_of(GUESSES_A_LOOK) {
            return None;
        }
        if self.budget.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(SearchEnd::Interrupted);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then_some(SearchEnd::Time)
    }
}
