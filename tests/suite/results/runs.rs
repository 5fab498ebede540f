//! Runs as they are kept: a row a run, under a line of names.

use std::path::Path;

/// The runs of a file.
#[derive(Debug)]
pub struct Runs {
    names: Vec<String>,
    rows: Vec<csv::StringRecord>,
}

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct KeptRun<'a> {
    names: &'a [String],
    row: &'a csv::StringRecord,
}

impl Runs {
    /// Reads a file.
    pub fn read(file: &Path) -> Self {
        let reader = csv::Reader::from_path(file);
        let mut reader = reader.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
        Self { names, rows: reader.records().map(|row| row.unwrap()).collect() }
    }

    /// Its runs, in order.
    pub fn iter(&self) -> impl Iterator<Item = KeptRun<'_>> {
        self.rows.iter().map(|row| KeptRun { names: &self.names, row })
    }
}

impl<'a> KeptRun<'a> {
    /// The text in a column; empty where there is no such column.
    pub fn text(self, name: &str) -> &'a str {
        let at = self.names.iter().position(|one| one == name);
        at.and_then(|at| self.row.get(at)).unwrap_or_default()
    }

    /// The number in a column, if there is one.
    pub fn number(self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }

    /// Whether it has a solution.
    pub fn solved(self) -> bool {
        self.text("solved") == "true"
    }
}
