//! The observers of a run: the display, the files that grow with each generation, and the checkpoint.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::checkpoint::{CheckpointWriter, LogOffsets};
use super::display::Messages;
use super::runs::RunItem;
use crate::ga::{GenerationReport, Observer, Outcome, Run, RunHandle, StopReason};
use crate::report::{OutputError, RecordingWriter, Trace};
use crate::store::{AppendLog, FitnessHistory, RunCheckpointer};
use crate::util::lock;

/// All observers of a run.
pub struct RunObservers<'a> {
    pub item: RunItem,
    pub shown: Option<Box<dyn Observer + Send>>,
    /// The trace and the recording, if the run has any.
    pub logs: Option<&'a Mutex<GenerationLog>>,
    pub history: Option<FitnessHistory>,
    pub checkpointer: Option<RunCheckpointer<'a, CheckpointWriter>>,
    pub messages: &'a Messages,
}

impl Observer for RunObservers<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(history) = &mut self.history {
            history.on_generation(report)?;
        }
        if let Some(mut logs) = self.logs.map(lock) {
            logs.write(report)?;
        }
        if let Some(shown) = &mut self.shown {
            shown.on_generation(report)?;
        }
        if let Some(throttle) = &self.messages.throttle {
            throttle.wait();
        }
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        match &mut self.shown {
            Some(shown) => shown.on_warning(message),
            None => self.messages.warn(message),
        }
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        self.checkpointer.as_mut().is_some_and(|run| run.wants(generation, ending))
    }

    fn on_checkpoint(&mut self, view: &mut RunHandle<'_>) {
        let offsets = self.logs.map(lock).map(|mut logs| logs.offsets());
        let Some(run) = &mut self.checkpointer else { return };
        if let Some(offsets) = offsets {
            run.sink.set_offsets(offsets);
        }
        if let Some(warning) = run.save(view, self.history.as_ref()) {
            self.on_warning(&warning);
        }
    }

    fn wants_boards(&self) -> bool {
        self.logs.map(lock).is_some_and(|logs| logs.recording.is_some())
            || self.shown.as_ref().is_some_and(|shown| shown.wants_boards())
    }

    fn wants_distinct(&self) -> bool {
        self.logs.is_some()
            || self.history.as_ref().is_some_and(FitnessHistory::wants_distinct)
            || self.shown.as_ref().is_some_and(|shown| shown.wants_distinct())
    }
}

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

    /// Starts the section of a run; a recording continues that of a run that resumes.
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

    /// Writes the rest of both. Returns the failures that were not reported before, and whether all of it could
    /// be written.
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

    /// Writes a generation.
    fn write(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(trace) = &mut self.trace {
            trace.on_generation(report)?;
        }
        if let Some(recording) = &mut self.recording {
            recording.on_generation(report)?;
        }
        ControlFlow::Continue(())
    }
}
