//! The exports of a command: a file for each format that the user names.
//!
//! A report that is known as a whole is written to a temporary file, which replaces the file
//! ([`ExportSet::write_all`]).
//! Of one that is written run by run, each run is written over the tail of the file and the tail
//! after it ([`ExportSet::push`]): the file is whole after every run, at a cost that does not grow
//! with the runs before. It replaces an older file with the first run, or at the end if there is none. To a
//! pipe or a device, whose reader expects one text, the tail and whole reports are written once.
//!
//! An export that fails keeps no other from being written. Its error is reported once, and it is written again
//! at the end where that is possible.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{ExportFormat, OutputError, OutputFile, OutputKind, Report, ReportRow};
use crate::store::OutputHandle;

/// A report is written again after this many times as long as writing it took the last time.
const REST: u32 = 20;

/// All exports of a command.
#[derive(Debug, Default)]
pub struct ExportSet(Vec<Export>);

#[derive(Debug)]
struct Export {
    output: OutputFile,
    format: ExportFormat,
    open: Option<OpenExport>,
    failed: bool,
    /// When it was last written as a whole, and how long that took.
    written: Instant,
    took: Duration,
}

/// A file that is written run by run.
#[derive(Debug)]
struct OpenExport {
    output: OutputHandle,
    /// The offset of the tail in a file.
    tail_at: u64,
    /// Whether there is no run yet.
    is_empty: bool,
}

impl ExportSet {
    /// Checks that all can be written, without touching what they hold.
    ///
    /// # Errors
    /// [`OutputError`] when one cannot.
    pub fn new(wanted: &[(ExportFormat, PathBuf)]) -> Result<Self, OutputError> {
        let export = |(format, path): &(ExportFormat, PathBuf)| {
            let (output, format) = (OutputFile::new(path)?, *format);
            let (written, took) = (Instant::now(), Duration::ZERO);
            Ok(Export { output, format, open: None, failed: false, written, took })
        };
        wanted.iter().map(export).collect::<Result<_, _>>().map(Self)
    }

    /// Whether one of them goes to stdout, on which nothing else is printed then.
    pub fn take_stdout(&self) -> bool {
        self.outputs().any(OutputFile::is_stdout)
    }

    /// Whether runs have to be remembered with their curves, for a plot or a page.
    pub fn show_curves(&self) -> bool {
        self.0.iter().any(|it| matches!(it.format, ExportFormat::Report | ExportFormat::Plot))
    }

    /// The files.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputFile> {
        self.0.iter().map(|export| &export.output)
    }

    /// The file of a format, if it is exported.
    pub fn output(&self, format: ExportFormat) -> Option<&OutputFile> {
        self.0.iter().find(|export| export.format == format).map(|export| &export.output)
    }

    /// Whether a file, of this format if one is named, is not as it should be.
    pub fn failed(&self, format: Option<ExportFormat>) -> bool {
        let asked = |export: &&Export| format.is_none_or(|format| export.format == format);
        self.0.iter().filter(asked).any(|export| export.failed)
    }

    /// Whether it is time to write one of them again.
    pub fn are_due(&self) -> bool {
        self.0.iter().any(Export::is_due)
    }

    /// Writes the files that are due, so that writing takes a twentieth of the whole time, from a report that is
    /// known as a whole; no pipe or device. Gives the errors of files that had not failed before.
    pub fn write_due(&mut self, report: &Report<'_>) -> Vec<OutputError> {
        self.each(|export| if export.is_due() { export.replace(report) } else { Ok(()) })
    }

    /// Writes all files for the last time, also those that failed before. Gives the errors of files that had not
    /// failed before.
    pub fn write_all(&mut self, report: &Report<'_>) -> Vec<OutputError> {
        self.each(|export| export.replace(report))
    }

    /// Adds a run to the exports of a kind that are written run by run. Gives what failed that had
    /// not failed before; such a file gets no more runs.
    pub fn push(
        &mut self,
        report: &Report<'_>,
        row: ReportRow<'_>,
        to: OutputKind,
    ) -> Vec<OutputError> {
        self.each(|export| {
            let meant = !export.failed && export.output.kind == to;
            if meant { export.push(report, row) } else { Ok(()) }
        })
    }

    /// Writes what a report that is written run by run still lacks, and whole reports once more, also those that
    /// failed before. Gives what failed that had not failed before.
    pub fn finish(&mut self, report: &Report<'_>) -> Vec<OutputError> {
        self.each(|export| {
            let lacks_rows = export.failed && export.format.head(report).is_some();
            if lacks_rows { Ok(()) } else { export.finish(report) }
        })
    }

    fn each(
        &mut self,
        mut write: impl FnMut(&mut Export) -> Result<(), OutputError>,
    ) -> Vec<OutputError> {
        let written = |export: &mut Export| {
            let error = write(export).err()?;
            (!std::mem::replace(&mut export.failed, true)).then_some(error)
        };
        self.0.iter_mut().filter_map(written).collect()
    }
}

impl Export {
    /// Whether it is time to write it again. It is not after a failure, and no pipe is written twice.
    fn is_due(&self) -> bool {
        !self.failed
            && self.output.kind == OutputKind::File
            && self.written.elapsed() >= REST * self.took
    }

    fn replace(&mut self, report: &Report<'_>) -> Result<(), OutputError> {
        let start = Instant::now();
        self.output.replace(self.format.text(report).as_bytes())?;
        self.took = start.elapsed();
        self.written = Instant::now();
        self.failed = false;
        Ok(())
    }

    fn push(&mut self, report: &Report<'_>, row: ReportRow<'_>) -> Result<(), OutputError> {
        let format = self.format;
        if let Some(open) = self.open(report)? {
            let added = open.add(format.row(row, open.is_empty), format);
            added.map_err(|error| self.output.error(error))
        } else if self.is_due() {
            self.replace(report)
        } else {
            Ok(())
        }
    }

    fn finish(&mut self, report: &Report<'_>) -> Result<(), OutputError> {
        let format = self.format;
        match self.open(report)? {
            Some(open) => open.end(format).map_err(|error| self.output.error(error)),
            None => self.replace(report),
        }
    }

    /// The file, opened with the head of the report; nothing for a format that is written as a whole.
    fn open(&mut self, report: &Report<'_>) -> Result<Option<&mut OpenExport>, OutputError> {
        if self.open.is_none()
            && let Some(head) = self.format.head(report)
        {
            // Nothing can be written over in a pipe or a device.
            let tail = match self.output.kind {
                OutputKind::File => self.format.tail(true),
                OutputKind::Pipe => "",
            };
            let output = self.output.replace_open(format!("{head}{tail}").as_bytes())?;
            self.open = Some(OpenExport { output, tail_at: head.len() as u64, is_empty: true });
        }
        Ok(self.open.as_mut())
    }
}

impl OpenExport {
    fn add(&mut self, mut text: String, format: ExportFormat) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let OutputHandle::File(file) = &mut self.output else {
            self.is_empty = false;
            return self.output.write_all(text.as_bytes());
        };
        let next = self.tail_at + text.len() as u64;
        text.push_str(format.tail(false));
        file.seek(SeekFrom::Start(self.tail_at))?;
        if let Err(error) = file.write_all(text.as_bytes()) {
            // The content before had room.
            let _ = self.end(format);
            return Err(error);
        }
        (self.tail_at, self.is_empty) = (next, false);
        Ok(())
    }

    fn end(&mut self, format: ExportFormat) -> io::Result<()> {
        let tail = format.tail(self.is_empty);
        let OutputHandle::File(file) = &mut self.output else {
            return self.output.write_all(tail.as_bytes());
        };
        file.seek(SeekFrom::Start(self.tail_at))?;
        file.write_all(tail.as_bytes())?;
        file.set_len(self.tail_at + tail.len() as u64)?;
        file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::{Config, Outcome, Preset, StopReason};
    use crate::report::{RunRecord, SolveRecord, SolveSummary};
    use crate::run::BackendInfo;

    /// The record of a run with this seed.
    fn record(seed: u64) -> SolveRecord {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let config = Config::of(Preset::Boxes, &space);
        let device = BackendInfo { backend: "cpu".into(), adapter: None, driver: None, threads: 1 };
        let outcome = Outcome {
            stop_reason: StopReason::Generations,
            board: vec![1; 16],
            fitness: 9,
            generations: 1,
            restarts: 0,
            evaluations: 20,
            moves: 0,
            steps: 0,
            elapsed: Duration::ZERO,
            making: Duration::ZERO,
            fault: None,
        };
        let run = RunRecord::new(&space, &config, seed, &device, &outcome);
        SolveRecord { run, uniqueness: None }
    }

    fn exports(folder: &tempfile::TempDir) -> (ExportSet, Vec<(ExportFormat, PathBuf)>) {
        let path = |format: &ExportFormat| (*format, folder.path().join(format.name()));
        let wanted: Vec<(ExportFormat, PathBuf)> = ExportFormat::ALL.iter().map(path).collect();
        (ExportSet::new(&wanted).unwrap(), wanted)
    }

    #[test]
    fn every_file_is_whole_after_every_run() {
        let folder = tempfile::tempdir().unwrap();
        for format in ExportFormat::ALL {
            let older = "something older and longer ".repeat(1_000);
            fs::write(folder.path().join(format.name()), older).unwrap();
        }
        let (mut exports, wanted) = exports(&folder);
        let summary = SolveSummary::default();
        let report = summary.report();
        for runs in 1..=3_usize {
            assert!(
                exports
                    .push(&report, ReportRow::Run(&record(runs as u64)), OutputKind::File)
                    .is_empty()
            );
            for (format, path) in &wanted {
                let text = fs::read_to_string(path).unwrap();
                assert!(!text.contains("older"), "{format}");
                match format {
                    ExportFormat::Json => {
                        let read: Value = serde_json::from_str(&text).unwrap();
                        assert_eq!(read["runs"].as_array().unwrap().len(), runs);
                        assert_eq!(read["runs"][runs - 1]["seed"], runs);
                        assert!(text.ends_with("}\n]\n}\n"));
                    }
                    ExportFormat::Csv => assert_eq!(text.lines().count(), 1 + runs),
                    // A report that is written run by run has these rows as its own.
                    ExportFormat::Runs | ExportFormat::Generations | ExportFormat::Comparisons => {
                        assert_eq!(text, "");
                    }
                    ExportFormat::Markdown => assert_eq!(text.lines().count(), 4 + runs),
                    ExportFormat::Report => assert!(text.ends_with("</html>\n")),
                    ExportFormat::Plot => assert!(text.ends_with("</svg>\n")),
                }
            }
        }
        assert!(exports.finish(&report).is_empty() && !exports.failed(None));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), wanted.len());
    }

    #[test]
    fn exports_without_runs_are_written_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let (mut exports, wanted) = exports(&folder);
        assert!(wanted.iter().all(|(_, path)| !path.exists()));
        assert!(exports.finish(&SolveSummary::default().report()).is_empty());
        for (format, path) in wanted {
            assert_eq!(
                fs::read_to_string(path).unwrap(),
                format.text(&SolveSummary::default().report())
            );
        }
    }

    #[test]
    fn an_export_that_fails_is_told_once_and_keeps_no_other_from_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let (mut exports, wanted) = exports(&folder);
        // A folder has the name of the JSON file.
        let json = folder.path().join(ExportFormat::Json.name());
        fs::create_dir(&json).unwrap();
        let summary = SolveSummary::default();
        let report = summary.report();
        let told: Vec<usize> = (0..3)
            .map(|run| exports.push(&report, ReportRow::Run(&record(run)), OutputKind::File).len())
            .collect();
        assert_eq!(told, [1, 0, 0]);
        assert!(exports.finish(&report).is_empty());
        assert!(exports.failed(None) && exports.failed(Some(ExportFormat::Json)));
        assert!(!exports.failed(Some(ExportFormat::Csv)));
        let rest = wanted.iter().filter(|(_, path)| *path != json);
        assert!(rest.into_iter().all(|(_, path)| path.is_file()));
    }

    #[test]
    fn a_whole_report_that_failed_is_written_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let (mut exports, wanted) = exports(&folder);
        let whole: Vec<&PathBuf> =
            wanted[wanted.len() - 2..].iter().map(|(_, path)| path).collect();
        whole.iter().for_each(|path| fs::create_dir(path).unwrap());
        let summary = SolveSummary::default();
        let report = summary.report();
        let told = exports.push(&report, ReportRow::Run(&record(1)), OutputKind::File);
        assert_eq!(told.len(), 2);
        whole.iter().for_each(|path| fs::remove_dir(path).unwrap());
        assert!(exports.finish(&report).is_empty() && !exports.failed(None));
        assert!(whole.iter().all(|path| path.is_file()));
    }
}
