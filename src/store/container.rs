//! The container format: a line of text, a tag, a header, a body, a checksum.
//!
//! | bytes | what |
//! | --- | --- |
//! | | a line of text, so that the kind of the file can be seen, with the version of the form |
//! | | the tag, in the form of postcard: its kind, the versions of the program and of its runs |
//! | | the header, in the same form: everything but the body, whose length follows from it |
//! | | the body: packed populations |
//! | 4 | CRC-32 of all before it, little-endian |

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::checksum::ChecksumWriter;
use super::is_blank;
use crate::util::RESULTS_VERSION;
use crate::util::named_enum::named;

/// The version of the form.
pub const FORM: u32 = 6;

const MAGIC: &str = "evodoku checkpoint ";
/// The checksum at the end.
const CHECKSUM: usize = size_of::<u32>();

named! {
    /// The owner of a checkpoint.
    pub enum CheckpointKind {
        /// The command `solve`, with all of its runs.
        Solve = "solve",
        /// A run of an experiment.
        Experiment = "experiment",
    }
}

/// A file that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContainerError {
    /// It does not begin as one.
    #[error("is not a checkpoint")]
    Foreign,
    /// It has another form.
    #[error(
        "is a checkpoint of format {0}, but this version of evodoku reads format {FORM}: use the version \
         that wrote it, or start over"
    )]
    Form(String),
    /// It is one of something else.
    #[error("is a checkpoint of {0}: use {0} --resume")]
    Kind(CheckpointKind),
    /// Its runs are of a version in which the same seeds gave others.
    #[error(
        "is from evodoku {version} with results version {found}, not {RESULTS_VERSION}: use the evodoku that wrote it, or start over"
    )]
    Runs {
        /// The program that wrote it.
        version: String,
        /// The version of its runs.
        found: u32,
    },
    /// Its end is missing, something follows it, or other bytes are in it.
    #[error("is incomplete or was changed: its checksum does not match")]
    Damaged,
    /// Its parts do not fit together.
    #[error("was written by another version of evodoku: use that version, or start over")]
    Unreadable,
}

/// Whether there is no file, or one that holds nothing or begins as a checkpoint: no other may be lost.
pub fn is_checkpoint_or_blank(path: &Path) -> bool {
    begins_with(path, MAGIC.as_bytes())
}

/// Whether there is no file, or one that holds nothing or begins with a title. What is no file is not opened: a pipe
/// would wait.
pub fn begins_with(path: &Path, title: &[u8]) -> bool {
    let Ok(data) = fs::metadata(path) else { return true };
    let mut start = Vec::new();
    let mut read =
        || File::open(path).and_then(|file| file.take(title.len() as u64).read_to_end(&mut start));
    data.is_file() && (read().is_err() || is_blank(&start) || start == title)
}

/// Writes a header, and after it a body.
///
/// # Errors
/// The errors of `to` and of `body`.
pub fn write_container(
    to: &mut dyn Write,
    kind: CheckpointKind,
    header: &impl Serialize,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let tag = (kind, env!("CARGO_PKG_VERSION"), RESULTS_VERSION);
    let header = postcard::to_stdvec(&(tag, header)).map_err(io::Error::other)?;
    let mut checked = ChecksumWriter::new(to);
    checked.write_all(format!("{MAGIC}{FORM}\n").as_bytes())?;
    checked.write_all(&header)?;
    body(&mut checked)?;
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
    let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(ContainerError::Foreign)?;
    // A number of some digits, and the end of the line.
    let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let (form, rest) = rest.split_at(digits);
    let rest = rest.strip_prefix(b"\n").filter(|_| digits > 0).ok_or(ContainerError::Foreign)?;
    if form != FORM.to_string().as_bytes() {
        return Err(ContainerError::Form(String::from_utf8_lossy(form).into_owned()));
    }
    let (rest, checksum) = rest.split_last_chunk::<CHECKSUM>().ok_or(ContainerError::Damaged)?;
    let checked = &bytes[..bytes.len() - CHECKSUM];
    if crc32fast::hash(checked) != u32::from_le_bytes(*checksum) {
        return Err(ContainerError::Damaged);
    }
    // The rest, to which another version may add, is not read before the version is known.
    let ((stored_kind, version, found), rest) =
        postcard::take_from_bytes::<(CheckpointKind, String, u32)>(rest)
            .map_err(|_| ContainerError::Unreadable)?;
    if stored_kind != kind {
        return Err(ContainerError::Kind(stored_kind));
    }
    if found != RESULTS_VERSION {
        return Err(ContainerError::Runs { version, found });
    }
    postcard::take_from_bytes(rest).map_err(|_| ContainerError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let header = ("header".to_owned(), 7u32);
        let body = |to: &mut dyn Write| to.write_all(&[1, 2, 3]);
        write_container(&mut bytes, CheckpointKind::Solve, &header, body).unwrap();
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
            let is_titled = at > MAGIC.len() + 1;
            let expected =
                if is_titled { ContainerError::Damaged } else { ContainerError::Foreign };
            assert_eq!(torn, expected, "{at}");
        }
        assert_eq!(opened(&[&whole[..], &[0]].concat()), Err(ContainerError::Damaged));
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
        let later = written().strip_prefix(b"evodoku checkpoint 6").unwrap().to_vec();
        let later = [b"evodoku checkpoint 12".to_vec(), later].concat();
        let refused = opened(&later).unwrap_err();
        assert_eq!(refused, ContainerError::Form("12".to_owned()));
        let sentence = "is a checkpoint of format 12, but this version of evodoku reads format 6: use the \
                        version that wrote it, or start over";
        assert_eq!(refused.to_string(), sentence);
        for foreign in [
            "", "{\"runs\":[]}", "evodoku bench", "evodoku checkpoint x\n", "evodoku checkpoint \n",
        ] {
            assert_eq!(opened(foreign.as_bytes()), Err(ContainerError::Foreign), "{foreign}");
        }
    }

    /// The same with another header, and its checksum.
    fn with_header(header: &impl Serialize) -> Vec<u8> {
        let header = postcard::to_stdvec(header).unwrap();
        let bytes = [format!("{MAGIC}{FORM}\n").as_bytes(), &header].concat();
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
            "is from evodoku 9.9.9 with results version {found}, not {RESULTS_VERSION}: use the evodoku that wrote \
             it, or start over"
        );
        assert_eq!(refused.to_string(), sentence);
        // The same runs, but another header.
        let other = with_header(&(CheckpointKind::Solve, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&other), Err(ContainerError::Unreadable));
        let of_run = with_header(&(CheckpointKind::Experiment, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&of_run), Err(ContainerError::Kind(CheckpointKind::Experiment)));
    }
}
