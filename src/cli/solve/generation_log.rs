//! What is written of a run generation by generation: its trace, and a recording of it.

use std::ops::ControlFlow;

use super::checkpoint::LogOffsets;
use crate::ga::{GenerationReport, Observer, Outcome, Run};
use crate::report::{OutputError, RecordingWriter, Trace};
use crate::store::AppendLog;

/// A trace and a recording, or either.
#[derive(Debug)]
pub struct GenerationLog {
    pub trace: Option<Trace>,
    pub recording: Option<RecordingWriter>,
    /// Whether the recording ends in the middle of the run that is next.
    pub goes_on: bool,
}

impl GenerationLog {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.trace.is_none() && self.recording.is_none()
    }

    /// How far both are on disk.
    pub fn offsets(&mut self) -> LogOffsets {
        LogOffsets {
            trace: self.trace.as_mut().and_then(|trace| trace.file.offset()),
            record: self.recording.as_mut().and_then(RecordingWriter::offset),
        }
    }

    /// What follows belongs to this run, of which a recording holds a part if it goes on.
    pub fn begin(&mut self, run: &Run<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.begin(&run.space.puzzle.name, run.seed);
        }
        if let Some(recording) = &mut self.recording
            && !(self.goes_on && run.resume_from.is_some())
        {
            recording.begin(run.space, run.config, run.seed);
        }
        self.goes_on = false;
    }

    /// The run ended.
    pub fn ended(&mut self, outcome: &Outcome) {
        if let Some(recording) = &mut self.recording {
            recording.ended(outcome);
        }
        self.files().for_each(AppendLog::flush);
    }

    /// Writes what is still held back. Gives what failed that was not told before, and whether all
    /// of it could be written.
    pub fn finish(&mut self) -> (Vec<OutputError>, bool) {
        self.files().for_each(AppendLog::finish);
        let failed = self.files().filter_map(AppendLog::failure).collect();
        (failed, self.files().all(|file| file.is_whole()))
    }

    fn files(&mut self) -> impl Iterator<Item = &mut AppendLog> {
        let trace = self.trace.as_mut().map(|trace| &mut trace.file);
        let recording = self.recording.as_mut().map(|recording| &mut recording.file);
        trace.into_iter().chain(recording)
    }
}

impl Observer for GenerationLog {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(trace) = &mut self.trace {
            trace.on_generation(report)?;
        }
        if let Some(recording) = &mut self.recording {
            recording.on_generation(report)?;
        }
        ControlFlow::Continue(())
    }

    fn wants_boards(&self) -> bool {
        self.recording.is_some()
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}
