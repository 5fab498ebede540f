//! The container format: magic, lengths, a header, a body, a checksum.
//!
//! A file begins with a line of text, so that its kind can be seen; then come, in
//! little-endian order:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | how many bytes follow before the checksum |
//! | 8 | the length of the header |
//! | | the header, in the form of postcard: its kind, versions, and everything but the body |
//! | | the body: packed populations |
//! | 4 | CRC-32 of all before it |
//!
//! The length finds what was cut off, the checksum what was changed.

use std::io::{self, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checksum::ChecksumWriter;
use crate::util::RESULTS_VERSION;

/// The version of the form.
pub const FORM: u32 = 3;

const MAGIC: &str = "evodoku checkpoint ";
/// The lengths after the line, and the checksum at the end.
const LENGTH: usize = size_of::<u64>();
const CHECKSUM: usize = size_of::<u32>();

/// The owner of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckpointKind {
    /// The command `solve`, with all of its runs.
    Solve,
    /// A run of an experiment.
    Experiment,
}

/// A file that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContainerError {
    /// It does not begin as one.
    #[error("is no checkpoint")]
    Foreign,
    /// It has another form.
    #[error(
        "is a checkpoint of form {0}, but this version of evodoku reads form {FORM}: use the program \
         that wrote it, or start over"
    )]
    Form(String),
    /// It is one of something else.
    #[error("is a checkpoint of {}", match .0 {
        CheckpointKind::Solve => "solve, which solve --resume continues from",
        CheckpointKind::Experiment => "an experiment's run, which experiment --resume continues from",
    })]
    Kind(CheckpointKind),
    /// Its runs are of a version in which the same seeds gave others.
    #[error(
        "is of evodoku {version}, whose runs are of version {found}, not {RESULTS_VERSION}: use that \
         program, or start over"
    )]
    Runs {
        /// The program that wrote it.
        version: String,
        /// The version of its runs.
        found: u32,
    },
    /// Its end is missing, or something follows it.
    #[error("is torn: it has {found} bytes of {wanted}")]
    Torn {
        /// Bytes that there are.
        found: u64,
        /// Bytes that there should be.
        wanted: u64,
    },
    /// Its checksum is that of other bytes.
    #[error("was changed: its checksum is that of other bytes")]
    Changed,
    /// Its parts do not fit together.
    #[error("was written by another version of evodoku: use that program, or start over")]
    Unreadable,
}

/// Writes a header, and after it so many bytes of a body.
///
/// # Errors
/// The errors of `to` and of `body`.
pub fn write_container(
    to: &mut dyn Write,
    kind: CheckpointKind,
    header: &impl Serialize,
    body_bytes: u64,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let tag = (kind, env!("CARGO_PKG_VERSION"), RESULTS_VERSION);
    let header = postcard::to_stdvec(&(tag, header)).map_err(io::Error::other)?;
    let bytes = (LENGTH + header.len()) as u64 + body_bytes;
    let mut checked = ChecksumWriter::new(to);
    checked.write_all(format!("{MAGIC}{FORM}\n").as_bytes())?;
    checked.write_all(&bytes.to_le_bytes())?;
    checked.write_all(&(header.len() as u64).to_le_bytes())?;
    checked.write_all(&header)?;
    let before = checked.bytes;
    body(&mut checked)?;
    if checked.bytes - before != body_bytes {
        return Err(io::Error::other("the population is not as large as it was"));
    }
    let checksum = checked.checksum();
    checked.to.write_all(&checksum.to_le_bytes())
}

/// The header and the body of what [`write_container`] wrote of this kind.
///
/// # Errors
/// [`ContainerError`] says what is wrong.
pub fn read_container<H: DeserializeOwned>(
    bytes: &[u8],
    kind: CheckpointKind,
) -> Result<(H, &[u8]), ContainerError> {
    let title = &MAGIC.as_bytes()[..MAGIC.len().min(bytes.len())];
    let rest = bytes.strip_prefix(title).ok_or(ContainerError::Foreign)?;
    let torn =
        |wanted: usize| ContainerError::Torn { found: bytes.len() as u64, wanted: wanted as u64 };
    // A number of some digits, and the end of the line.
    let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let least = MAGIC.len() + digits + 1 + 2 * LENGTH + CHECKSUM;
    let body = match rest.get(digits) {
        None => return Err(if bytes.is_empty() { ContainerError::Foreign } else { torn(least) }),
        Some(b'\n') if digits > 0 => &rest[digits + 1..],
        Some(_) => return Err(ContainerError::Foreign),
    };
    let form = String::from_utf8_lossy(&rest[..digits]).into_owned();
    if form != FORM.to_string() {
        return Err(ContainerError::Form(form));
    }
    let (length, body) = body.split_first_chunk().ok_or_else(|| torn(least))?;
    let length = u64::from_le_bytes(*length);
    let found = bytes.len() as u64;
    let wanted = (found - body.len() as u64).saturating_add(length).saturating_add(CHECKSUM as u64);
    if found != wanted {
        return Err(ContainerError::Torn { found, wanted });
    }
    let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| torn(least))?;
    if crc32fast::hash(checked) != u32::from_le_bytes(*checksum) {
        return Err(ContainerError::Changed);
    }
    let body = &body[..body.len() - CHECKSUM];
    let (length, body) = body.split_first_chunk().ok_or(ContainerError::Unreadable)?;
    let length =
        usize::try_from(u64::from_le_bytes(*length)).map_err(|_| ContainerError::Unreadable)?;
    let (header, body) = body.split_at_checked(length).ok_or(ContainerError::Unreadable)?;
    // The rest, to which another version may add, is not read before the version is known.
    let ((stored_kind, version, found), header) =
        postcard::take_from_bytes::<(CheckpointKind, String, u32)>(header)
            .map_err(|_| ContainerError::Unreadable)?;
    if stored_kind != kind {
        return Err(ContainerError::Kind(stored_kind));
    }
    if found != RESULTS_VERSION {
        return Err(ContainerError::Runs { version, found });
    }
    let (header, rest) =
        postcard::take_from_bytes(header).map_err(|_| ContainerError::Unreadable)?;
    if rest.is_empty() { Ok((header, body)) } else { Err(ContainerError::Unreadable) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let header = ("header".to_owned(), 7u32);
        write_container(&mut bytes, CheckpointKind::Solve, &header, 3, |to| {
            to.write_all(&[1, 2, 3])
        })
        .unwrap();
        bytes
    }

    fn opened(bytes: &[u8]) -> Result<((String, u32), &[u8]), ContainerError> {
        read_container(bytes, CheckpointKind::Solve)
    }

    #[test]
    fn it_comes_back() {
        assert_eq!(opened(&written()), Ok((("header".to_owned(), 7), &[1, 2, 3][..])));
    }

    #[test]
    fn what_is_torn_anywhere_is_found() {
        let whole = written();
        for at in 0..whole.len() {
            let torn = opened(&whole[..at]).unwrap_err();
            let is_known = matches!(torn, ContainerError::Torn { .. });
            assert!(is_known || at == 0 && torn == ContainerError::Foreign, "{at}: {torn}");
        }
        let longer = [&whole[..], &[0]].concat();
        assert!(matches!(opened(&longer), Err(ContainerError::Torn { .. })));
    }

    #[test]
    fn every_changed_bit_is_found() {
        let whole = written();
        for at in 0..8 * whole.len() {
            let mut changed = whole.clone();
            changed[at / 8] ^= 1 << (at % 8);
            assert!(opened(&changed).is_err(), "bit {at}");
        }
    }

    #[test]
    fn other_forms_and_other_files_are_told() {
        let later = written().strip_prefix(b"evodoku checkpoint 3").unwrap().to_vec();
        let later = [b"evodoku checkpoint 12".to_vec(), later].concat();
        let refused = opened(&later).unwrap_err();
        assert_eq!(refused, ContainerError::Form("12".to_owned()));
        let sentence = "is a checkpoint of form 12, but this version of evodoku reads form 3: use the \
                        program that wrote it, or start over";
        assert_eq!(refused.to_string(), sentence);
        for foreign in ["", "{\"runs\":[]}", "evodoku bench", "evodoku checkpoint x\n"] {
            assert_eq!(opened(foreign.as_bytes()), Err(ContainerError::Foreign), "{foreign}");
        }
    }

    /// The same with another header, and its checksum.
    fn with_header(header: &impl Serialize) -> Vec<u8> {
        let header = postcard::to_stdvec(header).unwrap();
        let lengths = [LENGTH as u64 + header.len() as u64, header.len() as u64];
        let lengths: Vec<u8> = lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        let bytes = [format!("{MAGIC}{FORM}\n").as_bytes(), &lengths, &header].concat();
        let checksum = crc32fast::hash(&bytes).to_le_bytes();
        [bytes, checksum.to_vec()].concat()
    }

    #[test]
    fn other_versions_and_other_kinds_are_told_whatever_else_they_hold() {
        let found = RESULTS_VERSION + 1;
        let later =
            with_header(&(CheckpointKind::Solve, "9.9.9", found, "a header that nobody knows"));
        let refused = opened(&later).unwrap_err();
        assert_eq!(refused, ContainerError::Runs { version: "9.9.9".to_owned(), found });
        let sentence = format!(
            "is of evodoku 9.9.9, whose runs are of version {found}, not {RESULTS_VERSION}: use that \
             program, or start over"
        );
        assert_eq!(refused.to_string(), sentence);
        // The same runs, but another header.
        let other = with_header(&(CheckpointKind::Solve, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&other), Err(ContainerError::Unreadable));
        let of_run = with_header(&(CheckpointKind::Experiment, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&of_run), Err(ContainerError::Kind(CheckpointKind::Experiment)));
    }

    #[test]
    fn a_body_of_another_length_is_not_written() {
        let mut bytes = Vec::new();
        let body = |to: &mut dyn Write| to.write_all(&[1, 2, 3]);
        assert!(write_container(&mut bytes, CheckpointKind::Solve, &1u32, 4, body).is_err());
    }
}
