//! Runs on other ranks: rank 0 names a run of the plan by its number, another rank does it and gives
//! its record back, which is read as one from a file is.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::asked::Asked;
use super::restored::{Unfit, restored};
use super::runner::{RunEnd, Runner, RunnerError};
use crate::ranks::{Away, Orders, Reply};
use crate::solver::{Pool, Worker};
use crate::spread::Delivery;

impl Runner<'_> {
    /// Has a run done on another rank.
    pub(super) fn run_away(&self, asked: &Asked<'_>, away: &mut Away<'_>, number: usize) -> RunEnd {
        let what = match away.work(number.to_string()) {
            Reply::Done(line) => match restored(asked, &line, |_| true) {
                Ok((found, result)) if found == number => return Ok(Some(result)),
                Ok(_) | Err(Unfit::Unasked(_)) => "it did another run".to_owned(),
                Err(Unfit::Broken(what) | Unfit::Foreign(what)) => what,
            },
            Reply::Interrupted => {
                self.interrupted.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Reply::Failed(what) => what,
        };
        Err(self.failed(number, format!("{what} on rank {}", away.rank()).into()))
    }

    /// Does on another rank than 0 the runs that rank 0 wants.
    ///
    /// # Errors
    /// [`RunnerError`] when there are no threads. A run that fails is told to rank 0.
    pub fn follow(&self, orders: &Orders<'_>) -> Result<(), RunnerError> {
        let mut pool =
            Pool::new(self.backend, self.jobs, self.threads).map_err(RunnerError::Threads)?;
        let work = |worker: &mut Worker<'_>, (seat, job): (usize, String)| {
            let number = job.parse().ok().filter(|number| *number < self.plan.runs());
            let ended = number.map(|number| self.do_run(worker, number));
            let reply = match ended {
                Some(Ok(Some(result))) => Reply::Done(result.line),
                Some(Ok(None)) => Reply::Interrupted,
                // Rank 0 says which run it is.
                Some(Err(RunnerError::Run { error, .. })) => Reply::Failed(error.to_string()),
                Some(Err(error)) => Reply::Failed(error.to_string()),
                None => Reply::Failed(format!("there is no run {job}")),
            };
            (seat, reply)
        };
        pool.run(orders, Delivery::AsDone, work, |(seat, reply)| {
            orders.done(seat, reply);
            ControlFlow::Continue(())
        });
        Ok(())
    }
}
