//! Files read up to a bound: what never ends, or would fill memory, is refused. Settings have a bound of
//! their own, results that of the memory that there is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::util::memory;

/// The part of the memory that a file of results may take: what is made of it takes more.
const SHARE: u64 = 4;

/// The most bytes that a file of settings may have.
pub const MOST_BYTES: u64 = 16 << 20;

/// The text of a file of at most [`MOST_BYTES`].
///
/// # Errors
/// When it cannot be opened or read, is larger, or is no UTF-8.
pub fn read_bounded(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut bounded = File::open(path)?.take(MOST_BYTES + 1);
    bounded.read_to_end(&mut bytes)?;
    if bounded.limit() == 0 {
        let what = format!("it has more than {} MiB", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// All that a file of results holds, if that takes no more than a quarter of the memory that there is.
///
/// # Errors
/// When it cannot be opened or read, or is larger.
pub fn read_results(path: &Path) -> io::Result<Vec<u8>> {
    results_in(File::open(path)?)
}

/// The same of a file that is open.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn results_in(file: impl Read) -> io::Result<Vec<u8>> {
    within(file, memory::available() / SHARE)
}

/// All that a source holds, if it is at most so many bytes.
fn within(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut bounded = source.take(most.saturating_add(1));
    bounded.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what =
            format!("it has more than {} MiB, a quarter of the memory that is left", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_refused_and_what_just_fits_is_read() {
        assert_eq!(within(&b"four"[..], 4).unwrap(), b"four");
        let refused = within(io::repeat(7), 3 << 20).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        assert!(refused.to_string().starts_with("it has more than 3 MiB"), "{refused}");
    }
}
