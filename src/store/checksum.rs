//! CRC-32 checksums (IEEE 802.3): of lines of JSON, and of what is written to a file.
//!
//! The last member of an object is `"crc32"`: the checksum, as 8 hexadecimal digits, of the
//! object without that member. A line that was torn, changed or put together of two
//! has another one.
//!
//! `{"a":1}` becomes `{"a":1,"crc32":"561bacaf"}`.

use std::io::{self, Write};

use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

const MEMBER: &str = ",\"crc32\":\"";
const END: &str = "\"}";
const DIGITS: usize = 8;

/// A line that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// It was torn or changed.
    #[error("{0}")]
    Damaged(String),
    /// It is whole, and does not belong here.
    #[error("{0}")]
    Foreign(String),
}

/// Adds the checksum to an object that has a member.
pub fn append_checksum(mut object: String) -> String {
    let checksum = crc32fast::hash(object.as_bytes());
    object.pop();
    object + MEMBER + &format!("{checksum:08x}") + END
}

/// A value as an object with its checksum, without the end of the line.
pub fn json_line(value: &impl Serialize) -> String {
    // Every key is a string and every number finite: nothing here can fail.
    append_checksum(serde_json::to_string(value).unwrap_or_default())
}

/// The value of a line whose checksum fits.
///
/// # Errors
/// [`LineError`] when it does not, there is none, or the object is of another type.
pub fn parse_line<T: DeserializeOwned>(line: &str) -> Result<T, LineError> {
    let object = strip_checksum(line)?;
    serde_json::from_str(&object).map_err(|error| LineError::Foreign(error.to_string()))
}

/// The object without its checksum, which is checked.
fn strip_checksum(line: &str) -> Result<String, LineError> {
    let split = || {
        let rest = line.strip_suffix(END)?;
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        Some((rest.strip_suffix(MEMBER)?.to_owned() + "}", digits))
    };
    let damaged = |what: &str| LineError::Damaged(what.to_owned());
    let (object, digits) = split().ok_or_else(|| damaged("it does not end with a checksum"))?;
    let fits = digits == format!("{:08x}", crc32fast::hash(object.as_bytes()));
    if fits { Ok(object) } else { Err(damaged("its checksum does not match")) }
}

/// Counts the bytes that are written to `to`, and computes their checksum.
#[derive(Debug)]
pub(super) struct ChecksumWriter<W> {
    pub to: W,
    pub bytes: u64,
    pub hasher: Hasher,
}

impl<W> ChecksumWriter<W> {
    /// Nothing is written yet.
    pub fn new(to: W) -> Self {
        Self { to, bytes: 0, hasher: Hasher::new() }
    }

    /// The checksum of all bytes so far.
    pub fn checksum(&self) -> u32 {
        self.hasher.clone().finalize()
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_or_cut_is_known() {
        let object = "{\"name\":\"Größe\",\"cell\":12}";
        let whole = append_checksum(object.to_owned());
        assert_eq!(strip_checksum(&whole).as_deref(), Ok(object));
        for at in 0..whole.len() {
            if whole.is_char_boundary(at) {
                assert!(strip_checksum(&whole[..at]).is_err(), "{at}");
            }
            let mut bytes = whole.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(strip_checksum(&changed).is_err(), "{changed}");
            }
        }
        assert!(strip_checksum("é\"}").is_err());
    }
}
