//! Tools that every folder uses and that depend on none of them.

pub mod clock;
pub mod interrupt;
pub mod memory;
pub mod named_enum;
pub mod ordered_parallel;
pub mod prefetch;
pub mod quantity;
pub mod sanitize;
pub mod threads;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Deserializer};

/// Locks a mutex, also one under which a thread has panicked: what is done under a lock leaves a valid value at every
/// step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a member that may be null. Without it serde reads a missing one as null.
///
/// # Errors
/// Those of the deserializer.
pub fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 5;

/// Generations below which a run says little about an algorithm: evolution has hardly begun.
pub const FEW_GENERATIONS: u32 = 20;
