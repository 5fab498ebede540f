//! What a rank has sent: letters and bytes, by what they are for.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Purpose;

/// What a rank has sent since it began.
#[derive(Debug, Default)]
pub struct Traffic([(AtomicU64, AtomicU64); 3]);

/// Letters of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many.
    pub letters: u64,
    /// Their bytes, without what MPI adds.
    pub bytes: u64,
}

impl Traffic {
    pub(super) fn note(&self, purpose: Purpose, bytes: usize) {
        let (letters, sum) = &self.0[purpose as usize];
        letters.fetch_add(1, Ordering::Relaxed);
        sum.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// What was sent for a purpose.
    pub fn of(&self, purpose: Purpose) -> Sent {
        let (letters, bytes) = &self.0[purpose as usize];
        Sent { letters: letters.load(Ordering::Relaxed), bytes: bytes.load(Ordering::Relaxed) }
    }
}
