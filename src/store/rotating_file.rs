//! A file that is replaced in one step, locked, with its previous content in `FILE.1`.
//!
//! How `FILE` is replaced, and what a kill leaves after each step:
//!
//! 1. The owner of `FILE` is checked: no other process may own it. *Both files as they were.*
//! 2. The new content is written to `.tmp...` in the same folder, and locked. *The same, and a `.tmp...` that
//!    no command reads; an experiment that is resumed removes it.*
//! 3. It is put on disk (`fsync`), so that no later step gives a name to content that a
//!    power failure takes away. *The same.*
//! 4. The owner of `FILE` is checked again: writing may have taken long. *The same.*
//! 5. `FILE.1` is removed. *`FILE`, whole.*
//! 6. `FILE` gets `FILE.1` as its second name (a hard link). *Both names, of one content.* Where the file
//!    system knows one name a file, `FILE` is renamed to it. *`FILE.1` alone, whole.*
//! 7. `.tmp...` is renamed to `FILE`. *The new content, and the one before it.* A power failure may still take
//!    back steps 5 to 7.
//! 8. The folder is put on disk. *The same, after a power failure too.*
//!
//! A failure in any step (a full disk, a folder that only reads) removes `.tmp...` and leaves what a kill there
//! would. When both are removed, `FILE.1` is the first, so that a kill in between leaves the last content.
//!
//! The lock passes on with step 7, to the file that takes the place of the one that had it: two processes that
//! continue from one checkpoint would write into one trace.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::file_identity::{FileIdentity, lock, open_locked};
use super::{OutputError, OutputFile, OutputKind};
use crate::util::{self, memory};

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 20;

/// A file that is replaced in one step, and its previous content.
#[derive(Debug)]
pub struct RotatingFile {
    /// The file as an output.
    pub output: OutputFile,
    /// The file of its previous content.
    backup: OutputFile,
    owner: Mutex<LockOwner>,
    /// Whether the next replacement leaves the previous content as it is.
    keeps_backup: AtomicBool,
}

/// The owner of the file that is there.
#[derive(Debug, Default)]
enum LockOwner {
    /// There was no file.
    #[default]
    Nobody,
    /// This process, with the file that is locked, where it could be.
    Process(Option<File>),
    /// Another process, which stays so: the file may be all that is left of a run that was killed.
    Other,
}

impl RotatingFile {
    /// Checks that a file is writable. Its content is not touched.
    ///
    /// # Errors
    /// [`OutputError`] when it is not, or when it is a pipe or a device, which cannot be replaced.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        let output = OutputFile::new(path)?;
        if output.kind == OutputKind::Pipe {
            let what = "a checkpoint is a file, not a pipe or a device";
            return Err(output.error(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        let backup = OutputFile::new(&Self::backup_path(&output.target))?;
        Ok(Self { output, backup, owner: Mutex::default(), keeps_backup: AtomicBool::new(false) })
    }

    /// Leaves `FILE.1` as it is when `FILE` is replaced next: it is the better one, from which a run resumed.
    pub fn keep_backup(&self) {
        self.keeps_backup.store(true, Ordering::Relaxed);
    }

    /// Locks the file that is there until this is dropped; false when another process holds it.
    pub fn lock(&self) -> bool {
        let found = self.find_owner();
        let is_free = !matches!(found, LockOwner::Other);
        *util::lock(&self.owner) = found;
        is_free
    }

    /// The owner of the file that is there now; it is locked unless another process owns it.
    fn find_owner(&self) -> LockOwner {
        let path = &self.output.target;
        // On other systems a locked file can be neither read nor replaced.
        let opened = match cfg!(unix) {
            true => open_locked(path, File::options().read(true)),
            false => File::open(path).map(Some),
        };
        match opened {
            Ok(Some(file)) => LockOwner::Process(Some(file)),
            Ok(None) => LockOwner::Other,
            // A file that the system does not lock is taken as free; one that does not open is not there.
            Err(_) => {
                File::open(path).map_or(LockOwner::Nobody, |file| LockOwner::Process(Some(file)))
            }
        }
    }

    /// Checks that it may be replaced: no other process owns it or created it in the meantime.
    ///
    /// # Errors
    /// [`OutputError`] when one does.
    pub fn check_owner(&self) -> Result<(), OutputError> {
        let (mut owner, target) = (util::lock(&self.owner), &self.output.target);
        let moved = |file: &File| !FileIdentity::is_open_at(target, file);
        match &*owner {
            LockOwner::Nobody if target.exists() => *owner = LockOwner::Other,
            // Another file is there now: a copy, or that of a process that began at the same moment.
            LockOwner::Process(Some(file)) if target.exists() && moved(file) => {
                *owner = self.find_owner()
            }
            _ => {}
        }
        if let LockOwner::Other = *owner {
            let what = "another evodoku process uses it";
            return Err(self.output.error(io::Error::new(io::ErrorKind::ResourceBusy, what)));
        }
        Ok(())
    }

    /// The file and the one before it. Where a process ended between the two steps in which it replaced the
    /// file, both are names of one.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputFile> {
        let [one, other] = [&self.output, &self.backup].map(|file| FileIdentity::of(&file.target));
        [&self.output].into_iter().chain((one != other).then_some(&self.backup))
    }

    /// The path of the previous content.
    pub fn backup_path(path: &Path) -> PathBuf {
        path.with_added_extension("1")
    }

    /// Replaces its content, which `FILE.1` then has.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses, or when another process owns it, which also began when there was
    /// no file; it is then as it was.
    pub fn replace(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let target = &self.output.target;
        self.check_owner()?;
        let mut locked = None;
        let write = |file: &mut File| {
            locked = file.try_clone().ok().filter(|file| !cfg!(unix) || lock(file).unwrap_or(true));
            let mut buffered = BufWriter::with_capacity(BUFFER, file);
            content(&mut buffered)?;
            buffered.flush()
        };
        // Writing may take long: the owner is checked again before the file is replaced.
        let before = || {
            self.check_owner().map_err(|busy| busy.error)?;
            if self.keeps_backup.load(Ordering::Relaxed) { Ok(()) } else { link_backup(target) }
        };
        self.output.replace_with(write, before)?;
        self.keeps_backup.store(false, Ordering::Relaxed);
        *util::lock(&self.owner) = LockOwner::Process(locked);
        Ok(())
    }

    /// Removes it and its previous content, if this process owns them.
    pub fn remove(&self) {
        if self.check_owner().is_err() || matches!(*util::lock(&self.owner), LockOwner::Nobody) {
            return;
        }
        let target = &self.output.target;
        // In this order, so that a kill in between leaves a run that can be continued.
        let _ = fs::remove_file(Self::backup_path(target));
        let _ = fs::remove_file(target);
        *util::lock(&self.owner) = LockOwner::Nobody;
    }

    /// All that a file holds.
    ///
    /// # Errors
    /// The error of the system; a folder, a pipe or a device is refused.
    pub fn read(path: &Path) -> io::Result<Vec<u8>> {
        let data = fs::metadata(path)?;
        if !data.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
        }
        // A file with a hole may be said to be larger than any disk.
        memory::check("the file", data.len()).map_err(io::Error::other)?;
        fs::read(path)
    }
}

/// Gives the file at `path` a second name, so that there is a file under the first one at any moment.
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
        // There is no file to continue from.
        assert!(file.lock() && other.lock());
        for content in ["first", "second"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
            assert!(!other.lock(), "{content}");
            let refused = other.replace(|to| to.write_all(b"other")).unwrap_err();
            assert_eq!(refused.error.kind(), io::ErrorKind::ResourceBusy);
            other.remove();
            assert_eq!(RotatingFile::read(&path).unwrap(), content.as_bytes());
        }
        // The process that wrote it may have been killed: then it is all that is left of a run.
        drop(file);
        assert!(other.replace(|to| to.write_all(b"other")).is_err());
        other.remove();
        assert_eq!(RotatingFile::read(&path).unwrap(), b"second");
        // A process that continues from it locks it.
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
        // A copy in its place is replaced as well.
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
