//! Output files that are found to be writable before a run, and never left half written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file that results go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    path: PathBuf,
}

/// A file could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {error}", .path.display())]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub error: io::Error,
}

impl OutputFile {
    /// Checks that `path` can be written, without touching what it holds.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        let output = Self { path: path.to_owned() };
        output.probe().map_err(|error| output.error(error))?;
        Ok(output)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it to be written from its beginning.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses.
    pub fn create(&self) -> Result<File, OutputError> {
        File::create(&self.path).map_err(|error| self.error(error))
    }

    /// Replaces what it holds in one step: written beside, then renamed.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses; the file is then as it was.
    pub fn replace(&self, content: &[u8]) -> Result<(), OutputError> {
        self.write_beside(content).map(drop).map_err(|error| self.error(error))
    }

    /// Replaces what it holds, as [`replace`](Self::replace) does, and leaves it open.
    ///
    /// # Errors
    /// [`OutputError`] when the system refuses; the file is then as it was.
    pub(super) fn replace_open(&self, content: &[u8]) -> Result<File, OutputError> {
        self.write_beside(content).map_err(|error| self.error(error))
    }

    fn write_beside(&self, content: &[u8]) -> io::Result<File> {
        if self.is_special() {
            let mut file = OpenOptions::new().write(true).open(&self.path)?;
            file.write_all(content)?;
            return Ok(file);
        }
        let mut beside = NamedTempFile::new_in(self.folder())?;
        beside.write_all(content)?;
        #[cfg(unix)]
        {
            // A temporary file is private; a result is as public as any new file.
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&self.path).map_or(0o644, |data| data.permissions().mode());
            beside.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
        }
        Ok(beside.persist(&self.path)?)
    }

    fn probe(&self) -> io::Result<()> {
        match fs::metadata(&self.path) {
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => OpenOptions::new().append(true).open(&self.path).map(drop),
            Err(_) => {
                fs::metadata(self.folder())?;
                NamedTempFile::new_in(self.folder()).map(drop)
            }
        }
    }

    /// Whether it is a pipe or a device, which cannot be renamed over.
    pub fn is_special(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|data| !data.is_file())
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    pub(super) fn error(&self, error: io::Error) -> OutputError {
        // Without the name of the temporary file beside it, which means nothing to the user.
        let error = if error.get_ref().is_some() { error.kind().into() } else { error };
        OutputError { path: self.path.clone(), error }
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
    }
}
