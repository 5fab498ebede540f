//! The clock by which runs and devices are timed. In a page the one of the standard library would panic.

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use web_time::Instant;
