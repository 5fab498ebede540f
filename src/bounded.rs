//! Files of settings, read up to a bound: what never ends, or would fill memory, is refused.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that such a file may have.
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
