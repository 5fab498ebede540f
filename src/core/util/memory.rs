//! Checks that enough memory is available before it is allocated, and files that are read up to a bound: one
//! that never ends, or would fill memory, is refused.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// The part of the memory that a file of results may take: its content as values takes more.
const SHARE: u64 = 4;

/// The most bytes that a file of settings may have.
const MOST_BYTES: u64 = 16 << 20;

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
pub fn available() -> u64 {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(memory) else { return within_limit() };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    // 0 where /proc cannot be read, which becomes no bound; a byte less of any other number does not matter.
    system.available_memory().wrapping_sub(1).min(group).min(within_limit())
}

/// Bytes of address space left within the process's limit; no bound where there is no limit.
#[cfg(all(unix, not(target_os = "openbsd")))]
fn within_limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let Some(limit) = getrlimit(Resource::As).current else { return u64::MAX };
    // `VmSize:   123456 kB`; where it is missing, the memory in use is not subtracted.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kibibytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    limit.saturating_sub(kibibytes.unwrap_or(0) << 10)
}

/// Other systems report no limit; a page has the 4 GiB that an address of 32 bits reaches.
#[cfg(not(all(unix, not(target_os = "openbsd"))))]
fn within_limit() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return (1 << 32) - ((core::arch::wasm32::memory_size(0) as u64) << 16);
    #[cfg(not(target_arch = "wasm32"))]
    u64::MAX
}

/// How many things of `each` bytes memory holds at a time, at least one.
pub fn fitting(each: u64) -> usize {
    usize::try_from(available() / each.max(1)).unwrap_or(usize::MAX).max(1)
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

/// The text of a file of settings, of at most 16 MiB.
///
/// # Errors
/// When it cannot be opened or read, is larger, or is no UTF-8.
pub fn read_settings(path: &Path) -> io::Result<String> {
    let bytes = read_within(File::open(path)?, MOST_BYTES, "")?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// All that a file of results holds, if that takes no more than a quarter of the memory that is available.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn read_results(file: impl Read) -> io::Result<Vec<u8>> {
    read_within(file, available() / SHARE, ", a quarter of the available memory")
}

/// Reads a source of at most `most` bytes; a `remark` says why there may not be more.
fn read_within(source: impl Read, most: u64, remark: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it has more than {} MiB{remark}", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_an_end_is_refused_and_one_that_just_fits_is_read() {
        assert_eq!(read_within(&b"four"[..], 4, "").unwrap(), b"four");
        let refused = read_within(io::repeat(7), 3 << 20, "").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(refused.to_string(), "it has more than 3 MiB");
    }
}
