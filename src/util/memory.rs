//! Whether there is memory for what is asked, before it is allocated.

use thiserror::Error;

/// More memory was asked for than there is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} needs {:.2} GiB, but only {:.2} GiB are available", gibibytes(*.needed), gibibytes(*.available))]
pub struct NotEnoughMemory {
    /// What the memory is for.
    pub what: String,
    /// Bytes it needs.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

fn gibibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Bytes that this process may still use, by the system, by its control group and by its limit (`ulimit -v`,
/// which batch systems set); where the system does not tell, no bound.
#[cfg(feature = "cli")]
pub fn available() -> u64 {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(memory) else { return u64::MAX };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(group).min(within_limit())
}

/// Bytes of address space that the process has left; no bound where there is none.
#[cfg(all(feature = "cli", unix))]
fn within_limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let Some(limit) = getrlimit(Resource::As).current else { return u64::MAX };
    // `VmSize:   123456 kB`; where it is not told, what is taken already is not taken off.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kibibytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    limit.saturating_sub(kibibytes.unwrap_or(0) << 10)
}

/// No limit is told.
#[cfg(all(feature = "cli", not(unix)))]
fn within_limit() -> u64 {
    u64::MAX
}

/// No bound: nobody is there to tell, and what is not there is refused when it is allocated.
#[cfg(not(feature = "cli"))]
pub fn available() -> u64 {
    u64::MAX
}

/// What every machine has: to ask for it takes longer than an easy puzzle.
const LITTLE: u64 = 16 << 20;

/// Checks that `needed` bytes are there for `what`.
///
/// # Errors
/// [`NotEnoughMemory`] when they are not.
pub fn check(what: &str, needed: u64) -> Result<(), NotEnoughMemory> {
    if needed <= LITTLE {
        return Ok(());
    }
    let available = available();
    if needed > available {
        return Err(NotEnoughMemory { what: what.to_owned(), needed, available });
    }
    Ok(())
}
