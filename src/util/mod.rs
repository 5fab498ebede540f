//! Tools that every folder uses and that depend on none of them.

pub mod interrupt;
pub mod memory;
pub mod named_enum;
pub mod ordered_parallel;
pub mod prefetch;
pub mod quantity;
pub mod sanitize;

/// The version of runs: it rises when the same configuration and seed give another run than before.
pub const RESULTS_VERSION: u32 = 5;
