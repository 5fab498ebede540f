//! The form of a file: a line of text, lengths, the head, populations, a checksum.

use std::io::{self, Write};

use crc32fast::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::RESULTS_VERSION;

/// The version of the form.
pub const FORM: u32 = 2;

const TITLE: &str = "evodoku checkpoint ";
/// The lengths after the line, and the checksum at the end.
const LENGTH: usize = size_of::<u64>();
const CHECKSUM: usize = size_of::<u32>();

/// Whose a checkpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Of a command `solve`, with all of its runs.
    Solve,
    /// Of a run of an experiment.
    Experiment,
}

/// Why a file cannot be gone on from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// It does not begin as one.
    #[error("is no checkpoint")]
    Foreign,
    /// It has another form.
    #[error(
        "is a checkpoint of form {0}, but this version of evodoku reads form {FORM}: take the program \
         that wrote it, or begin anew"
    )]
    Form(String),
    /// It is one of something else.
    #[error("is a checkpoint of {}", match .0 {
        Kind::Solve => "solve, which solve --resume goes on from",
        Kind::Experiment => "an experiment's run, which experiment --resume goes on from",
    })]
    Kind(Kind),
    /// Its runs are of a version in which the same seeds gave others.
    #[error(
        "is of evodoku {version}, whose runs are of version {found}, not {RESULTS_VERSION}: take that \
         program, or begin anew"
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
    /// What it holds does not fit together.
    #[error("was written by another version of evodoku: take that program, or begin anew")]
    Unreadable,
}

/// Writes whose it is, a head, and after it so many bytes of a body.
///
/// # Errors
/// Those of `to` and of `body`.
pub fn write(
    to: &mut dyn Write,
    kind: Kind,
    head: &impl Serialize,
    body_bytes: u64,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let whose = (kind, env!("CARGO_PKG_VERSION"), RESULTS_VERSION);
    let head = postcard::to_stdvec(&(whose, head)).map_err(io::Error::other)?;
    let bytes = (LENGTH + head.len()) as u64 + body_bytes;
    let mut checked = Checked { to, hasher: Hasher::new(), bytes: 0 };
    checked.write_all(format!("{TITLE}{FORM}\n").as_bytes())?;
    checked.write_all(&bytes.to_le_bytes())?;
    checked.write_all(&(head.len() as u64).to_le_bytes())?;
    checked.write_all(&head)?;
    let before = checked.bytes;
    body(&mut checked)?;
    if checked.bytes - before != body_bytes {
        return Err(io::Error::other("the population is not as large as it was"));
    }
    let Checked { to, hasher, .. } = checked;
    to.write_all(&hasher.finalize().to_le_bytes())
}

/// The head and the body of what [`write()`] wrote of this kind.
///
/// # Errors
/// [`Broken`] says what is wrong.
pub fn read<H: DeserializeOwned>(bytes: &[u8], kind: Kind) -> Result<(H, &[u8]), Broken> {
    let title = &TITLE.as_bytes()[..TITLE.len().min(bytes.len())];
    let rest = bytes.strip_prefix(title).ok_or(Broken::Foreign)?;
    let torn = |wanted: usize| Broken::Torn { found: bytes.len() as u64, wanted: wanted as u64 };
    // A number of some digits, and the end of the line.
    let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let least = TITLE.len() + digits + 1 + 2 * LENGTH + CHECKSUM;
    let body = match rest.get(digits) {
        None => return Err(if bytes.is_empty() { Broken::Foreign } else { torn(least) }),
        Some(b'\n') if digits > 0 => &rest[digits + 1..],
        Some(_) => return Err(Broken::Foreign),
    };
    let form = String::from_utf8_lossy(&rest[..digits]).into_owned();
    if form != FORM.to_string() {
        return Err(Broken::Form(form));
    }
    let (length, body) = body.split_first_chunk().ok_or_else(|| torn(least))?;
    let length = u64::from_le_bytes(*length);
    let found = bytes.len() as u64;
    let wanted = (found - body.len() as u64).saturating_add(length).saturating_add(CHECKSUM as u64);
    if found != wanted {
        return Err(Broken::Torn { found, wanted });
    }
    let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| torn(least))?;
    if crc32fast::hash(checked) != u32::from_le_bytes(*checksum) {
        return Err(Broken::Changed);
    }
    let body = &body[..body.len() - CHECKSUM];
    let (length, body) = body.split_first_chunk().ok_or(Broken::Unreadable)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Broken::Unreadable)?;
    let (head, body) = body.split_at_checked(length).ok_or(Broken::Unreadable)?;
    // What another version adds to the rest is not looked at before it is known to be another.
    let ((whose, version, found), head) =
        postcard::take_from_bytes::<(Kind, String, u32)>(head).map_err(|_| Broken::Unreadable)?;
    if whose != kind {
        return Err(Broken::Kind(whose));
    }
    if found != RESULTS_VERSION {
        return Err(Broken::Runs { version, found });
    }
    let (head, rest) = postcard::take_from_bytes(head).map_err(|_| Broken::Unreadable)?;
    if rest.is_empty() { Ok((head, body)) } else { Err(Broken::Unreadable) }
}

/// Counts and checks what is written.
struct Checked<'a> {
    to: &'a mut dyn Write,
    hasher: Hasher,
    bytes: u64,
}

impl Write for Checked<'_> {
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

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let head = ("head".to_owned(), 7u32);
        write(&mut bytes, Kind::Solve, &head, 3, |to| to.write_all(&[1, 2, 3])).unwrap();
        bytes
    }

    fn opened(bytes: &[u8]) -> Result<((String, u32), &[u8]), Broken> {
        read(bytes, Kind::Solve)
    }

    #[test]
    fn it_comes_back() {
        assert_eq!(opened(&written()), Ok((("head".to_owned(), 7), &[1, 2, 3][..])));
    }

    #[test]
    fn what_is_torn_anywhere_is_found() {
        let whole = written();
        for at in 0..whole.len() {
            let torn = opened(&whole[..at]).unwrap_err();
            let is_known = matches!(torn, Broken::Torn { .. });
            assert!(is_known || at == 0 && torn == Broken::Foreign, "{at}: {torn}");
        }
        let longer = [&whole[..], &[0]].concat();
        assert!(matches!(opened(&longer), Err(Broken::Torn { .. })));
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
        let later = written().strip_prefix(b"evodoku checkpoint 2").unwrap().to_vec();
        let later = [b"evodoku checkpoint 12".to_vec(), later].concat();
        let refused = opened(&later).unwrap_err();
        assert_eq!(refused, Broken::Form("12".to_owned()));
        let sentence = "is a checkpoint of form 12, but this version of evodoku reads form 2: take the \
                        program that wrote it, or begin anew";
        assert_eq!(refused.to_string(), sentence);
        for foreign in ["", "{\"runs\":[]}", "evodoku bench", "evodoku checkpoint x\n"] {
            assert_eq!(opened(foreign.as_bytes()), Err(Broken::Foreign), "{foreign}");
        }
    }

    /// The same with another head, sealed anew.
    fn with_head(head: &impl Serialize) -> Vec<u8> {
        let head = postcard::to_stdvec(head).unwrap();
        let lengths = [LENGTH as u64 + head.len() as u64, head.len() as u64];
        let lengths: Vec<u8> = lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        let bytes = [format!("{TITLE}{FORM}\n").as_bytes(), &lengths, &head].concat();
        let checksum = crc32fast::hash(&bytes).to_le_bytes();
        [bytes, checksum.to_vec()].concat()
    }

    #[test]
    fn other_versions_and_other_kinds_are_told_whatever_else_they_hold() {
        let found = RESULTS_VERSION + 1;
        let later = with_head(&(Kind::Solve, "9.9.9", found, "a head that nobody knows"));
        let refused = opened(&later).unwrap_err();
        assert_eq!(refused, Broken::Runs { version: "9.9.9".to_owned(), found });
        let sentence = format!(
            "is of evodoku 9.9.9, whose runs are of version {found}, not {RESULTS_VERSION}: take that \
             program, or begin anew"
        );
        assert_eq!(refused.to_string(), sentence);
        // The same runs, but another head.
        let other = with_head(&(Kind::Solve, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&other), Err(Broken::Unreadable));
        let of_run = with_head(&(Kind::Experiment, "9.9.9", RESULTS_VERSION, 7u8));
        assert_eq!(opened(&of_run), Err(Broken::Kind(Kind::Experiment)));
    }

    #[test]
    fn a_body_of_another_length_is_not_written() {
        let mut bytes = Vec::new();
        let body = |to: &mut dyn Write| to.write_all(&[1, 2, 3]);
        assert!(write(&mut bytes, Kind::Solve, &1u32, 4, body).is_err());
    }
}
