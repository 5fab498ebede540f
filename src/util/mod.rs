//! What every folder may use and that knows none of them.

#[cfg(feature = "cli")]
pub mod file_lock;
#[cfg(feature = "cli")]
pub mod interrupt;
pub mod memory;
pub mod named_enum;
pub mod ordered_parallel;
#[cfg(feature = "cli")]
pub(crate) mod ordered_parallel_iter;
pub mod plural;
pub mod prefetch;
pub mod quantity;
#[cfg(feature = "cli")]
pub mod read_limited;
pub mod sanitize;

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 5;
