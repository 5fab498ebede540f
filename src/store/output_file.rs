//! Output files that are found to be writable before a run, and never left half written; no output is
//! written over an input or another output. A pipe or a device is written as it comes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tempfile::{NamedTempFile, PersistError};
use thiserror::Error;

use super::file_identity::{FileIdentity, folder};
use crate::util::interrupt::INTERRUPT;
use crate::util::threads::spawn;

/// The name of stdout.
const STDOUT: &str = "-";
/// Its names. They are not separate files: where stdout goes to a file, that file is not replaced.
const STDOUT_NAMES: [&str; 4] = [STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// The name of stdin, and its path.
const STDIN: &str = "-";
const STDIN_PLACE: &str = "/dev/stdin";
/// How long the reader of a pipe may take once everything is to end.
const GRACE: Duration = Duration::from_millis(500);
/// Links to links that are followed, as many as Linux does.
const LINKS: usize = 40;

/// A file that results go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The path as the user gave it.
    pub path: PathBuf,
    /// The file that `path` leads to when it is a link, which stays one.
    pub target: PathBuf,
    /// The kind of file that is there.
    pub kind: OutputKind,
}

/// The kind of file that results go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A file, which is whole after every run.
    File,
    /// A pipe or a device, which is read as it comes.
    Pipe,
}

/// An output that is open.
#[derive(Debug)]
pub enum OutputHandle {
    File(File),
    Pipe(Pipe),
}

impl Write for OutputHandle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Pipe(pipe) => pipe.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // Neither holds anything back.
        Ok(())
    }
}

/// A file could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {error}", .path.display())]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// The error of the system.
    pub error: io::Error,
}

impl OutputFile {
    /// Checks that `path` can be written, without touching what it holds; `-` is stdout.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        let output = Self::named(path);
        if !output.is_stdout() {
            output.probe().map_err(|error| output.error(error))?;
        }
        Ok(output)
    }

    /// The file that is, or will be, at `path`, whether or not it can be written.
    pub fn named(path: &Path) -> Self {
        if STDOUT_NAMES.iter().any(|name| path == Path::new(name)) {
            let [path, target] = [STDOUT, STDOUT].map(PathBuf::from);
            return Self { path, target, kind: OutputKind::Pipe };
        }
        // An open file (a pipe of the shell, a file that was removed) has a link whose text leads nowhere.
        let followed = followed(path);
        let is_open = path.exists() && FileIdentity::of(path) != FileIdentity::of(&followed);
        let target = if is_open { path.to_owned() } else { followed };
        let data = fs::metadata(&target);
        let special = is_open || data.is_ok_and(|data| !data.is_file() && !data.is_dir());
        let kind = if special { OutputKind::Pipe } else { OutputKind::File };
        Self { path: path.to_owned(), target, kind }
    }

    /// Whether it is stdout, on which nothing else is printed then.
    pub fn is_stdout(&self) -> bool {
        self.path == Path::new(STDOUT)
    }

    /// Replaces its content in one step: a temporary file is written, synced and renamed.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses; the file is then as it was.
    pub fn replace(&self, content: &[u8]) -> Result<(), OutputError> {
        self.replace_open(content).map(drop)
    }

    /// Replaces its content by what `content` writes, as [`replace`](Self::replace) does; `before` is called
    /// when that is on disk and about to be renamed.
    ///
    /// # Errors
    /// [`OutputError`] when the system or one of them refuses; the file is then as it was.
    pub fn replace_with(
        &self,
        content: impl FnOnce(&mut File) -> io::Result<()>,
        before: impl FnOnce() -> io::Result<()>,
    ) -> Result<File, OutputError> {
        let replace = || {
            let mut beside = self.beside()?;
            // The file itself is written: errors of the temporary file have its name in them.
            content(beside.as_file_mut())?;
            // It stays as public as it is.
            #[cfg(unix)]
            if let Ok(data) = fs::metadata(&self.target) {
                beside.as_file().set_permissions(data.permissions())?;
            }
            // A name must not be given to content that a power failure takes away.
            beside.as_file().sync_all()?;
            before()?;
            let file = beside.persist(&self.target).or_else(|refused| self.in_place(refused))?;
            // So that the new name, too, outlasts a power failure; where folders are not synced they are not.
            let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
            Ok(file)
        };
        replace().map_err(|error| self.error(error))
    }

    /// Replaces its content, as [`replace`](Self::replace) does, and leaves it open.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses; the file is then as it was.
    pub fn replace_open(&self, content: &[u8]) -> Result<OutputHandle, OutputError> {
        if self.kind == OutputKind::File {
            let write = |file: &mut File| file.write_all(content);
            return self.replace_with(write, || Ok(())).map(OutputHandle::File);
        }
        let open = || {
            let mut pipe = OutputHandle::Pipe(Pipe::open(&self.target)?);
            pipe.write_all(content).map(|()| pipe)
        };
        open().map_err(|error| self.error(error))
    }

    /// Copies a new file into one that cannot be replaced, such as one that a container mounts. After an error, a part
    /// of the content may be there.
    fn in_place(&self, refused: PersistError) -> io::Result<File> {
        if !matches!(refused.error.kind(), ErrorKind::ResourceBusy | ErrorKind::PermissionDenied) {
            return Err(refused.error);
        }
        let mut file = File::create(&self.target)?;
        io::copy(&mut refused.file.reopen()?, &mut file)?;
        file.sync_all()?;
        Ok(file)
    }

    /// A new file in the same folder.
    fn beside(&self) -> io::Result<NamedTempFile> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        // A temporary file is private, and so stays what may replace something private; a new result is as
        // public as the user wants new files to be.
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(if self.target.exists() { 0o600 } else { 0o666 });
        }
        // Errors of other functions of tempfile name the temporary file, which means nothing to the user.
        tempfile::Builder::new().make_in(folder(&self.target), |path| options.open(path))
    }

    fn probe(&self) -> io::Result<()> {
        match fs::metadata(&self.target) {
            Ok(data) if data.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => return self.probe_special(&data),
            Ok(_) => drop(OpenOptions::new().append(true).open(&self.target)?),
            // The name may be one that no file can have. It is tried in a folder of its own, because another process
            // may write its results to the name at any time.
            Err(_) => {
                fs::metadata(folder(&self.target))?;
                // `new/` and `new/.` have the file name `new`, but no file can be renamed to them.
                let target = self.target.as_os_str().as_encoded_bytes();
                let name = self.target.file_name();
                let name = name.filter(|name| target.ends_with(name.as_encoded_bytes()));
                let create = |path: &Path| fs::create_dir(path);
                let private = tempfile::Builder::new().make_in(folder(&self.target), create)?;
                let tried = File::create_new(private.path().join(name.unwrap_or_default()));
                // To list what is in the folder would take a descriptor.
                let _ = fs::remove_file(private.path().join(name.unwrap_or_default()));
                fs::remove_dir(private.path())?;
                tried?;
            }
        }
        self.beside().map(drop)
    }

    /// Whether a pipe or a device can be written to; a socket cannot.
    #[cfg(unix)]
    fn probe_special(&self, data: &fs::Metadata) -> io::Result<()> {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if data.file_type().is_fifo() {
            // Its reader may not be there yet, and one that is there would see the end of what it reads.
            return Ok(rustix::fs::access(&self.target, rustix::fs::Access::WRITE_OK)?);
        }
        let mut options = OpenOptions::new();
        options.write(true).custom_flags(libc::O_NONBLOCK).open(&self.target).map(drop)
    }

    #[cfg(not(unix))]
    fn probe_special(&self, _: &fs::Metadata) -> io::Result<()> {
        Ok(())
    }

    /// A failure of this file.
    pub fn error(&self, error: io::Error) -> OutputError {
        OutputError { path: self.path.clone(), error }
    }
}

/// The path that a path leads to when links are followed, whether or not there is a file.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => break,
        }
    }
    path
}

/// A file that would be written over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OutputConflict {
    /// An output is also an input.
    #[error("{} is read by this command: name another output", .0.display())]
    Read(PathBuf),
    /// Two outputs go to one file.
    #[error("{} and {} are the same file: name another one", .0.display(), .1.display())]
    Same(PathBuf, PathBuf),
    /// An input or output is the file that stdout or stderr goes to.
    #[error("{} is redirected to {}: name another file", .0, .1.display())]
    Redirected(&'static str, PathBuf),
}

/// Checks that no output is one of the files that are read, or another output, and that stdout and stderr go
/// to none of all these. An input `-` is stdin.
///
/// # Errors
/// [`OutputConflict`] on the first that is.
pub fn keep_apart<'o, 'i>(
    outputs: impl IntoIterator<Item = &'o OutputFile>,
    inputs: impl IntoIterator<Item = &'i Path>,
) -> Result<(), OutputConflict> {
    let streams = ["stdout", "stderr"].map(|name| (name, FileIdentity::of_stream(name)));
    let check = |identity: &FileIdentity, path: &Path| {
        let stream = streams.iter().find(|(_, known)| known.as_ref() == Some(identity));
        stream.map_or(Ok(()), |(name, _)| Err(OutputConflict::Redirected(name, path.to_owned())))
    };
    let mut read: Vec<FileIdentity> = Vec::new();
    for path in inputs {
        let place = if path == Path::new(STDIN) { Path::new(STDIN_PLACE) } else { path };
        let Some(identity) = FileIdentity::of(place) else { continue };
        check(&identity, place)?;
        read.push(identity);
    }
    let mut written: Vec<(FileIdentity, &Path)> = Vec::new();
    for output in outputs {
        let Some(identity) = FileIdentity::of(&output.target) else { continue };
        let path = &*output.path;
        check(&identity, path)?;
        if read.contains(&identity) {
            return Err(OutputConflict::Read(path.to_owned()));
        }
        if let Some((_, other)) = written.iter().find(|(known, _)| *known == identity) {
            return Err(OutputConflict::Same((*other).to_owned(), path.to_owned()));
        }
        written.push((identity, path));
    }
    Ok(())
}

/// A pipe or a device that is open.
///
/// Opening a pipe waits for its reader, and writing waits when it is full, even after the user asked to stop. So
/// another thread opens it and writes, and the caller polls for the end of both and for an interrupt.
#[derive(Debug)]
pub struct Pipe {
    texts: Sender<Vec<u8>>,
    /// The result of opening it, and then of each write.
    written: Receiver<io::Result<()>>,
}

impl Pipe {
    /// Opens it, and waits for its reader. Fails with `BrokenPipe` when no reader opens it before an interrupt ends
    /// the wait.
    fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_owned();
        let (texts, to_write) = channel::<Vec<u8>>();
        let (done, written) = channel();
        spawn("output", move || {
            let opened = match path == Path::new(STDOUT) {
                true => Ok(None),
                false => OpenOptions::new().write(true).open(&path).map(Some),
            };
            let mut file = match opened {
                Ok(file) => file,
                Err(error) => return drop(done.send(Err(error))),
            };
            let mut is_gone = done.send(Ok(())).is_err();
            while let (false, Ok(text)) = (is_gone, to_write.recv()) {
                let written = match &mut file {
                    Some(file) => file.write_all(&text),
                    None => print(&text),
                };
                is_gone = done.send(written).is_err();
            }
        })?;
        let pipe = Self { texts, written };
        pipe.wait()?;
        Ok(pipe)
    }

    fn write(&self, text: &[u8]) -> io::Result<usize> {
        // A thread that has ended has sent its error.
        let _ = self.texts.send(text.to_vec());
        self.wait()?;
        Ok(text.len())
    }

    fn wait(&self) -> io::Result<()> {
        let unread = || io::Error::new(ErrorKind::BrokenPipe, "no process reads it");
        INTERRUPT.receive(&self.written, GRACE).unwrap_or_else(|| Err(unread()))
    }
}

/// Writes to stdout, whose reader may have ended.
fn print(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probing_keeps_what_is_there_and_replacing_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let output = OutputFile::new(&path).unwrap();
        assert!(!path.exists());
        output.replace(b"first").unwrap();
        OutputFile::new(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        output.replace(b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_found_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(OutputFile::new(folder.path()).is_err());
        assert!(OutputFile::new(&folder.path().join("no/such/folder.csv")).is_err());
        assert!(OutputFile::new(&folder.path().join("x".repeat(300))).is_err());
        // A file that can be written to, in a folder that takes no other.
        assert!(
            !cfg!(target_os = "linux") || OutputFile::new(Path::new("/proc/self/comm")).is_err()
        );
        for folders in ["new/", "new/.", "new/.."] {
            assert!(OutputFile::new(&folder.path().join(folders)).is_err(), "{folders}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["link.json", "file.json"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("file.json", &link).unwrap();
        for content in ["first", "second"] {
            // At first there is nothing that the link leads to.
            OutputFile::new(&link).unwrap().replace(content.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
        }
    }

    #[test]
    fn one_file_is_known_by_all_its_paths() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let output = |name: &str| OutputFile::new(&at(name)).unwrap();
        fs::write(at("there"), "").unwrap();
        fs::hard_link(at("there"), at("second")).unwrap();
        for (one, other) in [("there", "./there"), ("there", "second"), ("new", "./new")] {
            let (one, other) = (output(one), output(other));
            let same = keep_apart([&one, &other], []).unwrap_err();
            let paths = (one.path.clone(), other.path.clone());
            assert_eq!(same, OutputConflict::Same(paths.0, paths.1));
        }
        keep_apart([&output("there"), &output("new"), &output("newer")], []).unwrap();

        let read = at("./second");
        let refused = keep_apart([&output("there")], [read.as_path()]).unwrap_err();
        assert_eq!(refused, OutputConflict::Read(at("there")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("new", at("link")).unwrap();
        let output = |path: &Path| OutputFile::new(path).unwrap();
        let (link, new) = (output(&at("link")), output(&at("new")));
        assert!(keep_apart([&link, &new], []).is_err());
        let null = output(Path::new("/dev/null"));
        keep_apart([&null, &null], []).unwrap();
    }
}
