//! Checks that enough memory is available before it is allocated.

use thiserror::Error;

/// More memory is needed than is available.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} needs {:.2} GiB, but only {:.2} GiB are available", gibibytes(*.needed), gibibytes(*.available))]
pub struct NotEnoughMemory {
    /// The purpose of the memory.
    pub what: String,
    /// Bytes needed.
    pub needed: u64,
    /// Bytes available.
    pub available: u64,
}

fn gibibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Bytes that this process may still use: the least of what the system, its control group and its limit
/// (`ulimit -v`, which batch systems set) leave. No bound where the system does not report one.
#[cfg(feature = "cli")]
pub fn available() -> u64 {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(memory) else { return u64::MAX };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(group).min(within_limit())
}

/// Bytes of address space left within the process's limit; no bound where there is no limit.
#[cfg(all(feature = "cli", unix))]
fn within_limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let Some(limit) = getrlimit(Resource::As).current else { return u64::MAX };
    // `VmSize:   123456 kB`; where it is missing, the memory in use is not subtracted.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kibibytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    limit.saturating_sub(kibibytes.unwrap_or(0) << 10)
}

/// Other systems report no limit.
#[cfg(all(feature = "cli", not(unix)))]
fn within_limit() -> u64 {
    u64::MAX
}

/// No bound: without the feature `cli` the system is not asked, and the allocator refuses what is too much.
#[cfg(not(feature = "cli"))]
pub fn available() -> u64 {
    u64::MAX
}

/// Bytes that every machine has: asking the system takes longer than solving an easy puzzle.
const LITTLE: u64 = 16 << 20;

/// Checks that `needed` bytes are available for `what`.
///
/// # Errors
/// [`NotEnoughMemory`] when they are not available.
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
