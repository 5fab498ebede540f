//! The files of a bench, written anew after every measurement, beside and renamed: a crash or an
//! interrupt loses nothing.

use std::path::PathBuf;

use super::{Results, csv, json, markdown, plot};
use crate::report::{OutputError, OutputFile};

/// Where results go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// Everything.
    pub json: Option<PathBuf>,
    /// A row a line.
    pub csv: Option<PathBuf>,
    /// The tables.
    pub markdown: Option<PathBuf>,
    /// The plot, as SVG.
    pub plot: Option<PathBuf>,
}

/// Writes results in one form.
type Content = fn(&Results) -> String;

/// The files of a bench.
#[derive(Debug)]
pub struct Files(Vec<(OutputFile, Content)>);

impl Files {
    /// Checks that all can be written, without touching what they hold.
    ///
    /// # Errors
    /// When one cannot.
    pub fn new(paths: &Paths) -> Result<Self, OutputError> {
        let wanted: [(&Option<PathBuf>, Content); 4] = [
            (&paths.json, json),
            (&paths.csv, csv),
            (&paths.markdown, markdown),
            (&paths.plot, plot),
        ];
        let mut files = Vec::new();
        for (path, content) in wanted {
            if let Some(path) = path {
                files.push((OutputFile::new(path)?, content));
            }
        }
        Ok(Self(files))
    }

    /// Writes all of them; a pipe or a device, whose reader wants one document, only when
    /// `finished`.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn write(&self, results: &Results, finished: bool) -> Result<(), OutputError> {
        for (file, content) in &self.0 {
            if finished || !file.is_special() {
                file.replace(content(results).as_bytes())?;
            }
        }
        Ok(())
    }
}
