//! A checkpoint's file, and the one before it.
//!
//! Whoever writes it holds a lock on it, which passes on to each file that takes its place: two processes that
//! went on from one checkpoint would write into one trace.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::lock::{PATIENCE, lock};
use crate::memory;
use crate::report::{FileIdentity, OutputError, OutputFile, OutputKind};

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 20;

/// A file that is replaced in one step; what it held before stands beside it as `FILE.1`.
#[derive(Debug)]
pub struct KeptFile {
    output: OutputFile,
    /// What it held before goes there.
    before: OutputFile,
    whose: Mutex<Whose>,
}

/// Whose it is what lies there.
#[derive(Debug, Default)]
enum Whose {
    /// Nobody's: nothing was there.
    #[default]
    Nobodys,
    /// This process's, with the file that is locked, where it could be.
    Ours(Option<File>),
    /// Another process's, from then on: it may be all that is left of a run that was killed.
    Others,
}

impl KeptFile {
    /// That of a checkpoint, which is found to be writable. What it held is not touched.
    ///
    /// # Errors
    /// [`OutputError`] when it is not, or no file: what is replaced cannot be a pipe or a device.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        let output = OutputFile::new(path)?;
        match output.kind() {
            OutputKind::File => {
                let before = OutputFile::new(&Self::before(output.target()))?;
                Ok(Self { output, before, whose: Mutex::default() })
            }
            OutputKind::Pipe => {
                let what = "a checkpoint is a file, not a pipe or a device";
                Err(output.error(io::Error::new(io::ErrorKind::InvalidInput, what)))
            }
        }
    }

    /// Locks what is there until this is dropped; false when another process holds it.
    pub fn hold(&self) -> bool {
        let whose = self.found();
        let is_others = matches!(whose, Whose::Others);
        *self.whose() = whose;
        !is_others
    }

    /// Whose it is what lies there now; it is locked if it is nobody else's.
    fn found(&self) -> Whose {
        let (path, begun) = (self.output.target(), Instant::now());
        loop {
            let Ok(file) = File::open(path) else { return Whose::Nobodys };
            if !is_free(&file) {
                return Whose::Others;
            }
            // Who held it may have put another in its place, which they hold.
            if FileIdentity::is_open_at(path, &file).unwrap_or(true) {
                return Whose::Ours(Some(file));
            }
            if begun.elapsed() > PATIENCE {
                return Whose::Others;
            }
        }
    }

    /// Whether it may be replaced: unless it is another process's, or came to be since nothing was there.
    fn is_ours(&self) -> bool {
        let (mut whose, target) = (self.whose(), self.output.target());
        let moved = |file: &File| !FileIdentity::is_open_at(target, file).unwrap_or(true);
        match &*whose {
            Whose::Nobodys if target.exists() => *whose = Whose::Others,
            // Another lies there now: a copy, or that of a process that began at the same moment.
            Whose::Ours(Some(file)) if target.exists() && moved(file) => *whose = self.found(),
            _ => {}
        }
        !matches!(*whose, Whose::Others)
    }

    /// Nothing that panics is done under the lock.
    fn whose(&self) -> MutexGuard<'_, Whose> {
        self.whose.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as outputs are.
    pub fn output(&self) -> &OutputFile {
        &self.output
    }

    /// The file and the one before it. Where a process ended between the two steps in which it replaced the
    /// file, both are names of one.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputFile> {
        let [one, other] = [&self.output, &self.before].map(|file| FileIdentity::of(file.target()));
        [&self.output].into_iter().chain((one != other).then_some(&self.before))
    }

    /// Where the checkpoint before is kept.
    pub fn before(path: &Path) -> PathBuf {
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
        let check = || match self.is_ours() {
            true => Ok(()),
            false => {
                let what = "another evodoku keeps its run there";
                Err(io::Error::new(io::ErrorKind::ResourceBusy, what))
            }
        };
        check().map_err(|error| self.output.error(error))?;
        let mut held = None;
        let write = |file: &mut File| {
            held = file.try_clone().ok().filter(is_free);
            let mut buffered = BufWriter::with_capacity(BUFFER, file);
            content(&mut buffered)?;
            buffered.flush()
        };
        // To write may take long: it is looked at once more before it is replaced.
        self.output.replace_with(write, || check().and_then(|()| keep(target)))?;
        *self.whose() = Whose::Ours(held);
        Ok(())
    }

    /// Removes it and the one before it, if they are this process's: nobody needs them any more.
    pub fn remove(&self) {
        if !self.is_ours() || matches!(*self.whose(), Whose::Nobodys) {
            return;
        }
        let target = self.output.target();
        // The one before it first: who is killed in between leaves a run that can be gone on with.
        let _ = fs::remove_file(Self::before(target));
        let _ = fs::remove_file(target);
        *self.whose() = Whose::Nobodys;
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

/// Locks a file if nobody else holds it.
fn is_free(file: &File) -> bool {
    // Elsewhere what is locked could be neither read nor replaced.
    !cfg!(unix) || lock(file).unwrap_or(true)
}

/// Gives what `path` holds a second name, so that there is a file under the first one at any moment.
fn keep(path: &Path) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let before = KeptFile::before(path);
    let linked = fs::remove_file(&before).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    });
    // Some file systems know one name a file.
    linked.and_then(|()| fs::hard_link(path, &before)).or_else(|_| fs::rename(path, &before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(folder: &Path) -> (KeptFile, PathBuf) {
        let path = folder.join("run.keep");
        (KeptFile::new(&path).unwrap(), path)
    }

    #[test]
    fn the_one_before_is_kept_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        for content in ["first", "second", "third"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
        }
        assert_eq!(KeptFile::read(&path).unwrap(), b"third");
        assert_eq!(KeptFile::read(&KeptFile::before(&path)).unwrap(), b"second");
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
        keep(&path).unwrap();
        assert_eq!(file.outputs().count(), 1);
        file.replace(|to| to.write_all(b"second")).unwrap();
        assert_eq!(KeptFile::read(&KeptFile::before(&path)).unwrap(), b"first");
        assert_eq!(file.outputs().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn who_writes_it_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        let other = KeptFile::new(&path).unwrap();
        // Nothing is there that could be gone on from.
        assert!(file.hold() && other.hold());
        for content in ["first", "second"] {
            file.replace(|to| to.write_all(content.as_bytes())).unwrap();
            assert!(!other.hold(), "{content}");
            let refused = other.replace(|to| to.write_all(b"other")).unwrap_err();
            assert_eq!(refused.error.kind(), io::ErrorKind::ResourceBusy);
            other.remove();
            assert_eq!(KeptFile::read(&path).unwrap(), content.as_bytes());
        }
        // Who wrote it may have been killed: then it is all that is left of a run.
        drop(file);
        assert!(other.replace(|to| to.write_all(b"other")).is_err());
        other.remove();
        assert_eq!(KeptFile::read(&path).unwrap(), b"second");
        // Who goes on from it asks for it.
        assert!(other.hold());
        other.replace(|to| to.write_all(b"third")).unwrap();
        assert_eq!(KeptFile::read(&KeptFile::before(&path)).unwrap(), b"second");
    }

    #[cfg(unix)]
    #[test]
    fn of_two_that_write_for_the_first_time_at_once_one_does() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = in_folder(folder.path());
        let other = KeptFile::new(&path).unwrap();
        assert!(file.hold() && other.hold());
        let while_other_writes = |to: &mut dyn Write| {
            file.replace(|to| to.write_all(b"first")).unwrap();
            to.write_all(b"other")
        };
        let refused = other.replace(while_other_writes).unwrap_err();
        assert_eq!(refused.error.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(KeptFile::read(&path).unwrap(), b"first");
        file.replace(|to| to.write_all(b"second")).unwrap();
        // A copy that somebody puts there is replaced as well.
        fs::remove_file(&path).unwrap();
        fs::write(&path, "copy").unwrap();
        file.replace(|to| to.write_all(b"third")).unwrap();
        assert_eq!(KeptFile::read(&KeptFile::before(&path)).unwrap(), b"copy");
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
        assert_eq!(KeptFile::read(&path).unwrap(), b"second");
        assert_eq!(KeptFile::read(&KeptFile::before(&path)).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_no_file_is_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(KeptFile::read(folder.path()).is_err());
        assert!(KeptFile::new(folder.path()).is_err());
        let hole = folder.path().join("hole");
        File::create(&hole).unwrap().set_len(1 << 42).unwrap();
        let refused = KeptFile::read(&hole).unwrap_err().to_string();
        assert!(refused.starts_with("the file needs 4096.00 GiB"), "{refused}");
        #[cfg(unix)]
        {
            assert!(KeptFile::read(Path::new("/dev/zero")).is_err());
            assert!(KeptFile::new(Path::new("/dev/null")).is_err());
        }
    }
}
