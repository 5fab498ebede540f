//! What every folder may use and that knows none of them.

#[cfg(feature = "cli")]
pub mod file_lock;
#[cfg(feature = "cli")]
pub mod read_limited;
