//! A file that is replaced in one step, locked, with what it held before beside it as `FILE.1`.
//!
//! How `FILE` is replaced, and what a kill leaves after each step:
//!
//! 1. It is found that `FILE` is nobody else's. *Both files as they were.*
//! 2. The new content is written to `.tmp...` in the same folder, and locked. *The same, and a `.tmp...` that
//!    nobody reads; an experiment that is resumed removes it.*
//! 3. The system is asked to put it on disk (`fsync`), so that no later step gives a name to content that a
//!    power failure takes away. *The same.*
//! 4. It is found once more that `FILE` is nobody else's: writing may have taken long. *The same.*
//! 5. `FILE.1` is removed. *`FILE`, whole.*
//! 6. `FILE` gets `FILE.1` as its second name (a hard link). *Both names, of one content.* Where the file
//!    system knows one name a file, `FILE` is renamed to it. *`FILE.1` alone, whole.*
//! 7. `.tmp...` is renamed to `FILE`. *The new content, and the one before it.* A power failure may still take
//!    back steps 5 to 7.
//! 8. The folder is put on disk. *The same, after a power failure too.*
//!
//! A failure in any step (a full disk, a folder that only reads) removes `.tmp...` and leaves what a kill there
//! would. Whoever removes both removes `FILE.1` first, so that a kill in between leaves the last content.
//!
//! The lock passes on with step 7, to the file that takes the place of the one that had it: two processes that
//! went on from one checkpoint would write into one trace.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::file_identity::{FileIdentity, lock, open_locked};
use super::{OutputError, OutputFile, OutputKind};
use crate::util::memory;

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 20;

/// A file that is replaced in one step, and the one before it.
#[derive(Debug)]
pub struct RotatingFile {
    output: OutputFile,
    /// What it held before goes there.
    backup: OutputFile,
    owner: Mutex<LockOwner>,
}

/// Who owns what lies there.
#[derive(Debug, Default)]
enum LockOwner {
    /// Nobody: nothing was there.
    #[default]
    Nobody,
    /// This process, with the file that is locked, where it could be.
    Process(Option<File>),
    /// Another process, from then on: it may be all that is left of a run that was killed.
    Other,
}

impl RotatingFile {
    /// A file that is found to be writable. What it holds is not touched.
    ///
    /// # Errors
    /// [`OutputError`] when it is not, or no file: what is replaced cannot be a pipe or a device.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        let output = OutputFile::new(path)?;
        match output.kind() {
            OutputKind::File => {
                let backup = OutputFile::new(&Self::backup_path(output.target()))?;
                Ok(Self { output, backup, owner: Mutex::default() })
            }
            OutputKind::Pipe => {
                let what = "a checkpoint is a file, not a pipe or a device";
                Err(output.error(io::Error::new(io::ErrorKind::InvalidInput, what)))
            }
        }
    }

    /// Locks what is there until this is dropped; false when another process holds it.
    pub fn lock(&self) -> bool {
        let found = self.find_owner();
        let is_free = !matches!(found, LockOwner::Other);
        *self.owner() = found;
        is_free
    }

    /// Who owns what lies there now; it is locked if it is nobody else's.
    fn find_owner(&self) -> LockOwner {
        let path = self.output.target();
        // Elsewhere what is locked could be neither read nor replaced.
        let opened = match cfg!(unix) {
            true => open_locked(path, File::options().read(true)),
            false => File::open(path).map(Some),
        };
        match opened {
            Ok(Some(file)) => LockOwner::Process(Some(file)),
            Ok(None) => LockOwner::Other,
            Err(_) => LockOwner::Nobody,
        }
    }

    /// Whether it may be replaced: unless it is another process's, or came to be since nothing was there.
    fn is_owned(&self) -> bool {
        let (mut owner, target) = (self.owner(), self.output.target());
        let moved = |file: &File| !FileIdentity::is_open_at(target, file);
        match &*owner {
            LockOwner::Nobody if target.exists() => *owner = LockOwner::Other,
            // Another lies there now: a copy, or that of a process that began at the same moment.
            LockOwner::Process(Some(file)) if target.exists() && moved(file) => {
                *owner = self.find_owner()
            }
            _ => {}
        }
        !matches!(*owner, LockOwner::Other)
    }

    /// Nothing that panics is done under the lock.
    fn owner(&self) -> MutexGuard<'_, LockOwner> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as outputs are.
    pub fn output(&self) -> &OutputFile {
        &self.output
    }

    /// The file and the one before it. Where a process ended between the two steps in which it replaced the
    /// file, both are names of one.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputFile> {
        let [one, other] = [&self.output, &self.backup].map(|file| FileIdentity::of(file.target()));
        [&self.output].into_iter().chain((one != other).then_some(&self.backup))
    }

    /// Where the content before goes.
    pub fn backup_path(path: &Path) -> PathBuf {
        let mut name = OsString::from(path);
        name.push(".1");
        name.into()
    }

    /// Replaces what it holds, which `FILE.1` then has.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses, or when it is another process's, which began when nothing was
    /// there either; it is then as it was.
    pub fn replace(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let target = self.output.target();
        let check = || match self.is_owned() {
            true => Ok(()),
            false => {
                let what = "another evodoku keeps its run there";
                Err(io::Error::new(io::ErrorKind::ResourceBusy, what))
            }
        };
        check().map_err(|error| self.output.error(error))?;
        let mut locked = None;
        let write = |file: &mut File| {
            locked = file.try_clone().ok().filter(|file| !cfg!(unix) || lock(file));
            let mut buffered = BufWriter::with_capacity(BUFFER, file);
            content(&mut buffered)?;
            buffered.flush()
        };
        // To write may take long: it is looked at once more before it is replaced.
        self.output.replace_with(write, || check().and_then(|()| link_backup(target)))?;
        *self.owner() = LockOwner::Process(locked);
        Ok(())
    }

    /// Removes it and the one before it, if they are this process's: nobody needs them any more.
    pub fn remove(&self) {
        if !self.is_owned() || matches!(*self.owner(), LockOwner::Nobody) {
            return;
        }
        let target = self.output.target();
        // In this order, so that a kill in between leaves a run that can be gone on with.
        let _ = fs::remove_file(Self::backup_path(target));
        let _ = fs::remove_file(target);
        *self.owner() = LockOwner::Nobody;
    }

    /// All that a file holds.
    ///
    /// # Errors
    /// What the system says, and what is no file.
    pub fn read(path: &Path) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if !data.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
        }
        // A file with a hole may be said to be larger than any disk.
        memory::check("the file", data.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        let length = usize::try_from(data.len()).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(length)?;
        file.take(data.len()).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Gives what `path` holds a second name, so that there is a file under the first one at any moment.
fn link_backup(path: &Path) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let backup = RotatingFile::backup_path(path);
    let linked = fs::remove_file(&backup).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    });
    // Some file systems know one name a file.
    linked.and_then(|()| fs::hard_link(path, &backup)).or_else(|_| fs::rename(path, &backup))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(folder: &Path) -> (RotatingFile, PathBuf) {
        let path = folder.join("run.keep");
        (RotatingFile::new(&path).unwrap(), path)
    }

    #[test]
    fn the_one_before_is_kept_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        for content in ["first", "second", "third"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
        }
        assert_eq!(RotatingFile::read(&path).unwrap(), b"third");
        assert_eq!(RotatingFile::read(&RotatingFile::backup_path(&path)).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        file.remove();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_process_may_end_while_it_replaces_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        assert_eq!(file.outputs().count(), 2);
        file.replace(|to| to.write_all(b"first")).unwrap();
        link_backup(&path).unwrap();
        assert_eq!(file.outputs().count(), 1);
        file.replace(|to| to.write_all(b"second")).unwrap();
        assert_eq!(RotatingFile::read(&RotatingFile::backup_path(&path)).unwrap(), b"first");
        assert_eq!(file.outputs().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn who_writes_it_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        let other = RotatingFile::new(&path).unwrap();
        // Nothing is there that could be gone on from.
        assert!(file.lock() && other.lock());
        for content in ["first", "second"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
            assert!(!other.lock(), "{content}");
            let refused = other.replace(|to| to.write_all(b"other")).unwrap_err();
            assert_eq!(refused.error.kind(), io::ErrorKind::ResourceBusy);
            other.remove();
            assert_eq!(RotatingFile::read(&path).unwrap(), content.as_bytes());
        }
        // Who wrote it may have been killed: then it is all that is left of a run.
        drop(file);
        assert!(other.replace(|to| to.write_all(b"other")).is_err());
        other.remove();
        assert_eq!(RotatingFile::read(&path).unwrap(), b"second");
        // Who goes on from it asks for it.
        assert!(other.lock());
        other.replace(|to| to.write_all(b"third")).unwrap();
        assert_eq!(RotatingFile::read(&RotatingFile::backup_path(&path)).unwrap(), b"second");
    }

    #[cfg(unix)]
    #[test]
    fn of_two_that_write_for_the_first_time_at_once_one_does() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        let other = RotatingFile::new(&path).unwrap();
        assert!(file.lock() && other.lock());
        let while_other_writes = |to: &mut dyn Write| {
            file.replace(|to| to.write_all(b"first")).unwrap();
            to.write_all(b"other")
        };
        let refused = other.replace(while_other_writes).unwrap_err();
        assert_eq!(refused.error.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(RotatingFile::read(&path).unwrap(), b"first");
        file.replace(|to| to.write_all(b"second")).unwrap();
        // A copy that somebody puts there is replaced as well.
        fs::remove_file(&path).unwrap();
        fs::write(&path, "copy").unwrap();
        file.replace(|to| to.write_all(b"third")).unwrap();
        assert_eq!(RotatingFile::read(&RotatingFile::backup_path(&path)).unwrap(), b"copy");
    }

    #[test]
    fn what_fails_on_the_way_leaves_both_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        for content in ["first", "second"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
        }
        let full = |to: &mut dyn Write| {
            to.write_all(b"thi")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let refused = file.replace(full).unwrap_err();
        assert_eq!(refused.error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(RotatingFile::read(&path).unwrap(), b"second");
        assert_eq!(RotatingFile::read(&RotatingFile::backup_path(&path)).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_no_file_is_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(RotatingFile::read(folder.path()).is_err());
        assert!(RotatingFile::new(folder.path()).is_err());
        let hole = folder.path().join("hole");
        File::create(&hole).unwrap().set_len(1 << 42).unwrap();
        let refused = RotatingFile::read(&hole).unwrap_err().to_string();
        assert!(refused.starts_with("the file needs 4096.00 GiB"), "{refused}");
        #[cfg(unix)]
        {
            assert!(RotatingFile::read(Path::new("/dev/zero")).is_err());
            assert!(RotatingFile::new(Path::new("/dev/null")).is_err());
        }
    }
}
