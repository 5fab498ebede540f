//! What every folder may use and that knows none of them.

#[cfg(feature = "cli")]
pub mod interrupt;
pub mod memory;
pub mod named_enum;
pub mod ordered_parallel;
pub mod plural;
pub mod prefetch;
pub mod quantity;
pub mod sanitize;

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 5;
