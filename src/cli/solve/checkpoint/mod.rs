//! Checkpoints of `solve`: what it takes to go on after whatever ended the command.
//!
//! One file holds all of it: what was asked for, the runs that are done, how far the trace and the recording
//! were written (`header.rs`), and each run that is under way. `writer.rs` writes it while runs go on,
//! `loader.rs` reads it and finds what contradicts it.

pub mod fuzz;
mod header;
mod loader;
mod writer;

use std::path::PathBuf;
use std::sync::PoisonError;

use anyhow::Result;
use clap::Args;

pub use header::{LogOffsets, PuzzleInput, RunId, SolveTask, absolute_path};
pub use loader::LoadedCheckpoint;
pub use writer::CheckpointWriter;

use super::context::SolveContext;
use super::exporter::HistoryObserver;
use super::observers::not_kept;
use crate::cli::value_parsers::every;
use crate::ga::{Outcome, Run};
use crate::run::{BackendInfo, Worker};
use crate::store::RunCheckpointer;
use crate::util::quantity::Interval;
use loader::outcome_of;

/// Flags of checkpoints.
#[derive(Debug, Args)]
pub struct CheckpointArgs {
    /// Keep a checkpoint in this file, from which --resume goes on with the same run; the one before it
    /// is kept as FILE.1. It is removed when all runs have ended, but for a run whose budget was spent
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is written: a time, as in 30s, or generations, as in 100g (default: 30s)
    #[arg(long, value_name = "EVERY", value_parser = every)]
    pub checkpoint_every: Option<Interval>,
    /// Throw away the checkpoint that FILE of --checkpoint holds
    #[arg(long, requires = "checkpoint")]
    pub overwrite: bool,
    /// Go on from a checkpoint, with all that was asked for then: puzzles, parameters, outputs. What
    /// bounds the run, where it happens and what is written may be given anew
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

impl SolveContext<'_> {
    /// What came of a run: it was done before, goes on from a checkpoint, or begins.
    pub fn done_or_evolved(
        &self,
        worker: &mut Worker<'_>,
        id: RunId,
        run: &Run<'_>,
        backend: &BackendInfo,
        watched: &mut Option<HistoryObserver>,
    ) -> Result<Outcome> {
        let Some(writer) = &self.keeper else {
            return self.evolve(worker, run, backend, watched, None);
        };
        if let Some(mut completed) = writer.completed(id) {
            let history = completed.history.take();
            *watched = watched.take().map(|watched| watched.after(history));
            return outcome_of(run, completed);
        }
        let stored = writer.under_way(id);
        let from = stored.as_ref().map(|stored| stored.restore(run)).transpose()?;
        let history = stored.and_then(|stored| stored.snapshot.history);
        *watched = watched.take().map(|watched| watched.after(history));
        let run = Run { resume_from: from.as_ref(), ..*run };
        let checkpointer = RunCheckpointer::new(writer, id, &run)?;
        let outcome = self.evolve(worker, &run, backend, watched, Some(checkpointer))?;
        let offsets = || {
            let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
            if logs.is_empty() { LogOffsets::default() } else { logs.offsets() }
        };
        let history = watched.as_ref().map(HistoryObserver::course);
        if let Some(failed) = writer.run_ended(id, &run, &outcome, history, offsets) {
            self.messages.warn(&not_kept(&failed));
        }
        Ok(outcome)
    }
}
