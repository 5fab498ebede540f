//! Runs in batches: each takes a slot of a batch engine, and leaves it to another run when it ends.
//!
//! All runs in slots are bred generation by generation in step, whatever each wants: first boards,
//! children, or the boards of a restart. A run that the engine does not take (of another shape, or
//! of another configuration than its kernels have) waits until those in slots have ended, those that
//! took theirs with it included; it then has an engine made for it, or is carried out alone where there is
//! none. When the device fails, the CPU continues every run that was under way, one after the other.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::worker::Worker;
use super::{Jobs, RunJob, SolveError};
use crate::ga::{
    BatchEngine, Engine, GenerationKind, GenerationStats, IslandSink, Observer, Outcome, RunError,
    RunState, SlotRequest, StopReason,
};
use crate::util::ordered_parallel::WorkerHandle;
use crate::util::quantity::noun;

/// Runs that are made ready side by side at most.
const MOST_READY: usize = 64;

/// Carries out the runs of all items that a worker receives, in batches where its backend has them, on the
/// threads of the current rayon pool. Returns how many runs were under way at a time at most.
pub fn work<J: Jobs>(
    worker: &mut Worker<'_>,
    handle: &WorkerHandle<J::Item, J::Result>,
    jobs: &J,
    interrupted: &AtomicBool,
) -> usize {
    let (slots, waiting) = (Vec::new(), VecDeque::new());
    let mut runner = BatchRunner { worker, handle, jobs, interrupted, slots, waiting, most: 0 };
    while let Some((number, job)) = runner.next(true) {
        if runner.is_interrupted() && job.resume_from.is_some() {
            runner.abandon(number, job);
            continue;
        }
        let is_batched = !job.space.free.is_empty() && !runner.is_interrupted();
        let engine = is_batched.then(|| runner.worker.batch_engine(&job.run(interrupted)));
        match engine.flatten() {
            Some(engine) => runner.run_batch(engine, number, job),
            None => runner.alone(number, job),
        }
    }
    runner.most
}

/// Runs in slots: the run of each slot, the next generation of each, and the runs that leave.
struct BatchRunner<'a, 'b, J: Jobs> {
    worker: &'a mut Worker<'b>,
    handle: &'a WorkerHandle<J::Item, J::Result>,
    jobs: &'a J,
    interrupted: &'a AtomicBool,
    slots: Vec<Option<BatchedRun<J::Observer>>>,
    /// Those that a batch engine did not take, in their order: they come before those to be received.
    waiting: VecDeque<(u64, RunJob<J::Observer>)>,
    /// Runs that were under way at a time at most.
    most: usize,
}

/// A run in a slot.
struct BatchedRun<O> {
    number: u64,
    job: RunJob<O>,
    state: RunState,
    /// Generations that restarted.
    restarts: Vec<u32>,
}

/// The next generation of a run, if it restarts.
fn restarting(state: &RunState) -> Option<u32> {
    let (next, source) = state.next();
    (source == GenerationKind::Restart).then_some(next)
}

impl<'a, J: Jobs> BatchRunner<'a, '_, J> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The next run that has no slot and its number, if there is one already; with `wait`, once there is one
    /// or it is known that there will be none.
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<J::Observer>)> {
        if let Some(first) = self.waiting.pop_front() {
            return Some(first);
        }
        loop {
            let (number, item) = if wait { self.handle.recv() } else { self.handle.try_recv() }?;
            match self.jobs.prepare(item) {
                Ok(job) => return Some((number, job)),
                Err(result) => self.handle.submit(number, result),
            };
        }
    }

    fn ended(&self, number: u64, job: RunJob<J::Observer>, outcome: Result<Outcome, SolveError>) {
        let threads = rayon::current_num_threads();
        self.handle.submit(number, self.jobs.finish(job, outcome, threads));
    }

    fn alone(&mut self, number: u64, mut job: RunJob<J::Observer>) {
        self.most = self.most.max(1);
        let (run, observer) = job.parts(self.interrupted);
        let outcome = self.worker.evolve(&run, observer);
        self.ended(number, job, outcome);
    }

    /// Ends a run that was to resume, and is interrupted before it has.
    fn abandon(&self, number: u64, mut job: RunJob<J::Observer>) {
        let (run, observer) = job.parts(self.interrupted);
        let outcome = run.execute_on(|| Err::<Box<dyn Engine>, _>(RunError::Interrupted), observer);
        self.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// Carries out a run, and those after it that the engine takes, until there is one that it does not.
    fn run_batch(
        &mut self,
        mut engine: Box<dyn BatchEngine>,
        number: u64,
        job: RunJob<J::Observer>,
    ) {
        self.slots.clear();
        self.slots.resize_with(engine.slots().max(1), || None);
        self.waiting.push_front((number, job));
        let (mut is_open, mut is_first) = (true, true);
        loop {
            if is_open && !self.is_interrupted() {
                is_open = self.fill(engine.as_mut(), std::mem::take(&mut is_first));
            }
            let due: Vec<SlotRequest> = self.due().collect();
            if due.is_empty() {
                return;
            }
            self.most = self.most.max(due.len());
            engine.begin(&due);
            if let Err(error) = self.complete(engine.as_mut()) {
                return self.fail(&error);
            }
            let noted: Vec<(usize, Option<StopReason>)> = due
                .iter()
                .zip(engine.summaries())
                .map(|(due, summary)| (due.slot, self.note(due.slot, summary)))
                .collect();
            for (slot, ending) in noted {
                self.offer(engine.as_mut(), slot, ending);
                if let Some(reason) = ending {
                    self.leave(slot, reason);
                }
            }
        }
    }

    /// Gives free slots to runs; false once there is one that the engine does not take. With `is_first` the engine
    /// was made for the first of them.
    fn fill(&mut self, engine: &mut dyn BatchEngine, mut is_first: bool) -> bool {
        loop {
            let chosen = self.choose();
            if chosen.is_empty() {
                return true;
            }
            let runs = chosen.iter().map(|(slot, _, job)| (*slot, job.run(self.interrupted)));
            let taken = engine.take(&runs.collect::<Vec<_>>());
            let mut refused = VecDeque::new();
            let mut unfit = None;
            for (place, ((slot, number, job), taken)) in chosen.into_iter().zip(taken).enumerate() {
                match taken {
                    true => self.begin(slot, number, job),
                    // Its driver or its checkpoint does not fit.
                    false if is_first && place == 0 => unfit = Some((number, job)),
                    false => refused.push_back((number, job)),
                }
            }
            is_first = false;
            unfit.into_iter().for_each(|(number, job)| self.alone(number, job));
            if !refused.is_empty() {
                refused.append(&mut self.waiting);
                self.waiting = refused;
                return false;
            }
        }
    }

    /// Runs for free slots, as many as are made ready side by side; those that presolve solved are carried out.
    fn choose(&mut self) -> Vec<(usize, u64, RunJob<J::Observer>)> {
        let occupied = self.slots.iter().flatten().count();
        let mut chosen = Vec::new();
        for slot in 0..self.slots.len() {
            while self.slots[slot].is_none() && chosen.len() < MOST_READY {
                let is_idle = occupied + chosen.len() == 0;
                let Some((number, job)) = self.next(is_idle) else { return chosen };
                if job.space.free.is_empty() {
                    self.alone(number, job);
                } else {
                    chosen.push((slot, number, job));
                    break;
                }
            }
        }
        chosen
    }

    /// Starts or resumes a run that has taken a slot.
    fn begin(&mut self, slot: usize, number: u64, job: RunJob<J::Observer>) {
        let run = job.run(self.interrupted);
        match RunState::start_or_resume(&run) {
            Ok(state) => {
                let over = state.budget_spent(&run);
                let restarts = restarting(&state).into_iter().collect();
                self.slots[slot] = Some(BatchedRun { number, job, state, restarts });
                if let Some(reason) = over {
                    self.leave(slot, reason);
                }
            }
            Err(error) => self.ended(number, job, Err(error.into())),
        }
    }

    /// The next generation of each run in a slot.
    fn due(&self) -> impl Iterator<Item = SlotRequest> {
        self.slots.iter().enumerate().filter_map(|(slot, run)| {
            let (generation, source) = run.as_ref()?.state.next();
            Some(SlotRequest { slot, generation, source })
        })
    }

    /// Completes a generation. A run that is to be abandoned leaves at once; when all have left, the rest is not
    /// carried out.
    fn complete(&mut self, engine: &mut dyn BatchEngine) -> Result<(), RunError> {
        while !engine.step()? {
            for slot in 0..self.slots.len() {
                let Some(BatchedRun { job, state, .. }) = &self.slots[slot] else { continue };
                if let Some(reason) = state.stopped_early(&job.run(self.interrupted)) {
                    self.offer(engine, slot, Some(reason));
                    self.leave(slot, reason);
                }
            }
            if self.slots.iter().all(Option::is_none) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Records a generation of the run in a slot, and returns what ends the run, if anything.
    fn note(&mut self, slot: usize, summary: &GenerationStats) -> Option<StopReason> {
        let BatchedRun { job, state, restarts, .. } = self.slots[slot].as_mut()?;
        let (run, observer) = job.parts(self.interrupted);
        let ending = state.record(&run, summary, observer);
        restarts.extend(restarting(state));
        ending
    }

    /// Lets a checkpoint be taken of the run in a slot, if one is wanted.
    fn offer(&mut self, engine: &mut dyn BatchEngine, slot: usize, ending: Option<StopReason>) {
        if let Some(BatchedRun { job, state, .. }) = &mut self.slots[slot] {
            let islands = &mut |take: IslandSink<'_>| engine.for_each_island(slot, take);
            state.offer_checkpoint(islands, &mut job.observer, ending);
        }
    }

    /// Ends the run in a slot.
    fn leave(&mut self, slot: usize, reason: StopReason) {
        let Some(BatchedRun { number, job, state, .. }) = self.slots[slot].take() else {
            return;
        };
        let outcome = state.outcome(&job.run(self.interrupted), reason, None);
        self.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// The engine's work has ended: a device that failed leaves its runs to the CPU.
    fn fail(&mut self, error: &RunError) {
        let runs: Vec<BatchedRun<J::Observer>> =
            self.slots.iter_mut().filter_map(Option::take).collect();
        let count = runs.len();
        for (place, run) in runs.into_iter().enumerate() {
            let BatchedRun { number, mut job, state, restarts } = run;
            let (run, observer) = job.parts(self.interrupted);
            let outcome = match error {
                RunError::Evaluator(fault) => {
                    if place == 0 {
                        let runs = noun(count as u64, "run");
                        let warning = format!("{fault}; {count} {runs} replayed on the CPU engine");
                        observer.on_warning(&warning);
                    }
                    self.worker.recover(&run, state, fault, restarts, observer)
                }
                error => Err(error.clone().into()),
            };
            self.ended(number, job, outcome);
        }
    }
}
