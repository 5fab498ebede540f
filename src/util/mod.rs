//! What every folder may use and that knows none of them.

#[cfg(feature = "cli")]
pub mod file_lock;
pub mod ordered_parallel;
#[cfg(feature = "cli")]
pub(crate) mod ordered_parallel_iter;
#[cfg(feature = "cli")]
pub mod read_limited;
