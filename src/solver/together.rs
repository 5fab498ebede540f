//! Runs carried out together on an ensemble: each takes a seat, goes on, and leaves it to the next.
//!
//! All runs in seats are bred generation by generation in step, whatever each wants: first boards,
//! children, or the boards of a restart. A run that the ensemble does not take (of another shape, or
//! of another configuration than its kernels have) waits until those before it have ended; it then
//! has an ensemble made for it, or the engine to itself where there is none. When the device fails,
//! the host goes on with every run that was under way, one after the other.
//!
//! Where the cores carry out runs beside the ensemble, a quota says how many it may have. Those beyond
//! that, and those that a core without work could go on with, are given back as they stand.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::SolveError;
use super::balance::{Done, Quota};
use crate::evolve::{
    Due, Ensemble, Evolution, Holder, Job, Observer, Outcome, Run, RunError, Source, StopReason,
    Summary,
};
use crate::score::EvaluatorError;

/// After which a pause looks whether it is over.
const PAUSE: Duration = Duration::from_millis(5);

/// Who has runs done.
pub trait Client<W> {
    /// The next run and its number, if there is one already; with `wait`, once there is one or it
    /// is known that there will be none.
    fn next(&mut self, wait: bool) -> Option<(u64, Job<W>)>;

    /// A run has ended.
    fn ended(&mut self, number: u64, job: Job<W>, outcome: Result<Outcome, SolveError>);

    /// Others who wait for a run.
    fn idle(&self) -> usize;

    /// A run is for others, who go on with it as it stands.
    fn give_back(&mut self, number: u64, job: Job<W>);

    /// No run is wanted for a while, and none is here; true when there will be none.
    fn rest(&mut self, time: Duration) -> bool;
}

/// What carries runs out.
pub trait Site {
    /// An ensemble for runs like this one; nothing if it has the engine to itself.
    fn ensemble(&mut self, run: &Run<'_>) -> Option<Box<dyn Ensemble>>;

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
        evolution: Evolution,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError>;
}

/// A run in a seat.
struct Seated<W> {
    number: u64,
    job: Job<W>,
    evolution: Evolution,
    /// Generations that restarted.
    restarts: Vec<u32>,
}

impl<W> Seated<W> {
    /// Whether anything came of it since it took its seat.
    fn went_on(&self) -> bool {
        let began = self.job.from.as_ref().map_or(0, |from| from.progress.generation + 1);
        self.evolution.next().0 > began
    }
}

/// The next generation of a run, if it restarts.
fn restarting(evolution: &Evolution) -> Option<u32> {
    let (next, source) = evolution.next();
    (source == Source::Restart).then_some(next)
}

/// Carries out all runs of a client; returns how many were under way at a time at most.
pub fn evolve_together<W: Observer + Send>(
    site: &mut dyn Site,
    interrupted: &AtomicBool,
    client: &mut dyn Client<W>,
) -> usize {
    let (seats, done) = (Vec::new(), Done::default());
    let mut together = Together { site, interrupted, client, seats, done, most: 0 };
    let mut waiting = None;
    while let Some((number, job)) = waiting.take().or_else(|| together.client.next(true)) {
        if together.is_interrupted() {
            together.abandon(number, job);
            continue;
        }
        if job.space.free.is_empty() {
            together.alone(number, job);
            continue;
        }
        match together.site.ensemble(&job.run(interrupted)) {
            Some(ensemble) => waiting = together.work_off(ensemble, number, job),
            None if together.site.is_beside() => {
                together.client.give_back(number, job);
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
    /// By the ensemble.
    done: Done,
    /// Runs that were under way at a time at most.
    most: usize,
}

impl<W: Observer + Send> Together<'_, W> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn alone(&mut self, number: u64, mut job: Job<W>) {
        self.most = self.most.max(1);
        let (run, watcher) = job.watched(self.interrupted);
        let outcome = self.site.alone(&run, watcher);
        self.client.ended(number, job, outcome);
    }

    /// Ends a run that is interrupted before anybody goes on with it.
    fn abandon(&mut self, number: u64, mut job: Job<W>) {
        let (run, watcher) = job.watched(self.interrupted);
        let Some(from) = run.from else { return self.alone(number, job) };
        let outcome = Evolution::of(&run).and_then(|evolution| {
            let reason = StopReason::Interrupted;
            evolution.offer(Holder::Kept(&from.state), watcher, Some(reason));
            evolution.finish(&run, reason, None)
        });
        self.client.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// Carries out a run, and those after it that the ensemble takes; returns the first that it
    /// does not take.
    fn work_off(
        &mut self,
        mut ensemble: Box<dyn Ensemble>,
        number: u64,
        job: Job<W>,
    ) -> Option<(u64, Job<W>)> {
        self.seats.clear();
        self.seats.resize_with(ensemble.seats().max(1), || None);
        self.done = Done::default();
        let mut first = Some((number, job));
        let mut waiting = None;
        loop {
            let quota = if self.is_interrupted() { None } else { self.site.quota(self.done) };
            let (active, kept) = match quota {
                None => (usize::MAX, usize::MAX),
                Some(Quota::Pause) => (0, usize::MAX),
                Some(Quota::Runs(runs)) => (runs, runs),
            };
            if quota.is_some()
                && let Err(error) = self.share(ensemble.as_mut(), kept)
            {
                self.fail(&error);
                return waiting.or(first);
            }
            if active == 0 {
                self.hand_over(first.take().into_iter().chain(waiting.take()));
                if self.pause() {
                    return None;
                }
                continue;
            }
            // What a core waits for is not taken away from it.
            if quota.is_some() && self.client.idle() > 0 {
                self.hand_over(waiting.take());
                if first.is_none() && self.is_empty() {
                    if self.client.rest(PAUSE) {
                        return None;
                    }
                    continue;
                }
            }
            if waiting.is_none() && !self.is_interrupted() {
                waiting = self.fill(ensemble.as_mut(), active, &mut first);
            }
            let due: Vec<Due> = self.due().collect();
            if due.is_empty() {
                return waiting.or(first);
            }
            self.most = self.most.max(due.len());
            ensemble.begin(&due);
            match self.complete(ensemble.as_mut(), quota.is_some()) {
                Ok(completed) => self.done.generations += u32::from(completed),
                Err(error) => {
                    self.fail(&error);
                    return waiting;
                }
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

    /// Gives back the runs beyond those that may be kept, and as many as others wait for.
    fn share(&mut self, ensemble: &mut dyn Ensemble, kept: usize) -> Result<(), RunError> {
        let occupied = self.seats.iter().flatten().count();
        let surplus = occupied.saturating_sub(kept).max(self.client.idle());
        let seats = (0..self.seats.len()).rev().filter(|seat| self.seats[*seat].is_some());
        for seat in seats.take(surplus).collect::<Vec<_>>() {
            self.give_back(ensemble, seat)?;
        }
        Ok(())
    }

    /// Gives back the run in a seat, which others go on with from where it stands.
    fn give_back(&mut self, ensemble: &mut dyn Ensemble, seat: usize) -> Result<(), RunError> {
        let kept = match &self.seats[seat] {
            Some(seated) if seated.went_on() => {
                let holder = Holder::Seat(ensemble, seat);
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

    fn hand_over(&mut self, jobs: impl IntoIterator<Item = (u64, Job<W>)>) {
        jobs.into_iter().for_each(|(number, job)| self.client.give_back(number, job));
    }

    fn is_empty(&self) -> bool {
        self.seats.iter().all(Option::is_none)
    }

    /// Carries nothing out for a moment; true when there is nothing left to carry out.
    fn pause(&mut self) -> bool {
        if self.is_empty() {
            return self.client.rest(PAUSE);
        }
        thread::sleep(PAUSE);
        false
    }

    /// Notes what came of a generation of the run in a seat, and says what ends it, if anything.
    fn note(&mut self, seat: usize, summary: &Summary) -> (usize, Option<StopReason>) {
        let Some(Seated { job, evolution, restarts, .. }) = &mut self.seats[seat] else {
            return (seat, None);
        };
        let (run, watcher) = job.watched(self.interrupted);
        self.done.work += summary.evaluations + summary.effort.moves;
        let ending = evolution.note(&run, summary, watcher);
        restarts.extend(restarting(evolution));
        (seat, ending)
    }

    /// Lets a checkpoint be taken of the run in a seat, if one is wanted.
    fn offer(&mut self, ensemble: &mut dyn Ensemble, seat: usize, ending: Option<StopReason>) {
        if let Some(Seated { job, evolution, .. }) = &mut self.seats[seat] {
            evolution.offer(Holder::Seat(ensemble, seat), &mut job.watcher, ending);
        }
    }

    /// Gives free seats to runs, up to `active` of them and `first` before all others; returns the
    /// first that the ensemble does not take. What others wait for is theirs.
    fn fill(
        &mut self,
        ensemble: &mut dyn Ensemble,
        active: usize,
        first: &mut Option<(u64, Job<W>)>,
    ) -> Option<(u64, Job<W>)> {
        let mut occupied = self.seats.iter().flatten().count();
        for seat in 0..self.seats.len() {
            while self.seats[seat].is_none() {
                let (is_first, nobody) = (first.is_some(), occupied == 0);
                if occupied >= active || (!is_first && !nobody && self.client.idle() > 0) {
                    return None;
                }
                let (number, job) = first.take().or_else(|| self.client.next(nobody))?;
                let run = job.run(self.interrupted);
                if run.space.free.is_empty() {
                    self.alone(number, job);
                } else if ensemble.take(seat, &run) {
                    self.seat(seat, number, job);
                    occupied += usize::from(self.seats[seat].is_some());
                } else if is_first {
                    // The ensemble was made for it, but it is larger than others of its kind.
                    self.alone(number, job);
                } else {
                    return Some((number, job));
                }
            }
        }
        None
    }

    /// Begins or goes on with a run that has taken a seat.
    fn seat(&mut self, seat: usize, number: u64, job: Job<W>) {
        let run = job.run(self.interrupted);
        match Evolution::of(&run) {
            Ok(evolution) => {
                let over = evolution.spent(&run);
                let restarts = restarting(&evolution).into_iter().collect();
                self.seats[seat] = Some(Seated { number, job, evolution, restarts });
                if let Some(reason) = over {
                    self.leave(seat, reason);
                }
            }
            Err(error) => self.client.ended(number, job, Err(error.into())),
        }
    }

    /// What the runs in seats want.
    fn due(&self) -> impl Iterator<Item = Due> {
        self.seats.iter().enumerate().filter_map(|(seat, seated)| {
            let (generation, source) = seated.as_ref()?.evolution.next();
            Some(Due { seat, generation, source })
        })
    }

    /// Completes a generation. A run that is to be abandoned leaves at once, and so does one that
    /// others wait for, if it is theirs, too. When all have left, nobody wants the rest: false.
    fn complete(&mut self, ensemble: &mut dyn Ensemble, shares: bool) -> Result<bool, RunError> {
        while !ensemble.advance()? {
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

    /// Ends the run in a seat.
    fn leave(&mut self, seat: usize, reason: StopReason) {
        let Some(Seated { number, job, evolution, .. }) = self.seats[seat].take() else { return };
        let outcome = evolution.finish(&job.run(self.interrupted), reason, None);
        self.client.ended(number, job, outcome.map_err(SolveError::from));
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
