//! The JSON export of runs, one record after the other.
//!
//! Each record is written over the end of the file and the end after it, so that the file is whole
//! after every run, at a cost that does not grow with the runs before. The file is put in place of
//! an older one when the first record comes, or at the end if there is none; to a pipe or a device
//! the end is written once.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use super::{OutputError, OutputFile, Record};

/// The end of a document with runs.
const TAIL: &str = "\n  ]\n}\n";
/// The end of a document without.
const EMPTY_TAIL: &str = "]\n}\n";

/// An export that is being written.
#[derive(Debug)]
pub struct Export {
    output: OutputFile,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Where the end of the document stands; nothing for what cannot be written over.
    tail_at: Option<u64>,
    /// Whether a record was written.
    begun: bool,
}

impl Export {
    /// An export that will be written to `output`.
    pub fn new(output: OutputFile) -> Self {
        Self { output, open: None }
    }

    /// Adds a run.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot be written.
    pub fn push(&mut self, record: &Record) -> Result<(), OutputError> {
        // Every key is a string and every number finite: nothing here can fail.
        let text = serde_json::to_string_pretty(record).unwrap_or_default();
        let text = text.replace('\n', "\n    ");
        self.opened()?;
        let Some(open) = &mut self.open else { return Ok(()) };
        let before = if open.begun { ",\n    " } else { "\n    " };
        open.begun = true;
        open.add(format!("{before}{text}")).map_err(|error| self.output.error(error))
    }

    /// Writes what is still missing.
    ///
    /// # Errors
    /// [`OutputError`] when it cannot be written.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.opened()?;
        match &mut self.open {
            Some(Open { file, tail_at: None, begun }) => {
                let tail = if *begun { TAIL } else { EMPTY_TAIL };
                file.write_all(tail.as_bytes()).map_err(|error| self.output.error(error))
            }
            _ => Ok(()),
        }
    }

    fn opened(&mut self) -> Result<(), OutputError> {
        if self.open.is_some() {
            return Ok(());
        }
        let head = format!("{{\n  \"version\": \"{}\",\n  \"runs\": [", env!("CARGO_PKG_VERSION"));
        // Nothing can be written over in a pipe or a device.
        let whole = !self.output.is_special();
        let tail = if whole { EMPTY_TAIL } else { "" };
        let file = self.output.replace_open(format!("{head}{tail}").as_bytes())?;
        let tail_at = whole.then_some(head.len() as u64);
        self.open = Some(Open { file, tail_at, begun: false });
        Ok(())
    }
}

impl Open {
    fn add(&mut self, mut text: String) -> std::io::Result<()> {
        let Some(tail_at) = &mut self.tail_at else { return self.file.write_all(text.as_bytes()) };
        self.file.seek(SeekFrom::Start(*tail_at))?;
        *tail_at += text.len() as u64;
        text.push_str(TAIL);
        self.file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use serde_json::Value;

    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::evolve::{Config, Preset, Run};
    use crate::format::load;
    use crate::report::Device;
    use crate::score::{CpuEvaluator, Pipeline};

    fn record() -> Record {
        let puzzle = load("003-4x4", None).unwrap().puzzle;
        let config = Config { population: 10, ..Config::of(Preset::Memetic) };
        let space = presolve(&puzzle, Presolve::Full).unwrap();
        let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(puzzle.geometry, None)));
        let interrupted = AtomicBool::new(false);
        let run = Run { space: &space, config: &config, seed: 1, interrupted: &interrupted };
        let outcome = run.evolve(&mut pipeline, &mut ()).unwrap();
        let device = Device { backend: "cpu", adapter: None, driver: None, threads: 1 };
        Record::new(&space, &config, 1, &device, &outcome)
    }

    #[test]
    fn the_file_is_whole_after_every_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.json");
        std::fs::write(&path, "something older and longer ".repeat(1_000)).unwrap();
        let mut export = Export::new(OutputFile::new(&path).unwrap());
        let record = record();
        for runs in 1..=3 {
            export.push(&record).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let read: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(read["runs"].as_array().unwrap().len(), runs);
            assert_eq!(read["runs"][runs - 1], serde_json::to_value(&record).unwrap());
            // Indented as by any writer of JSON.
            let like = serde_json::json!({ "version": "", "runs": [] });
            assert_eq!(read.as_object().unwrap().len(), like.as_object().unwrap().len());
            assert!(text.starts_with("{\n  \"version\": ") && text.ends_with("}\n  ]\n}\n"));
        }
        export.finish().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_export_without_runs_is_written_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.json");
        let export = Export::new(OutputFile::new(&path).unwrap());
        assert!(!path.exists());
        export.finish().unwrap();
        let read: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(read["runs"], serde_json::json!([]));
        assert_eq!(read["version"], env!("CARGO_PKG_VERSION"));
    }
}
