//! Runs on other ranks: rank 0 names a run of the plan by its number, another rank does it and sends its
//! record, which is read as one from a file is.

use std::sync::atomic::Ordering;

use super::record_validation::validate;
use super::run_index::RunIndex;
use super::runner::{RunEnd, Runner, RunnerError};
use crate::run::{WorkFn, Worker};

/// Does runs of the same plan in another process.
pub struct RemoteRunner<'a> {
    /// The name of the process in messages, as in `rank 1`.
    pub node: String,
    /// Does the run with a number there; its reply is that of [`Runner::do_remote`].
    pub run: WorkFn<'a, usize, Result<Option<String>, String>>,
}

impl Runner<'_> {
    /// Has a run done in another process.
    pub(super) fn run_remote(
        &self,
        asked: &RunIndex<'_>,
        remote: &mut RemoteRunner<'_>,
        number: usize,
    ) -> RunEnd {
        let error = match (remote.run)(number) {
            Ok(Some(line)) => match validate(asked, &line, |_| true) {
                Ok((found, result)) if found == number => return Ok(Some(result)),
                Ok(_) => "it did another run".to_owned(),
                Err(error) => error.to_string(),
            },
            Ok(None) => {
                self.interrupted.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Err(error) => error,
        };
        Err(self.failed(number, format!("{error} on {}", remote.node).into()))
    }

    /// Does the run with a number for another process.
    ///
    /// # Errors
    /// Why the run failed. `None` is a run that was interrupted, a string its record.
    pub fn do_remote(
        &self,
        worker: &mut Worker<'_>,
        number: &str,
    ) -> Result<Option<String>, String> {
        let run = number.parse().ok().filter(|run| *run < self.plan.runs());
        let run = run.ok_or_else(|| format!("there is no run {number}"))?;
        match self.do_run(worker, run) {
            Ok(result) => Ok(result.map(|result| result.line)),
            // The other process knows which run it is.
            Err(RunnerError::Run { error, .. }) => Err(error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}
