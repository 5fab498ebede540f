//! The identity of the file that a path leads to, and locks, which keep other processes from what one of them
//! writes.
//!
//! `x`, `./x`, a link to it and a second name of it are one file: on Unix the device and the number
//! of the file identify it; on other systems, and where it is not there yet, its canonical path. A device has no
//! identity: several outputs may go to it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The identity of a file, which all paths to it have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileIdentity {
    /// Device and number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// The canonical path, of a file that is not there yet, or where files have no number.
    Path(PathBuf),
}

impl FileIdentity {
    /// The identity of the file that is at `path`, or will be; nothing for a device, and where there is no folder.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(data) => Self::there(path, &data),
            Err(_) => {
                let folder = fs::canonicalize(folder(path)).ok()?;
                Some(Self::Path(folder.join(path.file_name()?)))
            }
        }
    }

    /// The identity of the file that stdout or stderr goes to, if it is one; unknown but on Unix.
    pub(super) fn of_stream(name: &str) -> Option<Self> {
        let path = &Path::new("/dev").join(name);
        let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Self::there(path, &data)
    }

    /// Whether `path` still leads to a file that was opened there.
    pub(super) fn is_open_at(path: &Path, file: &File) -> bool {
        file.metadata().map_or(true, |data| Self::of(path) == Self::there(path, &data))
    }

    #[cfg(unix)]
    fn there(_: &Path, data: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let device = data.file_type().is_char_device() || data.file_type().is_block_device();
        (!device).then(|| Self::Numbered(data.dev(), data.ino()))
    }

    #[cfg(not(unix))]
    fn there(path: &Path, _: &fs::Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Path)
    }
}

/// The folder that a path is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// How long the system may take to release the locks of a process that was killed: its files may be closed some
/// milliseconds after it ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens a file and locks it until it is closed; nothing when another process holds it.
///
/// # Errors
/// The error of the system.
pub(super) fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    let begun = Instant::now();
    while begun.elapsed() <= 2 * PATIENCE {
        let file = options.open(path)?;
        if !lock(&file)? {
            return Ok(None);
        }
        // The process that held it may have removed it before it was locked here, or put another file,
        // which that process holds, in its place.
        if FileIdentity::is_open_at(path, &file) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Locks a file until it is closed; false when another process holds it. Where a system has no locks,
/// other processes cannot be detected.
///
/// # Errors
/// The error of a system that has locks.
pub(super) fn lock(file: &File) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 50)
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            _ => return Ok(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_holder_who_may_be_about_to_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::options().append(true).create(true).open(folder.path().join("held"));
        let (first, second) = (open().unwrap(), open().unwrap());
        assert!(lock(&first).unwrap());
        assert!(!lock(&second).unwrap());
        drop((first, second));
        let is_waited_for = || {
            let (first, second) = (open().unwrap(), open().unwrap());
            assert!(lock(&first).unwrap());
            let letting_go = thread::spawn(move || {
                thread::sleep(PATIENCE / 4);
                drop(first);
            });
            let is_locked = lock(&second).unwrap();
            letting_go.join().unwrap();
            is_locked
        };
        // A busy machine may hold up the one who lets go until the other waits no more.
        assert!((0..20).any(|_| is_waited_for()));
    }
}
