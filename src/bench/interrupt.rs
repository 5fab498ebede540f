//! The user's wish that everything should end.

use std::sync::atomic::{AtomicBool, Ordering};

/// Shared with whoever listens for Ctrl-C.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// Nothing is to end.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// The user wants everything to end.
    pub fn ask(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the user wants everything to end.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// What a run looks at.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
