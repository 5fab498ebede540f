//! Runs in seats: who sits where, what each wants, and who leaves.

use std::collections::VecDeque;

use super::Together;
use crate::ga::{
    BatchEngine, GenerationKind, GenerationStats, Observer, PopulationSource, RunJob, RunState,
    SlotRequest, StopReason,
};
use crate::solver::SolveError;

/// Runs that are made ready side by side at most.
const MOST_READY: usize = 64;

/// A run in a seat.
pub(super) struct Seated<W> {
    pub(super) number: u64,
    pub(super) job: RunJob<W>,
    pub(super) evolution: RunState,
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
fn restarting(evolution: &RunState) -> Option<u32> {
    let (next, source) = evolution.next();
    (source == GenerationKind::Restart).then_some(next)
}

impl<W: Observer + Send> Together<'_, W> {
    /// Notes what came of a generation of the run in a seat, and says what ends it, if anything.
    pub(super) fn note(
        &mut self,
        seat: usize,
        summary: &GenerationStats,
    ) -> (usize, Option<StopReason>) {
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
        ensemble: &mut dyn BatchEngine,
        seat: usize,
        ending: Option<StopReason>,
    ) {
        if let Some(Seated { job, evolution, .. }) = &mut self.seats[seat] {
            evolution.offer(PopulationSource::Seat(ensemble, seat), &mut job.watcher, ending);
        }
    }

    /// Gives free seats to runs, up to `active` of them and `first` before all others; false once there is
    /// one that the ensemble does not take. What others wait for is theirs.
    pub(super) fn fill(
        &mut self,
        ensemble: &mut dyn BatchEngine,
        active: usize,
        first: &mut Option<(u64, RunJob<W>)>,
    ) -> bool {
        loop {
            let is_first = first.is_some();
            let chosen = self.choose(active, first);
            if chosen.is_empty() {
                return true;
            }
            let runs = chosen.iter().map(|(seat, _, job)| (*seat, job.run(self.interrupted)));
            let taken = self.site.take(ensemble, &runs.collect::<Vec<_>>());
            let mut refused = VecDeque::new();
            let mut unfit = None;
            for (place, ((seat, number, job), taken)) in chosen.into_iter().zip(taken).enumerate() {
                match taken {
                    true => self.seat(seat, number, job),
                    // The ensemble was made for it, but its driver or the checkpoint it goes on from is not.
                    false if is_first && place == 0 => unfit = Some((number, job)),
                    false => refused.push_back((number, job)),
                }
            }
            unfit.into_iter().for_each(|(number, job)| self.alone(number, job));
            if !refused.is_empty() {
                refused.append(&mut self.waiting);
                self.waiting = refused;
                return false;
            }
        }
    }

    /// Runs for free seats, as many as are made ready side by side; those that presolve solved are carried out.
    fn choose(
        &mut self,
        active: usize,
        first: &mut Option<(u64, RunJob<W>)>,
    ) -> Vec<(usize, u64, RunJob<W>)> {
        let occupied = self.seats.iter().flatten().count();
        let mut chosen = Vec::new();
        for seat in 0..self.seats.len() {
            while self.seats[seat].is_none() && chosen.len() < MOST_READY {
                let all = occupied + chosen.len();
                if all >= active || (first.is_none() && all > 0 && self.client.idle() > 0) {
                    return chosen;
                }
                let next = first.take().or_else(|| self.next(all == 0));
                let Some((number, job)) = next else { return chosen };
                if job.space.free.is_empty() {
                    self.alone(number, job);
                } else {
                    chosen.push((seat, number, job));
                    break;
                }
            }
        }
        chosen
    }

    /// Begins or goes on with a run that has taken a seat.
    pub(super) fn seat(&mut self, seat: usize, number: u64, job: RunJob<W>) {
        let run = job.run(self.interrupted);
        match RunState::of(&run) {
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
    pub(super) fn due(&self) -> impl Iterator<Item = SlotRequest> {
        self.seats.iter().enumerate().filter_map(|(seat, seated)| {
            let (generation, source) = seated.as_ref()?.evolution.next();
            Some(SlotRequest { seat, generation, source })
        })
    }

    /// Ends the run in a seat.
    pub(super) fn leave(&mut self, seat: usize, reason: StopReason) {
        let Some(Seated { number, job, evolution, .. }) = self.seats[seat].take() else { return };
        let outcome = evolution.finish(&job.run(self.interrupted), reason, None);
        self.client.ended(number, job, outcome.map_err(SolveError::from));
    }
}
