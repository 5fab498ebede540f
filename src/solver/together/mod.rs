//! Runs carried out together on an ensemble: each takes a seat, goes on, and leaves it to the next.
//!
//! All runs in seats are bred generation by generation in step, whatever each wants: first boards,
//! children, or the boards of a restart. A run that the ensemble does not take (of another shape, or
//! of another configuration than its kernels have) waits until those in seats have ended, those that
//! took theirs with it included; it then has an ensemble made for it, or the engine to itself where there is
//! none. When the device fails,
//! the host goes on with every run that was under way, one after the other.
//!
//! Where the cores carry out runs beside the ensemble, a quota says how many it may have. Those beyond
//! that, and those that a core without work could go on with, are given back as they stand.

mod seats;
mod sharing;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use self::seats::Seated;
use self::sharing::Turn;
use super::SolveError;
use super::balance::{Done, Quota};
use crate::fitness::EvaluatorError;
use crate::ga::{
    BatchEngine, Observer, Outcome, Run, RunError, RunJob, RunState, SlotRequest, StopReason,
};

/// Who has runs done.
pub trait Client<W> {
    /// The next run and its number, if there is one already; with `wait`, once there is one or it
    /// is known that there will be none.
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<W>)>;

    /// A run has ended.
    fn ended(&mut self, number: u64, job: RunJob<W>, outcome: Result<Outcome, SolveError>);

    /// Others who wait for a run.
    fn idle(&self) -> usize;

    /// A run is for others, who go on with it as it stands.
    fn give_back(&mut self, number: u64, job: RunJob<W>);

    /// No run is wanted for a while, and none is here; true when there will be none.
    fn rest(&mut self, time: Duration) -> bool;
}

/// What carries runs out.
pub trait Site {
    /// An ensemble for runs like this one; nothing if it has the engine to itself.
    fn ensemble(&mut self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>>;

    /// Has an ensemble [take](Ensemble::take) runs, on the site's threads.
    fn take(&mut self, ensemble: &mut dyn BatchEngine, runs: &[(usize, Run<'_>)]) -> Vec<bool>;

    /// What the ensemble made last is to do, which has done so much; nothing where nobody else could
    /// have its runs.
    fn quota(&mut self, done: Done) -> Option<Quota>;

    /// Whether others carry out what no ensemble is made for.
    fn is_beside(&self) -> bool;

    /// Carries out a run by itself.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot begin or go on.
    fn alone(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError>;

    /// Goes on with a run on the host, after a fault and after generations that restarted.
    ///
    /// # Errors
    /// As [`alone`](Self::alone).
    fn recover(
        &mut self,
        run: &Run<'_>,
        evolution: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError>;
}

/// Carries out all runs of a client; returns how many were under way at a time at most.
pub fn evolve_together<W: Observer + Send>(
    site: &mut dyn Site,
    interrupted: &AtomicBool,
    client: &mut dyn Client<W>,
) -> usize {
    let (seats, waiting, done) = (Vec::new(), VecDeque::new(), Done::default());
    let mut together = Together { site, interrupted, client, seats, waiting, done, most: 0 };
    while let Some((number, job)) = together.next(true) {
        if together.is_interrupted() {
            together.abandon(number, job);
            continue;
        }
        if job.space.free.is_empty() {
            together.alone(number, job);
            continue;
        }
        match together.site.ensemble(&job.run(interrupted)) {
            Some(ensemble) => together.work_off(ensemble, number, job),
            None if together.site.is_beside() => {
                together.hand_over(Some((number, job)));
                break;
            }
            None => together.alone(number, job),
        }
    }
    together.most
}

/// An ensemble at work.
struct Together<'a, W> {
    site: &'a mut dyn Site,
    interrupted: &'a AtomicBool,
    client: &'a mut dyn Client<W>,
    seats: Vec<Option<Seated<W>>>,
    /// Those that an ensemble did not take, in their order: they come before the client's.
    waiting: VecDeque<(u64, RunJob<W>)>,
    /// By the ensemble.
    done: Done,
    /// Runs that were under way at a time at most.
    most: usize,
}

impl<W: Observer + Send> Together<'_, W> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The next run that has no seat: one that waits, or as the client has it.
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<W>)> {
        self.waiting.pop_front().or_else(|| self.client.next(wait))
    }

    fn alone(&mut self, number: u64, mut job: RunJob<W>) {
        self.most = self.most.max(1);
        let (run, watcher) = job.watched(self.interrupted);
        let outcome = self.site.alone(&run, watcher);
        self.client.ended(number, job, outcome);
    }

    /// Ends a run that is interrupted before anybody goes on with it.
    fn abandon(&mut self, number: u64, mut job: RunJob<W>) {
        let (run, watcher) = job.watched(self.interrupted);
        if run.from.is_none() {
            return self.alone(number, job);
        }
        let abandon = |evolution: RunState| evolution.abandon(&run, watcher);
        let outcome = RunState::of(&run).and_then(abandon);
        self.client.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// Carries out a run, and those after it that the ensemble takes, until there is one that it does not.
    fn work_off(&mut self, mut ensemble: Box<dyn BatchEngine>, number: u64, job: RunJob<W>) {
        self.seats.clear();
        self.seats.resize_with(ensemble.seats().max(1), || None);
        self.done = Done::default();
        let mut first = Some((number, job));
        let mut is_open = true;
        loop {
            let quota = if self.is_interrupted() { None } else { self.site.quota(self.done) };
            let active = match quota {
                None => {
                    self.share_waiting(self.client.idle());
                    usize::MAX
                }
                Some(quota) => match self.heed(ensemble.as_mut(), quota, &mut first) {
                    Ok(Turn::Go(active)) => active,
                    Ok(Turn::Wait) => continue,
                    Ok(Turn::End) => return,
                    Err(error) => {
                        self.fail(&error);
                        return first.into_iter().for_each(|first| self.waiting.push_front(first));
                    }
                },
            };
            // Those that waited for another ensemble may have gone to a core.
            is_open |= self.waiting.is_empty();
            if is_open && !self.is_interrupted() {
                is_open = self.fill(ensemble.as_mut(), active, &mut first);
            }
            let due: Vec<SlotRequest> = self.due().collect();
            if due.is_empty() {
                return first.into_iter().for_each(|first| self.waiting.push_front(first));
            }
            self.most = self.most.max(due.len());
            ensemble.begin(&due);
            match self.complete(ensemble.as_mut(), quota.is_some()) {
                Ok(completed) => self.done.generations += u32::from(completed),
                Err(error) => return self.fail(&error),
            }
            let noted: Vec<(usize, Option<StopReason>)> = due
                .iter()
                .zip(ensemble.summaries())
                .map(|(due, summary)| self.note(due.seat, summary))
                .collect();
            for (seat, ending) in noted {
                self.offer(ensemble.as_mut(), seat, ending);
                if let Some(reason) = ending {
                    self.leave(seat, reason);
                }
            }
        }
    }

    /// Completes a generation. A run that is to be abandoned leaves at once, and so does one that
    /// others wait for, if it is theirs, too. When all have left, nobody wants the rest: false.
    fn complete(&mut self, ensemble: &mut dyn BatchEngine, shares: bool) -> Result<bool, RunError> {
        while !ensemble.step()? {
            if shares {
                self.share(ensemble, usize::MAX)?;
            }
            for seat in 0..self.seats.len() {
                let Some(Seated { job, evolution, .. }) = &self.seats[seat] else { continue };
                if let Some(reason) = evolution.stopped_early(&job.run(self.interrupted)) {
                    self.offer(ensemble, seat, Some(reason));
                    self.leave(seat, reason);
                }
            }
            if self.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The ensemble's work has ended: a device that failed leaves its runs to the host.
    fn fail(&mut self, error: &RunError) {
        let seats: Vec<Seated<W>> = self.seats.iter_mut().filter_map(Option::take).collect();
        let count = seats.len();
        for (place, seated) in seats.into_iter().enumerate() {
            let Seated { number, mut job, evolution, restarts } = seated;
            let (run, watcher) = job.watched(self.interrupted);
            let outcome = match error {
                RunError::Evaluator(fault) => {
                    if place == 0 {
                        watcher.warning(&format!(
                            "{fault}; {} under way and replayed on the host engine",
                            match count {
                                1 => "1 run was".to_owned(),
                                more => format!("{more} runs were"),
                            }
                        ));
                    }
                    self.site.recover(&run, evolution, fault, restarts, watcher)
                }
                error => Err(error.clone().into()),
            };
            self.client.ended(number, job, outcome);
        }
    }
}
