//! Runs in seats: who sits where, what each wants, and who leaves.

use super::Together;
use crate::evolve::{Due, Ensemble, Evolution, Holder, Job, Observer, Source, StopReason, Summary};
use crate::solver::SolveError;

/// A run in a seat.
pub(super) struct Seated<W> {
    pub(super) number: u64,
    pub(super) job: Job<W>,
    pub(super) evolution: Evolution,
    /// Generations that restarted.
    pub(super) restarts: Vec<u32>,
}

impl<W> Seated<W> {
    /// Whether anything came of it since it took its seat.
    pub(super) fn went_on(&self) -> bool {
        let began = self.job.from.as_ref().map_or(0, |from| from.progress.generation + 1);
        self.evolution.next().0 > began
    }
}

/// The next generation of a run, if it restarts.
fn restarting(evolution: &Evolution) -> Option<u32> {
    let (next, source) = evolution.next();
    (source == Source::Restart).then_some(next)
}

impl<W: Observer + Send> Together<'_, W> {
    /// Notes what came of a generation of the run in a seat, and says what ends it, if anything.
    pub(super) fn note(&mut self, seat: usize, summary: &Summary) -> (usize, Option<StopReason>) {
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
    pub(super) fn offer(
        &mut self,
        ensemble: &mut dyn Ensemble,
        seat: usize,
        ending: Option<StopReason>,
    ) {
        if let Some(Seated { job, evolution, .. }) = &mut self.seats[seat] {
            evolution.offer(Holder::Seat(ensemble, seat), &mut job.watcher, ending);
        }
    }

    /// Gives free seats to runs, up to `active` of them and `first` before all others; returns the
    /// first that the ensemble does not take. What others wait for is theirs.
    pub(super) fn fill(
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
    pub(super) fn seat(&mut self, seat: usize, number: u64, job: Job<W>) {
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
    pub(super) fn due(&self) -> impl Iterator<Item = Due> {
        self.seats.iter().enumerate().filter_map(|(seat, seated)| {
            let (generation, source) = seated.as_ref()?.evolution.next();
            Some(Due { seat, generation, source })
        })
    }

    /// Ends the run in a seat.
    pub(super) fn leave(&mut self, seat: usize, reason: StopReason) {
        let Some(Seated { number, job, evolution, .. }) = self.seats[seat].take() else { return };
        let outcome = evolution.finish(&job.run(self.interrupted), reason, None);
        self.client.ended(number, job, outcome.map_err(SolveError::from));
    }
}
