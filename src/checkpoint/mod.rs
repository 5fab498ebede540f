//! Checkpoints on disk: a form for files that are torn or changed by nobody without being found out.
//!
//! A file begins with a line of text, so that whoever looks at it sees what it is; then come, in
//! little-endian order:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | how many bytes follow before the checksum |
//! | 8 | the length of the head |
//! | | the head, in the form of postcard: whose it is, versions, and everything but boards |
//! | | populations, as [`Packing`] writes them, in the order of the head |
//! | 4 | CRC-32 of all before it |
//!
//! The length finds what was cut off, the checksum what was changed. A file is written beside,
//! synced and renamed ([`KeptFile`]), and the one before it is kept as `FILE.1`.

mod file;
mod form;
mod packing;
mod under_way;

use std::io;

use crate::ga::RunHandle;

pub use file::KeptFile;
pub use form::{Broken, Kind, read, write};
pub use packing::Packing;
pub use under_way::{UnderWay, Unfit, fingerprint};

/// Where they go by time, they are written for this part of it at most.
pub const SHARE: u32 = 50;

/// Takes the boards of an island, and the fitness of each.
pub type Take<'t> = dyn FnMut(&[u8], &[u16]) -> io::Result<()> + 't;

/// Hands out a population until something fails.
///
/// # Errors
/// What `take` says, or the engine.
pub fn for_each_island(standing: &mut RunHandle<'_>, take: &mut Take<'_>) -> io::Result<()> {
    let mut taken = Ok(());
    let visited = standing.for_each_island(&mut |boards, fitness| {
        if taken.is_ok() {
            taken = take(boards, fitness);
        }
    });
    visited.map_err(io::Error::other).and(taken)
}
