//! The exports of a command: a file for each format that was asked for.
//!
//! A document that is known as a whole is written anew, beside and renamed ([`Exports::write`]).
//! Of one that is written run by run, each run is written over the end of the file and the end
//! after it ([`Exports::push`]): the file is whole after every run, at a cost that does not grow
//! with the runs before. It is put in place of an older one when the first run comes, or at the end
//! if there is none. To a pipe or a device, whose reader wants one document, ends and whole
//! documents are written once.
//!
//! An export that fails keeps no other from being written. It is told once, and tried again at the
//! end if it can be.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::document::{Document, Entry};
use super::exporter::{ExportFormat, Exporter};
use super::file::Opened;
use super::{Medium, OutputError, OutputFile};

/// A document is written anew when this many times what it took last time has passed.
const REST: u32 = 20;

/// Which files of a document that is known as a whole are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Those of which it is time: writing takes a twentieth of all time.
    Due,
    /// All but pipes and devices.
    Step,
    /// All, those that failed before once more.
    Last,
}

/// All exports of a command.
#[derive(Debug, Default)]
pub struct Exports(Vec<Export>);

#[derive(Debug)]
struct Export {
    output: OutputFile,
    format: ExportFormat,
    open: Option<Open>,
    failed: bool,
    /// When it was last written anew, and how long that took.
    written: Instant,
    took: Duration,
}

/// A file that is written run by run.
#[derive(Debug)]
struct Open {
    output: Opened,
    /// Where the end of the document stands in a file.
    tail_at: u64,
    /// Whether there is no entry yet.
    empty: bool,
}

impl Exports {
    /// Checks that all can be written, without touching what they hold.
    ///
    /// # Errors
    /// [`OutputError`] when one cannot.
    pub fn new(wanted: &[(ExportFormat, PathBuf)]) -> Result<Self, OutputError> {
        let export = |(format, path): &(ExportFormat, PathBuf)| {
            Ok(Export {
                output: OutputFile::new(path)?,
                format: *format,
                open: None,
                failed: false,
                written: Instant::now(),
                took: Duration::ZERO,
            })
        };
        wanted.iter().map(export).collect::<Result<_, _>>().map(Self)
    }

    /// Whether nothing is exported.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether anything of this kind is exported.
    pub fn has(&self, medium: Medium) -> bool {
        self.0.iter().any(|export| export.output.medium() == medium)
    }

    /// Whether one of them goes to stdout, on which nothing else is printed then.
    pub fn take_stdout(&self) -> bool {
        self.outputs().any(OutputFile::is_stdout)
    }

    /// Whether this format is asked for.
    pub fn have(&self, format: ExportFormat) -> bool {
        self.output(format).is_some()
    }

    /// Whether a document that is written run by run is to remember all of them, for a plot.
    pub fn remember(&self) -> bool {
        self.0.iter().any(|export| export.format.exporter().remembers())
    }

    /// The files.
    pub fn outputs(&self) -> impl Iterator<Item = &OutputFile> {
        self.0.iter().map(|export| &export.output)
    }

    /// The file of a format, if it is asked for.
    pub fn output(&self, format: ExportFormat) -> Option<&OutputFile> {
        self.0.iter().find(|export| export.format == format).map(|export| &export.output)
    }

    /// Whether a file, of this format if one is named, is not as it should be.
    pub fn failed(&self, format: Option<ExportFormat>) -> bool {
        let asked = |export: &&Export| format.is_none_or(|format| export.format == format);
        self.0.iter().filter(asked).any(|export| export.failed)
    }

    /// Whether it is time to write one anew.
    pub fn are_due(&self) -> bool {
        self.0.iter().any(Export::is_due)
    }

    /// Writes a document that is known as a whole. Gives what failed that had not failed before.
    pub fn write(&mut self, document: &dyn Document, occasion: Occasion) -> Vec<OutputError> {
        self.each(|export| {
            let written = match occasion {
                Occasion::Due => export.is_due(),
                Occasion::Step => export.is_open_to_more(),
                Occasion::Last => true,
            };
            if written { export.replace(document) } else { Ok(()) }
        })
    }

    /// Adds a run to the documents of a kind that are written run by run. Gives what failed that had
    /// not failed before; such a file gets no more runs.
    pub fn push(
        &mut self,
        document: &dyn Document,
        entry: &dyn Entry,
        to: Medium,
    ) -> Vec<OutputError> {
        self.each(|export| {
            let meant = !export.failed && export.output.medium() == to;
            if meant { export.push(document, entry) } else { Ok(()) }
        })
    }

    /// Writes what a document that is written run by run still lacks. Gives what failed that had
    /// not failed before.
    pub fn finish(&mut self, document: &dyn Document) -> Vec<OutputError> {
        self.each(|export| if export.failed { Ok(()) } else { export.finish(document) })
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
    fn is_due(&self) -> bool {
        self.written.elapsed() >= REST * self.took && self.is_open_to_more()
    }

    /// Whether it can be written more than once, and could until now.
    fn is_open_to_more(&self) -> bool {
        !self.failed && self.output.medium() == Medium::File
    }

    fn replace(&mut self, document: &dyn Document) -> Result<(), OutputError> {
        let start = Instant::now();
        self.output.replace(self.format.text(document).as_bytes())?;
        self.took = start.elapsed();
        self.written = Instant::now();
        self.failed = false;
        Ok(())
    }

    fn push(&mut self, document: &dyn Document, entry: &dyn Entry) -> Result<(), OutputError> {
        let exporter = self.format.exporter();
        let first = self.open.as_ref().is_none_or(|open| open.empty);
        let Some(text) = exporter.entry(entry, first) else {
            return if self.is_due() { self.replace(document) } else { Ok(()) };
        };
        let opened = self.opened(document, exporter)?;
        let added = opened.add(text, exporter, document);
        added.map_err(|error| self.output.error(error))
    }

    fn finish(&mut self, document: &dyn Document) -> Result<(), OutputError> {
        let exporter = self.format.exporter();
        let known = self.open.is_some();
        if !known && exporter.head(document).is_empty() {
            return self.replace(document);
        }
        let opened = self.opened(document, exporter)?;
        opened.end(exporter, document).map_err(|error| self.output.error(error))
    }

    fn opened(
        &mut self,
        document: &dyn Document,
        exporter: &dyn Exporter,
    ) -> Result<&mut Open, OutputError> {
        let open = match self.open.take() {
            Some(open) => open,
            None => {
                let head = exporter.head(document);
                // Nothing can be written over in a pipe or a device.
                let tail = match self.output.medium() {
                    Medium::File => exporter.tail(document, true),
                    Medium::Stream => String::new(),
                };
                let output = self.output.replace_open(format!("{head}{tail}").as_bytes())?;
                Open { output, tail_at: head.len() as u64, empty: true }
            }
        };
        Ok(self.open.insert(open))
    }
}

impl Open {
    fn add(
        &mut self,
        mut text: String,
        exporter: &dyn Exporter,
        document: &dyn Document,
    ) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let Opened::File(file) = &mut self.output else {
            self.empty = false;
            return self.output.write_all(text.as_bytes());
        };
        let next = self.tail_at + text.len() as u64;
        text.push_str(&exporter.tail(document, false));
        file.seek(SeekFrom::Start(self.tail_at))?;
        if let Err(error) = file.write_all(text.as_bytes()) {
            // What it held before had room.
            let _ = self.end(exporter, document);
            return Err(error);
        }
        (self.tail_at, self.empty) = (next, false);
        Ok(())
    }

    fn end(&mut self, exporter: &dyn Exporter, document: &dyn Document) -> io::Result<()> {
        let tail = exporter.tail(document, self.empty);
        let Opened::File(file) = &mut self.output else {
            return self.output.write_all(tail.as_bytes());
        };
        file.seek(SeekFrom::Start(self.tail_at))?;
        file.write_all(tail.as_bytes())?;
        file.set_len(self.tail_at + tail.len() as u64)?;
        file.sync_all()
    }
}

#[cfg(test)]
mod tests;
