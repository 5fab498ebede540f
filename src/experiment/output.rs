//! The files of an experiment, rewritten while it runs.
//!
//! A finished run goes to the journal of the JSON export at once; every file is then written
//! again, under another name and renamed, as long as that takes less than a twentieth of the time, and always
//! at the end. So a crash loses no finished run of an experiment that has a JSON export, and what
//! it leaves is overwritten only with `--overwrite`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::record::journal_header;
use super::{Checkpoints, ExperimentSummary, Results, UnplannedRuns};
use crate::report::{ExportFormat, ExportSet};
use crate::store::{
    ExistingOutput, Journal, OutputConflict, OutputError, OutputFile, OutputKind, StoreError,
    begins_with, is_blank, keep_apart,
};

/// How a JSON export of an experiment begins.
const EXPORT_START: &[u8] = b"{\n\"kind\": \"experiment\"";

/// The files of an experiment that runs.
#[derive(Debug)]
pub struct Files {
    exports: ExportSet,
    /// Where the JSON export is, if it is a file.
    pub json: Option<PathBuf>,
    journal: Option<Journal>,
}

/// A file could not be written, or stored results could not be resumed.
#[derive(Debug, Error)]
pub enum FilesError {
    /// A file that would be written over.
    #[error(transparent)]
    Conflict(#[from] OutputConflict),
    /// The journal, or stored results.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some stored runs are not in the plan.
    #[error(
        "{} contains runs that are not part of the experiment ({}, the first: {}): use --resume --overwrite \
         to drop them",
        .path.display(), .unplanned.len(), .unplanned.first().map_or("", String::as_str)
    )]
    Unplanned {
        /// The file.
        path: PathBuf,
        /// The runs.
        unplanned: UnplannedRuns,
    },
}

impl Files {
    /// Opens the files, and resumes, refuses or overwrites the results of an earlier experiment. None may be one of
    /// the `inputs`.
    ///
    /// # Errors
    /// [`FilesError`] when they cannot be opened, or hold results that may not be lost.
    pub fn new<'a>(
        exports: ExportSet,
        inputs: impl IntoIterator<Item = &'a Path>,
        existing: ExistingOutput,
        results: &mut Results<'_>,
    ) -> Result<Self, FilesError> {
        let inputs: Vec<&Path> = inputs.into_iter().collect();
        // A pipe or a device has no journal.
        let json =
            exports.output(ExportFormat::Json).filter(|output| output.kind == OutputKind::File);
        let json = json.map(|output| output.target.clone());
        // What is kept beside it: the journal, and the folder of checkpoints.
        let beside =
            json.iter().flat_map(|json| [Journal::beside(json), Checkpoints::beside(json)]);
        let beside: Vec<OutputFile> = beside.map(|path| OutputFile::named(&path)).collect();
        keep_apart(&beside, inputs.iter().copied())?;
        let paths = beside.iter().map(|output| output.path.as_path());
        keep_apart(exports.outputs(), inputs.into_iter().chain(paths))?;
        let folder = json.as_deref().map(Checkpoints::beside);
        if let Some(path) = folder.filter(|path| path.exists() && !path.is_dir()) {
            let error = io::ErrorKind::NotADirectory.into();
            return Err(StoreError::from(OutputError { path, error }).into());
        }
        let journal = json.as_deref().map(|json| resumed(json, existing, results)).transpose()?;
        Ok(Self { exports, json, journal })
    }

    /// Writes all files for the first time.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn begin(&mut self, results: &mut Results<'_>) -> Result<(), FilesError> {
        let failed = self.exports.write_due(&ExperimentSummary::of(results).report());
        if let Some(error) = failed.into_iter().next() {
            return Err(StoreError::from(error).into());
        }
        if let Some(journal) = &mut self.journal {
            // Only now does the export hold all that an earlier journal did.
            journal.begin(&journal_header())?;
        }
        Ok(())
    }

    /// Stores a finished run, and writes all files if that is cheap. Returns the exports that failed for the
    /// first time.
    ///
    /// # Errors
    /// When the journal cannot be written: later runs would be lost.
    pub fn finished(
        &mut self,
        results: &mut Results<'_>,
        run: usize,
    ) -> Result<Vec<OutputError>, FilesError> {
        if let (Some(journal), Some(run)) = (&mut self.journal, results.run(run)) {
            journal.append(&run.line)?;
        }
        if !self.exports.are_due() {
            return Ok(Vec::new());
        }
        Ok(self.exports.write_due(&ExperimentSummary::of(results).report()))
    }

    /// Writes all files for the last time. Returns the exports that failed for the first time; the journal of
    /// a failed JSON export stays.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn end(&mut self, results: &mut Results<'_>) -> Result<Vec<OutputError>, FilesError> {
        let failed = self.exports.write_all(&ExperimentSummary::of(results).report());
        let whole = !self.exports.failed(Some(ExportFormat::Json));
        if whole && let Some(journal) = self.journal.take() {
            journal.remove()?;
        }
        Ok(failed)
    }

    /// Whether an export is incomplete.
    pub fn failed(&self) -> bool {
        self.exports.failed(None)
    }
}

/// Opens the journal of an export; to resume, reads the runs of both into `results`.
fn resumed(
    json: &Path,
    existing: ExistingOutput,
    results: &mut Results<'_>,
) -> Result<Journal, FilesError> {
    let path = Journal::beside(json);
    let mut journal = Journal::open(path.clone())?;
    let content = journal.content()?;
    if matches!(existing, ExistingOutput::Refuse | ExistingOutput::Overwrite)
        && !begins_with(json, EXPORT_START)
    {
        let what = "holds no results of an experiment and would be overwritten: name another file";
        return Err(StoreError::Unusable(json.to_owned(), what.to_owned()).into());
    }
    match existing {
        ExistingOutput::Overwrite if Journal::is_journal_or_blank(&content) => {}
        ExistingOutput::Overwrite => return Err(StoreError::NotAJournal(path).into()),
        ExistingOutput::Refuse => {
            let is_empty = !json.exists() || fs::read(json).is_ok_and(|bytes| is_blank(&bytes));
            if !is_empty || !is_blank(&content) {
                return Err(StoreError::Existing(json.to_owned()).into());
            }
        }
        ExistingOutput::Resume | ExistingOutput::Trim => {
            let mut unplanned =
                if json.exists() { results.resume(json)? } else { UnplannedRuns::new() };
            unplanned.extend(results.resume_journal(&path, &content)?);
            if existing == ExistingOutput::Resume && !unplanned.is_empty() {
                return Err(FilesError::Unplanned { path: json.to_owned(), unplanned });
            }
        }
    }
    Ok(journal)
}
