//! Runs carried out in batches: each takes a slot of a batch engine, goes on, and leaves it to the next.
//!
//! All runs in slots are bred generation by generation in step, whatever each wants: first boards,
//! children, or the boards of a restart. A run that the engine does not take (of another shape, or
//! of another configuration than its kernels have) waits until those in slots have ended, those that
//! took theirs with it included; it then has an engine made for it, or is carried out alone where there is
//! none. When the device fails, the host goes on with every run that was under way, one after the other.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::SolveError;
use crate::fitness::EvaluatorError;
use crate::ga::{
    BatchEngine, GenerationKind, GenerationStats, Observer, Outcome, PopulationSource, Run,
    RunError, RunJob, RunState, SlotRequest, StopReason,
};

/// Runs that are made ready side by side at most.
const MOST_READY: usize = 64;

/// Where jobs come from, and where what came of them goes.
pub trait BatchQueue<W> {
    /// The next job and its number, if there is one already; with `wait`, once there is one or it
    /// is known that there will be none.
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<W>)>;

    /// A run has ended.
    fn ended(&mut self, number: u64, job: RunJob<W>, outcome: Result<Outcome, SolveError>);
}

/// What carries runs out.
pub trait BatchHost {
    /// A batch engine for runs like this one; nothing if it is carried out alone.
    fn batch_engine(&mut self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>>;

    /// Has a batch engine [take](BatchEngine::take) runs, on the host's threads.
    fn take(&mut self, engine: &mut dyn BatchEngine, runs: &[(usize, Run<'_>)]) -> Vec<bool>;

    /// Carries out a run by itself.
    ///
    /// # Errors
    /// [`SolveError`] when it cannot begin or go on.
    fn alone(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError>;

    /// Goes on with a run on the CPU, after a fault and after generations that restarted.
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

/// Carries out all runs of a queue; returns how many were under way at a time at most.
pub fn run_batches<W: Observer + Send>(
    host: &mut dyn BatchHost,
    interrupted: &AtomicBool,
    queue: &mut dyn BatchQueue<W>,
) -> usize {
    let (slots, waiting) = (Vec::new(), VecDeque::new());
    let mut runner = BatchRunner { host, interrupted, queue, slots, waiting, most: 0 };
    while let Some((number, job)) = runner.next(true) {
        if runner.is_interrupted() {
            runner.abandon(number, job);
            continue;
        }
        let engine = match job.space.free.is_empty() {
            true => None,
            false => runner.host.batch_engine(&job.run(interrupted)),
        };
        match engine {
            Some(engine) => runner.run_batch(engine, number, job),
            None => runner.alone(number, job),
        }
    }
    runner.most
}

/// Runs in slots: which has which, what each wants, and which leave.
struct BatchRunner<'a, W> {
    host: &'a mut dyn BatchHost,
    interrupted: &'a AtomicBool,
    queue: &'a mut dyn BatchQueue<W>,
    slots: Vec<Option<BatchedRun<W>>>,
    /// Those that a batch engine did not take, in their order: they come before the queue's.
    waiting: VecDeque<(u64, RunJob<W>)>,
    /// Runs that were under way at a time at most.
    most: usize,
}

/// A run in a slot.
struct BatchedRun<W> {
    number: u64,
    job: RunJob<W>,
    evolution: RunState,
    /// Generations that restarted.
    restarts: Vec<u32>,
}

/// The next generation of a run, if it restarts.
fn restarting(evolution: &RunState) -> Option<u32> {
    let (next, source) = evolution.next();
    (source == GenerationKind::Restart).then_some(next)
}

impl<W: Observer + Send> BatchRunner<'_, W> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The next run that has no slot: one that waits, or as the queue has it.
    fn next(&mut self, wait: bool) -> Option<(u64, RunJob<W>)> {
        self.waiting.pop_front().or_else(|| self.queue.next(wait))
    }

    fn alone(&mut self, number: u64, mut job: RunJob<W>) {
        self.most = self.most.max(1);
        let (run, watcher) = job.watched(self.interrupted);
        let outcome = self.host.alone(&run, watcher);
        self.queue.ended(number, job, outcome);
    }

    /// Ends a run that is interrupted before anything goes on with it.
    fn abandon(&mut self, number: u64, mut job: RunJob<W>) {
        let (run, watcher) = job.watched(self.interrupted);
        if run.resume_from.is_none() {
            return self.alone(number, job);
        }
        let abandon = |evolution: RunState| evolution.end_interrupted(&run, watcher);
        let outcome = RunState::start_or_resume(&run).and_then(abandon);
        self.queue.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// Carries out a run, and those after it that the engine takes, until there is one that it does not.
    fn run_batch(&mut self, mut engine: Box<dyn BatchEngine>, number: u64, job: RunJob<W>) {
        self.slots.clear();
        self.slots.resize_with(engine.slots().max(1), || None);
        let mut first = Some((number, job));
        let mut is_open = true;
        loop {
            if is_open && !self.is_interrupted() {
                is_open = self.fill(engine.as_mut(), &mut first);
            }
            let due: Vec<SlotRequest> = self.due().collect();
            if due.is_empty() {
                return first.into_iter().for_each(|first| self.waiting.push_front(first));
            }
            self.most = self.most.max(due.len());
            engine.begin(&due);
            if let Err(error) = self.complete(engine.as_mut()) {
                return self.fail(&error);
            }
            let noted: Vec<(usize, Option<StopReason>)> = due
                .iter()
                .zip(engine.summaries())
                .map(|(due, summary)| self.note(due.slot, summary))
                .collect();
            for (slot, ending) in noted {
                self.offer(engine.as_mut(), slot, ending);
                if let Some(reason) = ending {
                    self.leave(slot, reason);
                }
            }
        }
    }

    /// Gives free slots to runs, `first` before all others; false once there is one that the engine does
    /// not take.
    fn fill(&mut self, engine: &mut dyn BatchEngine, first: &mut Option<(u64, RunJob<W>)>) -> bool {
        loop {
            let is_first = first.is_some();
            let chosen = self.choose(first);
            if chosen.is_empty() {
                return true;
            }
            let runs = chosen.iter().map(|(slot, _, job)| (*slot, job.run(self.interrupted)));
            let taken = self.host.take(engine, &runs.collect::<Vec<_>>());
            let mut refused = VecDeque::new();
            let mut unfit = None;
            for (place, ((slot, number, job), taken)) in chosen.into_iter().zip(taken).enumerate() {
                match taken {
                    true => self.begin(slot, number, job),
                    // The engine was made for it, but its driver or the checkpoint it goes on from is not.
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

    /// Runs for free slots, as many as are made ready side by side; those that presolve solved are carried out.
    fn choose(&mut self, first: &mut Option<(u64, RunJob<W>)>) -> Vec<(usize, u64, RunJob<W>)> {
        let occupied = self.slots.iter().flatten().count();
        let mut chosen = Vec::new();
        for slot in 0..self.slots.len() {
            while self.slots[slot].is_none() && chosen.len() < MOST_READY {
                let is_idle = occupied + chosen.len() == 0;
                let next = first.take().or_else(|| self.next(is_idle));
                let Some((number, job)) = next else { return chosen };
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

    /// Begins or goes on with a run that has taken a slot.
    fn begin(&mut self, slot: usize, number: u64, job: RunJob<W>) {
        let run = job.run(self.interrupted);
        match RunState::start_or_resume(&run) {
            Ok(evolution) => {
                let over = evolution.budget_spent(&run);
                let restarts = restarting(&evolution).into_iter().collect();
                self.slots[slot] = Some(BatchedRun { number, job, evolution, restarts });
                if let Some(reason) = over {
                    self.leave(slot, reason);
                }
            }
            Err(error) => self.queue.ended(number, job, Err(error.into())),
        }
    }

    /// What the runs in slots want.
    fn due(&self) -> impl Iterator<Item = SlotRequest> {
        self.slots.iter().enumerate().filter_map(|(slot, run)| {
            let (generation, source) = run.as_ref()?.evolution.next();
            Some(SlotRequest { slot, generation, source })
        })
    }

    /// Completes a generation. A run that is to be abandoned leaves at once; when all have left, nobody
    /// wants the rest.
    fn complete(&mut self, engine: &mut dyn BatchEngine) -> Result<(), RunError> {
        while !engine.step()? {
            for slot in 0..self.slots.len() {
                let Some(BatchedRun { job, evolution, .. }) = &self.slots[slot] else { continue };
                if let Some(reason) = evolution.stopped_early(&job.run(self.interrupted)) {
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

    /// Notes what came of a generation of the run in a slot, and says what ends it, if anything.
    fn note(&mut self, slot: usize, summary: &GenerationStats) -> (usize, Option<StopReason>) {
        let Some(BatchedRun { job, evolution, restarts, .. }) = &mut self.slots[slot] else {
            return (slot, None);
        };
        let (run, watcher) = job.watched(self.interrupted);
        let ending = evolution.record(&run, summary, watcher);
        restarts.extend(restarting(evolution));
        (slot, ending)
    }

    /// Lets a checkpoint be taken of the run in a slot, if one is wanted.
    fn offer(&mut self, engine: &mut dyn BatchEngine, slot: usize, ending: Option<StopReason>) {
        if let Some(BatchedRun { job, evolution, .. }) = &mut self.slots[slot] {
            evolution.offer_checkpoint(
                PopulationSource::Slot(engine, slot),
                &mut job.watcher,
                ending,
            );
        }
    }

    /// Ends the run in a slot.
    fn leave(&mut self, slot: usize, reason: StopReason) {
        let Some(BatchedRun { number, job, evolution, .. }) = self.slots[slot].take() else {
            return;
        };
        let outcome = evolution.finish(&job.run(self.interrupted), reason, None);
        self.queue.ended(number, job, outcome.map_err(SolveError::from));
    }

    /// The engine's work has ended: a device that failed leaves its runs to the host.
    fn fail(&mut self, error: &RunError) {
        let runs: Vec<BatchedRun<W>> = self.slots.iter_mut().filter_map(Option::take).collect();
        let count = runs.len();
        for (place, run) in runs.into_iter().enumerate() {
            let BatchedRun { number, mut job, evolution, restarts } = run;
            let (run, watcher) = job.watched(self.interrupted);
            let outcome = match error {
                RunError::Evaluator(fault) => {
                    if place == 0 {
                        watcher.on_warning(&format!(
                            "{fault}; {} under way and replayed on the CPU engine",
                            match count {
                                1 => "1 run was".to_owned(),
                                more => format!("{more} runs were"),
                            }
                        ));
                    }
                    self.host.recover(&run, evolution, fault, restarts, watcher)
                }
                error => Err(error.clone().into()),
            };
            self.queue.ended(number, job, outcome);
        }
    }
}
