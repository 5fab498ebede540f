//! Whether there is memory for what is asked, before it is allocated.

use indicatif::BinaryBytes;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};
use thiserror::Error;

/// More memory was asked for than there is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} needs {}, but only {} are available", BinaryBytes(*.needed), BinaryBytes(*.available))]
pub struct NotEnoughMemory {
    /// What the memory is for.
    pub what: String,
    /// Bytes it needs.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

/// Bytes that this process may still use, by the system and by its control group; where the
/// system does not tell, no bound.
pub fn available() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(memory) else { return u64::MAX };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(group)
}

/// Checks that `needed` bytes are there for `what`.
///
/// # Errors
/// [`NotEnoughMemory`] when they are not.
pub fn check(what: &str, needed: u64) -> Result<(), NotEnoughMemory> {
    let available = available();
    if needed > available {
        return Err(NotEnoughMemory { what: what.to_owned(), needed, available });
    }
    Ok(())
}
