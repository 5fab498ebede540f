//! Checksums of lines of JSON.
//!
//! The last member of a sealed object is `"crc32"`: the CRC-32 (IEEE 802.3), as 8 hexadecimal
//! digits, of the object as it was written without that member. A line that was cut off, changed or
//! put together of two has another.
//!
//! `{"a":1}` is sealed as `{"a":1,"crc32":"561c5cae"}`.

use thiserror::Error;

const MEMBER: &str = ",\"crc32\":\"";
const END: &str = "\"}";
const DIGITS: usize = 8;

/// A line that is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Broken {
    /// There is no checksum at its end.
    #[error("it does not end with a checksum")]
    Unsealed,
    /// It has another checksum than its text.
    #[error("its checksum is that of another text")]
    Changed,
}

/// Adds the checksum to an object that has a member.
pub fn seal(mut object: String) -> String {
    let checksum = crc32fast::hash(object.as_bytes());
    object.pop();
    object + MEMBER + &format!("{checksum:08x}") + END
}

/// The object without its checksum, which is found to fit.
///
/// # Errors
/// [`Broken`] when it does not, or there is none.
pub(crate) fn unseal(line: &str) -> Result<String, Broken> {
    let rest = line.strip_suffix(END).ok_or(Broken::Unsealed)?;
    let at = rest.len().checked_sub(DIGITS).ok_or(Broken::Unsealed)?;
    let (rest, digits) = rest.split_at_checked(at).ok_or(Broken::Unsealed)?;
    let object = rest.strip_suffix(MEMBER).ok_or(Broken::Unsealed)?.to_owned() + "}";
    let fits = digits == format!("{:08x}", crc32fast::hash(object.as_bytes()));
    if fits { Ok(object) } else { Err(Broken::Changed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_or_cut_is_known() {
        let object = "{\"name\":\"Größe\",\"cell\":12}";
        let sealed = seal(object.to_owned());
        assert_eq!(unseal(&sealed).as_deref(), Ok(object));
        for at in 0..sealed.len() {
            if sealed.is_char_boundary(at) {
                assert!(unseal(&sealed[..at]).is_err(), "{at}");
            }
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(unseal(&changed).is_err(), "{changed}");
            }
        }
        assert_eq!(unseal("é\"}"), Err(Broken::Unsealed));
    }
}
