//! Locks on files, which keep other processes from what one of them writes.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// How long the system may take to let go of what a process held that was killed: where the process has
/// ended, its files may be closed some milliseconds later.
pub const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a file until it is closed; false when another process holds it. Where files cannot be locked,
/// nothing can be known of others.
///
/// # Errors
/// What the system says.
pub fn lock(file: &File) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 50);
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(true);
            }
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => return Ok(true),
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
        let letting_go = thread::spawn(move || {
            thread::sleep(PATIENCE / 4);
            drop(first);
        });
        assert!(lock(&second).unwrap());
        letting_go.join().unwrap();
    }
}
