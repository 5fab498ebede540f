//! The files of an experiment, rewritten while it runs.
//!
//! A finished run goes to the journal of the JSON export at once; every file is then written
//! anew, beside and renamed, as long as that takes less than a twentieth of the time, and always
//! at the end. So a crash loses no finished run of an experiment that has a JSON export, and what
//! it leaves is begun anew only by who says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::journal::Journal;
use super::record::{JournalHead, line_of};
use super::stored::is_blank;
use super::{ExperimentSummary, Results, ResumeError, RunResult, Unasked};
use crate::report::{
    ExportFormat, ExportOccasion, ExportSet, OutputConflict, OutputError, OutputFile, OutputKind,
    keep_apart,
};

/// What is done about the results that an earlier experiment left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// They are kept: nothing is run.
    Kept,
    /// They are taken in, and what they lack is run. Nothing is run where any of them is not asked
    /// for.
    Resumed,
    /// The same, but what is not asked for is thrown away.
    Trimmed,
    /// They are thrown away.
    Overwritten,
}

/// The files of an experiment that runs.
#[derive(Debug)]
pub struct Files {
    exports: ExportSet,
    /// Where the JSON export is, if it is a file.
    json: Option<PathBuf>,
    journal: Option<Journal>,
}

/// A file could not be written, or stored results not be continued.
#[derive(Debug, Error)]
pub enum FilesError {
    /// An export, before anything was run.
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
    /// A file that would be written over.
    #[error(transparent)]
    Conflict(#[from] OutputConflict),
    /// Stored results.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// There are earlier results, and nobody said what is done about them.
    #[error(
        "{} holds results of an earlier run: --resume does what they lack, --overwrite begins anew",
        .0.display()
    )]
    Earlier(PathBuf),
    /// Some of them are not asked for.
    #[error(
        "{} holds runs that are not asked for ({}, the first: {}): --resume --overwrite leaves them \
         out",
        .path.display(), .unasked.runs, .unasked.first.as_deref().unwrap_or_default()
    )]
    Unasked {
        /// The file.
        path: PathBuf,
        /// How many.
        unasked: Unasked,
    },
    /// Another process writes them.
    #[error("another experiment that still runs writes its results to {}", .0.display())]
    Locked(PathBuf),
}

impl Files {
    /// Takes the files for this experiment alone, and takes in, leaves or passes over what an
    /// `earlier` one has left in them. None may be one of the `inputs`.
    ///
    /// # Errors
    /// [`FilesError`] when they are not to be had, or hold what may not be lost.
    pub fn new<'a>(
        exports: ExportSet,
        inputs: impl IntoIterator<Item = &'a Path>,
        earlier: Earlier,
        results: &mut Results<'_>,
    ) -> Result<Self, FilesError> {
        // Nothing can be kept beside a pipe or a device.
        let json =
            exports.output(ExportFormat::Json).filter(|output| output.kind() == OutputKind::File);
        let json = json.map(|output| output.target().to_owned());
        let journal = json.as_deref().map(|json| OutputFile::named(&Journal::path(json)));
        let inputs: Vec<&Path> = inputs.into_iter().collect();
        keep_apart(&journal, inputs.iter().copied())?;
        keep_apart(
            exports.outputs(),
            inputs.into_iter().chain(journal.iter().map(OutputFile::path)),
        )?;
        let mut files = Self { exports, json, journal: None };
        if let Some(path) = files.json.clone() {
            files.take(&path, earlier, results)?;
        }
        Ok(files)
    }

    fn take(
        &mut self,
        path: &Path,
        earlier: Earlier,
        results: &mut Results<'_>,
    ) -> Result<(), FilesError> {
        let opened = Journal::open(path).map_err(|error| journal_error(path, error))?;
        let mut journal = opened.ok_or_else(|| FilesError::Locked(path.to_owned()))?;
        let noted = journal.stored().map_err(|error| journal_error(path, error))?;
        match earlier {
            Earlier::Overwritten => {}
            Earlier::Kept => {
                let blank = |path: &Path| fs::read(path).is_ok_and(|bytes| is_blank(&bytes));
                let held = path.exists() && !blank(path);
                if held || !is_blank(&noted) {
                    return Err(FilesError::Earlier(path.to_owned()));
                }
            }
            Earlier::Resumed | Earlier::Trimmed => {
                let there = if path.exists() { results.resume(path)? } else { Unasked::default() };
                let unasked = there.and(results.resume_journal(&Journal::path(path), &noted)?);
                if earlier == Earlier::Resumed && unasked.runs > 0 {
                    return Err(FilesError::Unasked { path: path.to_owned(), unasked });
                }
            }
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Where the JSON export is, if it is a file.
    pub fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    /// Writes all files for the first time.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn begin(&mut self, results: &mut Results<'_>) -> Result<(), FilesError> {
        if let Some(error) = self
            .exports
            .write(&ExperimentSummary::of(results).report(), ExportOccasion::Step)
            .into_iter()
            .next()
        {
            return Err(error.into());
        }
        if let (Some(journal), Some(path)) = (&mut self.journal, &self.json) {
            // Only now does the export hold all that an earlier journal did.
            journal
                .begin(&line_of(&JournalHead::new()))
                .map_err(|error| journal_error(path, error))?;
        }
        Ok(())
    }

    /// Notes a finished run, and writes all files if that is cheap. Gives the exports that failed
    /// and had not failed before.
    ///
    /// # Errors
    /// When the journal cannot be written: what is run from then on would be lost.
    pub fn finished(
        &mut self,
        results: &mut Results<'_>,
        run: usize,
    ) -> Result<Vec<OutputError>, FilesError> {
        if let (Some(journal), Some(path), Some(run)) =
            (&mut self.journal, &self.json, results.run(run))
        {
            append(journal, path, run)?;
        }
        if !self.exports.are_due() {
            return Ok(Vec::new());
        }
        Ok(self.exports.write(&ExperimentSummary::of(results).report(), ExportOccasion::Due))
    }

    /// Writes all files for the last time. Gives the exports that failed and had not failed
    /// before; where the JSON is one of them its journal stays.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn end(&mut self, results: &mut Results<'_>) -> Result<Vec<OutputError>, FilesError> {
        let failed =
            self.exports.write(&ExperimentSummary::of(results).report(), ExportOccasion::Last);
        let whole = !self.exports.failed(Some(ExportFormat::Json));
        if whole && let (Some(journal), Some(path)) = (self.journal.take(), &self.json) {
            journal.remove().map_err(|error| journal_error(path, error))?;
        }
        Ok(failed)
    }

    /// Whether an export is not as it should be.
    pub fn failed(&self) -> bool {
        self.exports.failed(None)
    }
}

fn append(journal: &mut Journal, export: &Path, run: &RunResult) -> Result<(), FilesError> {
    journal.append(&run.line).map_err(|error| journal_error(export, error))
}

fn journal_error(export: &Path, error: io::Error) -> FilesError {
    FilesError::Journal { path: Journal::path(export), error }
}
