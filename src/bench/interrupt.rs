//! Two reasons to end a run: the user wants to stop, or enough of it has been measured.
//!
//! A run looks at one flag. It is raised by both; only what the user asked for stays.

use std::sync::atomic::{AtomicBool, Ordering};

/// Shared with whoever listens for Ctrl-C.
#[derive(Debug, Default)]
pub struct Interrupt {
    asked: AtomicBool,
    end: AtomicBool,
}

impl Interrupt {
    /// Nothing is to end.
    pub const fn new() -> Self {
        Self { asked: AtomicBool::new(false), end: AtomicBool::new(false) }
    }

    /// The user wants everything to end.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.end.store(true, Ordering::SeqCst);
    }

    /// Whether the user wants everything to end.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Ends the run that goes on, and nothing else.
    pub(super) fn end_run(&self) {
        self.end.store(true, Ordering::SeqCst);
    }

    /// The flag for a run that begins: lowered, unless the user has asked.
    pub(super) fn begin_run(&self) -> &AtomicBool {
        self.end.store(false, Ordering::SeqCst);
        // Whoever asks raises the flag last, so a request in between is not lost.
        if self.asked() {
            self.end_run();
        }
        &self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_run_passes_and_a_request_stays() {
        let interrupt = Interrupt::new();
        interrupt.end_run();
        assert!(!interrupt.asked());
        assert!(!interrupt.begin_run().load(Ordering::SeqCst));
        interrupt.ask();
        assert!(interrupt.asked());
        assert!(interrupt.begin_run().load(Ordering::SeqCst));
    }
}
