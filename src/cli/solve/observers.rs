//! Everyone who watches a run: what shows it, what writes it, what keeps it.

use std::ops::ControlFlow;

use super::checkpoint::CheckpointWriter;
use super::context::Messages;
use super::exporter::HistoryObserver;
use super::generation_log::GenerationLog;
use crate::ga::{GenerationReport, Observer, RunHandle, StopReason};
use crate::report::OutputError;
use crate::store::RunCheckpointer;

/// Everyone who watches a run.
pub struct RunObservers<'a> {
    pub shown: Option<Box<dyn Observer + Send>>,
    pub logs: Option<&'a mut GenerationLog>,
    pub watched: Option<&'a mut HistoryObserver>,
    pub checkpointer: Option<RunCheckpointer<'a, CheckpointWriter>>,
    pub messages: &'a Messages,
}

/// What is said where a checkpoint cannot be written.
pub fn not_kept(failed: &OutputError) -> String {
    format!("{failed}; the checkpoint before it stays, and nothing else is lost")
}

impl Observer for RunObservers<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        if let Some(watched) = &mut self.watched {
            watched.on_generation(report)?;
        }
        if let Some(logs) = &mut self.logs {
            logs.on_generation(report)?;
        }
        if let Some(shown) = &mut self.shown {
            shown.on_generation(report)?;
        }
        if let Some(pace) = &self.messages.pace {
            pace.wait();
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
        let Some(run) = &mut self.checkpointer else { return };
        if let Some(logs) = &mut self.logs {
            run.sink().set_offsets(logs.offsets());
        }
        let history = self.watched.as_ref().map(|watched| watched.course());
        if let Some(failed) = run.save(view, history) {
            self.on_warning(&not_kept(&failed));
        }
    }

    fn wants_boards(&self) -> bool {
        self.logs.as_ref().is_some_and(|logs| logs.wants_boards())
            || self.shown.as_ref().is_some_and(|shown| shown.wants_boards())
    }

    fn wants_distinct(&self) -> bool {
        self.logs.is_some()
            || self.watched.as_ref().is_some_and(|watched| watched.wants_distinct())
            || self.shown.as_ref().is_some_and(|shown| shown.wants_distinct())
    }
}
