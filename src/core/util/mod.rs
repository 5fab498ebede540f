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

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Deserializer};

/// Locks a mutex, also one under which a thread has panicked: what is done under a lock leaves a valid value at every
/// step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Each item once, in order.
pub fn distinct<T: Clone + Eq + Hash>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut known = HashSet::new();
    items.into_iter().filter(|item| known.insert(item.clone())).collect()
}

/// Reads a member that may be null. Without it serde reads a missing one as null.
///
/// # Errors
/// Those of the deserializer.
pub fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Implements the traits of serde for a type by its `Display` and its `FromStr`: files hold it as people write it.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub use serde_text;

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 6;

/// Generations below which a run says little about an algorithm: evolution has hardly begun.
pub const FEW_GENERATIONS: u32 = 20;
