//! The identity of the file that a path leads to, so that no output is written over an input.
//!
//! `x`, `./x`, a link to it and a second name of it are one file: on Unix the device and the number
//! of the file tell, elsewhere its canonical path. A file that is not there yet is told by its
//! folder and its name. Devices take what several write and lose nothing by it.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::output_file::{OutputFile, folder};

/// A file that would be written over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OutputConflict {
    /// An output is also an input.
    #[error("{} is read, so nothing is written over it", .0.display())]
    Read(PathBuf),
    /// Two outputs go to one file.
    #[error("{} and {} are the same file, and each output needs one of its own", .0.display(), .1.display())]
    Same(PathBuf, PathBuf),
    /// An input or output is the file that stdout goes to.
    #[error("{} is the file that stdout goes to, so nothing else reads or writes it", .0.display())]
    Stdout(PathBuf),
}

/// Checks that no output is one of the files that are read, or another output, and that stdout goes to none
/// of all these. An input `-` is stdin.
///
/// # Errors
/// [`OutputConflict`] on the first that is.
pub fn keep_apart<'o, 'i>(
    outputs: impl IntoIterator<Item = &'o OutputFile>,
    inputs: impl IntoIterator<Item = &'i Path>,
) -> Result<(), OutputConflict> {
    let stdout = FileIdentity::of_stdout();
    let goes_there = |identity: &FileIdentity| stdout.as_ref() == Some(identity);
    let mut read: Vec<FileIdentity> = Vec::new();
    for path in inputs {
        let place = if path == Path::new(STDIN) { Path::new(STDIN_PLACE) } else { path };
        let Some(identity) = FileIdentity::of(place) else { continue };
        if goes_there(&identity) {
            return Err(OutputConflict::Stdout(path.to_owned()));
        }
        read.push(identity);
    }
    let mut written: Vec<(FileIdentity, &Path)> = Vec::new();
    for output in outputs {
        let Some(identity) = FileIdentity::of(output.target()) else { continue };
        let path = output.path();
        if goes_there(&identity) {
            return Err(OutputConflict::Stdout(path.to_owned()));
        }
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

/// The name of stdin, and its path.
const STDIN: &str = "-";
const STDIN_PLACE: &str = "/dev/stdin";

/// The identity of a file, which all paths to it have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileIdentity {
    /// Device and number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// The canonical path.
    #[cfg(not(unix))]
    Path(PathBuf),
    /// A name in a folder.
    New(Box<FileIdentity>, std::ffi::OsString),
}

impl FileIdentity {
    /// The identity of the file that is at `path`, or will be; nothing for a device, and where there is no folder.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(data) => Self::there(path, &data),
            Err(_) => {
                let folder = folder(path);
                let folder = Self::there(folder, &fs::metadata(folder).ok()?)?;
                Some(Self::New(Box::new(folder), path.file_name()?.to_owned()))
            }
        }
    }

    /// The identity of the file that stdout goes to, if it is one.
    #[cfg(unix)]
    fn of_stdout() -> Option<Self> {
        let place = Path::new("/dev/stdout");
        fs::metadata(place)
            .ok()
            .filter(fs::Metadata::is_file)
            .and_then(|data| Self::there(place, &data))
    }

    /// Elsewhere it is not known.
    #[cfg(not(unix))]
    fn of_stdout() -> Option<Self> {
        None
    }

    /// Whether `path` still leads to a file that was opened there.
    #[cfg(unix)]
    pub(crate) fn is_open_at(path: &Path, file: &fs::File) -> std::io::Result<bool> {
        Ok(Self::of(path) == Self::there(path, &file.metadata()?))
    }

    /// Elsewhere a file that is open keeps its name.
    #[cfg(not(unix))]
    pub(crate) fn is_open_at(_: &Path, _: &fs::File) -> std::io::Result<bool> {
        Ok(true)
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

#[cfg(test)]
mod tests {
    use super::*;

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
            let paths = (one.path().to_owned(), other.path().to_owned());
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
