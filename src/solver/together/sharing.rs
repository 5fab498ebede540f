//! What an ensemble gives back to the cores beside it: runs beyond its quota, and those that a core without
//! work could go on with, each as it stands.

use std::thread;
use std::time::Duration;

use super::{Seated, Together};
use crate::ga::{BatchEngine, Observer, PopulationSource, RunError, RunJob};
use crate::solver::balance::Quota;

/// After which a pause looks whether it is over.
const PAUSE: Duration = Duration::from_millis(5);

/// What comes next.
pub(super) enum Turn {
    /// A generation of so many runs at most.
    Go(usize),
    /// Another look at the quota.
    Wait,
    /// Nothing: nobody has a run any more.
    End,
}

impl<W: Observer + Send> Together<'_, W> {
    /// Keeps as many runs as it may, of those in seats, the `first` that is to have one and those that wait for
    /// another ensemble; what a core waits for is not taken away from it.
    pub(super) fn heed(
        &mut self,
        ensemble: &mut dyn BatchEngine,
        quota: Quota,
        first: &mut Option<(u64, RunJob<W>)>,
    ) -> Result<Turn, RunError> {
        let (active, kept) = match quota {
            Quota::Pause => (0, usize::MAX),
            Quota::Runs(runs) => (runs, runs),
        };
        self.share(ensemble, kept)?;
        if active == 0 {
            self.hand_over(first.take());
            return Ok(self.pause());
        }
        if self.client.idle() > 0 && first.is_none() && self.is_empty() {
            return Ok(self.pause());
        }
        Ok(Turn::Go(active))
    }

    /// Gives back the runs beyond those that may be kept, and as many as others wait for.
    pub(super) fn share(
        &mut self,
        ensemble: &mut dyn BatchEngine,
        kept: usize,
    ) -> Result<(), RunError> {
        let idle = self.client.idle();
        let idle = idle - self.share_waiting(idle);
        let occupied = self.seats.iter().flatten().count();
        let surplus = occupied.saturating_sub(kept).max(idle);
        let seats = (0..self.seats.len()).rev().filter(|seat| self.seats[*seat].is_some());
        for seat in seats.take(surplus).collect::<Vec<_>>() {
            self.give_back(ensemble, seat)?;
        }
        Ok(())
    }

    /// Gives back the run in a seat, which others go on with from where it stands.
    fn give_back(&mut self, ensemble: &mut dyn BatchEngine, seat: usize) -> Result<(), RunError> {
        let kept = match &self.seats[seat] {
            Some(seated) if seated.went_on() => {
                let holder = PopulationSource::Seat(ensemble, seat);
                Some(seated.evolution.checkpoint(holder)?)
            }
            _ => None,
        };
        if let Some(Seated { number, mut job, .. }) = self.seats[seat].take() {
            job.from = kept.or(job.from);
            self.client.give_back(number, job);
        }
        Ok(())
    }

    /// Gives a run to others, and those that wait.
    pub(super) fn hand_over(&mut self, job: Option<(u64, RunJob<W>)>) {
        self.share_waiting(usize::MAX);
        job.into_iter().for_each(|(number, job)| self.client.give_back(number, job));
    }

    /// Gives as many of those that wait for an ensemble to others; returns how many there were. They have
    /// nothing to hand over.
    pub(super) fn share_waiting(&mut self, most: usize) -> usize {
        let count = most.min(self.waiting.len());
        // The last that is given back is the first to be taken.
        let jobs = self.waiting.drain(..count).rev();
        jobs.for_each(|(number, job)| self.client.give_back(number, job));
        count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.seats.iter().all(Option::is_none)
    }

    /// Carries nothing out for a moment.
    fn pause(&mut self) -> Turn {
        if !self.is_empty() {
            thread::sleep(PAUSE);
            return Turn::Wait;
        }
        if self.client.rest(PAUSE) { Turn::End } else { Turn::Wait }
    }
}
