//! Results read back from an export, so that only what is missing is run.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use super::results::Figures;
use super::{Plan, Results, RunResult, Series};

/// Why stored results are not continued.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{} is no results file of an experiment, so it is not resumed over: {what}", .path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// It belongs to another spec.
    #[error(
        "{} holds the results of another spec (fingerprint {found}, not {expected}), so it is not resumed over",
        .path.display()
    )]
    OtherSpec {
        /// The file.
        path: PathBuf,
        /// Its fingerprint.
        found: String,
        /// The spec's.
        expected: String,
    },
    /// Another version wrote it, whose runs may differ.
    #[error("{} was written by evodoku {found}, and this is {}, so it is not resumed over",
        .path.display(), env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
}

/// What an export and a journal begin with.
#[derive(Debug, Deserialize)]
struct Head {
    version: String,
    fingerprint: String,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    runs: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct StoredRun {
    cell: usize,
    seed: u64,
    stop_reason: String,
    seconds: f64,
    fault: Option<String>,
    // Exact methods have none of these.
    #[serde(default)]
    fitness: u16,
    #[serde(default)]
    generations: u32,
    #[serde(default)]
    evaluations: u64,
    #[serde(default)]
    work: u64,
    #[serde(default)]
    series: Series,
}

impl Results<'_> {
    /// Takes in the runs of an exported JSON file.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, or is of another spec or version.
    pub fn resume(&mut self, path: &Path) -> Result<(), ResumeError> {
        let text = read(path)?;
        check(&text, self.plan(), path)?;
        let body: Body = serde_json::from_str(&text).map_err(|error| none(path, &error))?;
        for run in body.runs {
            self.restore(run.get()).map_err(|what| none(path, &what))?;
        }
        Ok(())
    }

    /// Takes in the runs of a journal, one a line; a last line that was cut off is left out.
    ///
    /// # Errors
    /// [`ResumeError`] when it is none, or is of another spec or version.
    pub(super) fn resume_journal(&mut self, path: &Path) -> Result<(), ResumeError> {
        let text = read(path)?;
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = complete.lines();
        let Some(head) = lines.next() else { return Ok(()) };
        check(head, self.plan(), path)?;
        for line in lines {
            self.restore(line).map_err(|what| none(path, &what))?;
        }
        Ok(())
    }

    fn restore(&mut self, line: &str) -> Result<(), String> {
        let run: StoredRun = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let cell = run.cell.checked_sub(1).and_then(|cell| self.plan().cells.get(cell));
        let cell = cell.ok_or_else(|| format!("there is no cell {}", run.cell))?;
        let place = run.seed.wrapping_sub(cell.first_seed);
        if place >= cell.seeds.into() {
            return Err(format!("cell {} has no seed {}", run.cell, run.seed));
        }
        let number = cell.first_run + place as usize;
        let figures = Figures {
            end: run.stop_reason.parse().map_err(|error| format!("{error}"))?,
            fitness: run.fitness,
            generations: run.generations,
            evaluations: run.evaluations,
            work: run.work,
            seconds: run.seconds,
            fault: run.fault,
            series: run.series,
        };
        self.insert(number, RunResult { line: line.to_owned(), figures });
        Ok(())
    }
}

fn read(path: &Path) -> Result<String, ResumeError> {
    fs::read_to_string(path)
        .map_err(|error| ResumeError::Unreadable { path: path.to_owned(), error })
}

fn check(text: &str, plan: &Plan, path: &Path) -> Result<(), ResumeError> {
    let head: Head = serde_json::from_str(text).map_err(|error| none(path, &error))?;
    let path = path.to_owned();
    if head.version != env!("CARGO_PKG_VERSION") {
        return Err(ResumeError::OtherVersion { path, found: head.version });
    }
    if head.fingerprint != plan.fingerprint {
        let expected = plan.fingerprint.clone();
        return Err(ResumeError::OtherSpec { path, found: head.fingerprint, expected });
    }
    Ok(())
}

fn none(path: &Path, what: &dyn std::fmt::Display) -> ResumeError {
    ResumeError::NoResults { path: path.to_owned(), what: what.to_string() }
}
