//! The journal: one line for each finished run, appended beside the exported JSON.
//!
//! Rewriting an export of thousands of runs after each of them would take longer than the runs.
//! So a finished run is first appended to `FILE.json.journal`; the export follows when it is
//! cheap, and at the end, when the journal is removed. Its first line names version and spec.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Plan, RunResult};

/// A journal that is open.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Where the journal of an export is.
    pub fn path(export: &Path) -> PathBuf {
        let mut name = export.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    }

    /// Begins the journal of an export anew.
    pub fn create(export: &Path, plan: &Plan) -> io::Result<Self> {
        let path = Self::path(export);
        let mut file = File::create(&path)?;
        let head = json!({ "version": env!("CARGO_PKG_VERSION"), "fingerprint": plan.fingerprint });
        writeln!(file, "{head}")?;
        Ok(Self { path, file })
    }

    /// Appends a finished run, in one write so that a line is complete or was never begun.
    pub fn append(&mut self, run: &RunResult) -> io::Result<()> {
        self.file.write_all(format!("{}\n", run.line).as_bytes())
    }

    /// Takes it away, once the export holds all of it.
    pub fn remove(self) -> io::Result<()> {
        drop(self.file);
        fs::remove_file(self.path)
    }
}
