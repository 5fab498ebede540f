//! The files of an experiment, rewritten while it runs.
//!
//! A finished run goes to the journal of the JSON export at once; every file is then written
//! anew, beside and renamed, as long as that takes less than a twentieth of the time, and always
//! at the end. So a crash loses no finished run of an experiment that has `--export-json`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::journal::Journal;
use super::{Plan, Results, ResumeError, RunResult, csv, json, markdown, plot};
use crate::report::{OutputError, OutputFile};

/// Files are rewritten when this many times what it took last time has passed.
const REST: u32 = 20;

/// Where results go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// Every run and cell.
    pub json: Option<PathBuf>,
    /// A row a cell.
    pub csv: Option<PathBuf>,
    /// A row a cell, for people.
    pub markdown: Option<PathBuf>,
    /// The plot, as SVG.
    pub plot: Option<PathBuf>,
}

/// The files of an experiment that runs.
#[derive(Debug)]
pub struct Files {
    outputs: Vec<(OutputFile, Kind)>,
    json: Option<PathBuf>,
    journal: Option<Journal>,
    written: Instant,
    took: Duration,
}

/// A file could not be written, or stored results not be continued.
#[derive(Debug, Error)]
pub enum FilesError {
    /// An export.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The journal.
    #[error("cannot write {}: {error}", .path.display())]
    Journal {
        /// Where it is.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Stored results.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Json,
    Csv,
    Markdown,
    Plot,
}

impl Files {
    /// Checks that all can be written, without touching what they hold.
    ///
    /// # Errors
    /// When one cannot.
    pub fn new(paths: &Paths) -> Result<Self, FilesError> {
        let mut outputs = Vec::new();
        for (path, kind) in [
            (&paths.json, Kind::Json),
            (&paths.csv, Kind::Csv),
            (&paths.markdown, Kind::Markdown),
            (&paths.plot, Kind::Plot),
        ] {
            if let Some(path) = path {
                outputs.push((OutputFile::new(path)?, kind));
            }
        }
        // Nothing can be kept beside a pipe or a device.
        let json = paths.json.clone().filter(|path| !path.exists() || path.is_file());
        let took = Duration::ZERO;
        Ok(Self { outputs, json, journal: None, written: Instant::now(), took })
    }

    /// Takes in what the JSON export and its journal hold, if there are any.
    ///
    /// # Errors
    /// [`FilesError::Resume`] when they are of another spec, or something else altogether.
    pub fn resume(&self, results: &mut Results<'_>) -> Result<(), FilesError> {
        let Some(path) = &self.json else { return Ok(()) };
        if path.exists() {
            results.resume(path)?;
        }
        let journal = Journal::path(path);
        if journal.exists() {
            results.resume_journal(&journal)?;
        }
        Ok(())
    }

    /// Writes all files for the first time.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn begin(&mut self, results: &mut Results<'_>) -> Result<(), FilesError> {
        self.write(results, false)?;
        if let Some(path) = &self.json {
            // Only now does the export hold all that an earlier journal did.
            let journal = Journal::create(path, plan_of(results));
            self.journal = Some(journal.map_err(|error| journal_error(path, error))?);
        }
        Ok(())
    }

    /// Notes a finished run, and writes all files if that is cheap.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn finished(&mut self, results: &mut Results<'_>, run: usize) -> Result<(), FilesError> {
        if let (Some(journal), Some(path), Some(run)) =
            (&mut self.journal, &self.json, results.run(run))
        {
            append(journal, path, run)?;
        }
        if self.written.elapsed() >= REST * self.took {
            self.write(results, false)?;
        }
        Ok(())
    }

    /// Writes all files for the last time.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn end(mut self, results: &mut Results<'_>) -> Result<(), FilesError> {
        self.write(results, true)?;
        match (self.journal, &self.json) {
            (Some(journal), Some(path)) => {
                journal.remove().map_err(|error| journal_error(path, error))
            }
            _ => Ok(()),
        }
    }

    fn write(&mut self, results: &mut Results<'_>, last: bool) -> Result<(), FilesError> {
        let start = Instant::now();
        for (output, kind) in &self.outputs {
            // Whoever reads a pipe wants one document.
            let special = output.path().exists() && !output.path().is_file();
            if special && !last {
                continue;
            }
            let content = match kind {
                Kind::Json => json(results),
                Kind::Csv => csv(results),
                Kind::Markdown => markdown(results),
                Kind::Plot => plot(results),
            };
            output.replace(content.as_bytes())?;
        }
        self.took = start.elapsed();
        self.written = Instant::now();
        Ok(())
    }
}

fn plan_of<'a>(results: &Results<'a>) -> &'a Plan {
    results.plan()
}

fn append(journal: &mut Journal, export: &Path, run: &RunResult) -> Result<(), FilesError> {
    journal.append(run).map_err(|error| journal_error(export, error))
}

fn journal_error(export: &Path, error: io::Error) -> FilesError {
    FilesError::Journal { path: Journal::path(export), error }
}
