//! A run of a command that keeps checkpoints: it was done before, goes on, or begins.

use std::sync::PoisonError;

use anyhow::Result;

use super::{Marks, outcome_of};
use crate::cli::solve::context::SolveContext;
use crate::cli::solve::exporter::HistoryObserver;
use crate::cli::solve::observers::not_kept;
use crate::ga::{Outcome, Run};
use crate::solver::{BackendInfo, Worker};

impl SolveContext<'_> {
    /// What came of a run: it was done before, goes on from a checkpoint, or begins.
    pub fn done_or_evolved(
        &self,
        worker: &mut Worker<'_>,
        key: (u64, u32),
        run: &Run<'_>,
        backend: &BackendInfo,
        watched: &mut Option<HistoryObserver>,
    ) -> Result<Outcome> {
        let Some(keeper) = &self.keeper else {
            return self.evolve(worker, run, backend, watched, None);
        };
        if let Some(mut done) = keeper.done(key) {
            let course = done.course.take();
            *watched = watched.take().map(|watched| watched.after(course));
            return outcome_of(run, done);
        }
        let under_way = keeper.under_way(key);
        let from = match &under_way {
            Some((kept, packed)) => Some(kept.checkpoint(run, packed)?),
            None => None,
        };
        let course = under_way.and_then(|(kept, _)| kept.course);
        *watched = watched.take().map(|watched| watched.after(course));
        let run = Run { from: from.as_ref(), ..*run };
        let seat = keeper.seat(key, &run);
        let outcome = self.evolve(worker, &run, backend, watched, Some(seat))?;
        let logged = || {
            let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
            if logs.is_empty() { Marks::default() } else { logs.marks() }
        };
        let course = watched.as_ref().map(HistoryObserver::course);
        if let Some(failed) = keeper.ended(key, &run, &outcome, course, logged) {
            self.messages.warn(&not_kept(&failed));
        }
        Ok(outcome)
    }
}
