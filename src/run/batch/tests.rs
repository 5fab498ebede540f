//! Runs in batches on an engine of CPU engines, which fails when it is told to.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::board::{Presolve, presolve};
use crate::fitness::{CpuEvaluator, EvaluatorError, Pipeline};
use crate::format;
use crate::ga::{
    Checkpoint, Config, CpuEngine, Engine, GenerationReport, GenerationRequest, GenerationStats,
    Overrides, PopulationSnapshot, Preset, ReplayPolicy, Run, RunCounters, RunHandle, RunSettings,
};
use crate::run::worker::WorkerRole;
use crate::run::{Backend, Executor};
use crate::util::ordered_parallel::{ResultOrder, ordered_queue};

/// Nobody interrupts.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Rows of a run, what was said of it, and its checkpoint after this generation.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rows(Vec<(u32, u16, u64, u64)>, Vec<String>, Option<Checkpoint>);

/// The generation after which a run is kept.
const KEPT: u32 = 2;

impl Observer for Rows {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0.push((report.generation, report.best, report.sum, report.evaluations));
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        self.1.push(message.to_owned());
    }

    fn wants_checkpoint(&mut self, generation: u32, _: Option<StopReason>) -> bool {
        generation == KEPT
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        let Checkpoint { progress, state } = standing.checkpoint().unwrap();
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        self.2 = Some(Checkpoint { progress: RunCounters { elapsed, making, ..progress }, state });
    }
}

/// A CPU engine in each slot.
struct CpuBatchEngine {
    slots: Vec<Option<CpuEngine<'static>>>,
    population: u32,
    due: Vec<SlotRequest>,
    /// What those that are due had come to when the generation began.
    before: BTreeMap<usize, PopulationSnapshot>,
    summaries: Vec<GenerationStats>,
    /// Generations until it fails.
    left: u32,
}

impl CpuBatchEngine {
    fn take_one(&mut self, slot: usize, run: &Run<'_>) -> bool {
        if run.config.population != self.population {
            return false;
        }
        let evaluator = CpuEvaluator::new(run.space.geometry(), None);
        let pipeline = Box::leak(Box::new(Pipeline::new(Box::new(evaluator))));
        // Slots outlive the runs that take them.
        let from = run.resume_from;
        let (space, config) = (Box::leak(Box::new(run.space.clone())), run.config.clone());
        let run = Run::new(space, Box::leak(Box::new(config)), run.seed, &NEVER);
        self.slots[slot] = CpuEngine::new(&run, pipeline).ok();
        from.is_none_or(|from| self.slots[slot].as_mut().unwrap().restore(&from.state).is_ok())
    }
}

impl BatchEngine for CpuBatchEngine {
    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn take(&mut self, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        runs.iter().map(|(slot, run)| self.take_one(*slot, run)).collect()
    }

    fn begin(&mut self, due: &[SlotRequest]) {
        self.due = due.to_vec();
        let state = |due: &SlotRequest| self.slots[due.slot].as_mut().unwrap().snapshot().unwrap();
        self.before = due.iter().map(|due| due.slot).zip(due.iter().map(state)).collect();
        self.summaries.clear();
    }

    fn step(&mut self) -> Result<bool, RunError> {
        if self.left == 0 {
            return Err(RunError::Evaluator(EvaluatorError::DeviceLost("unplugged".into())));
        }
        let SlotRequest { slot, generation, source } = self.due[self.summaries.len()];
        let engine = self.slots[slot].as_mut().unwrap();
        let wanted = GenerationRequest {
            generation,
            source,
            generations: 1,
            distinct_every: 0,
            below: 0,
            stop: &|| false,
        };
        assert!(engine.step(&wanted)?);
        self.summaries.extend_from_slice(engine.summaries());
        let complete = self.summaries.len() == self.due.len();
        if complete {
            self.before.clear();
        }
        self.left -= u32::from(complete);
        Ok(complete)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn for_each_island(
        &mut self,
        slot: usize,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), RunError> {
        match self.before.get(&slot) {
            Some(state) => state.for_each_island(take),
            None => self.slots[slot].as_mut().unwrap().for_each_island(take),
        }
    }
}

/// The jobs of these tests, each given as it is; `interrupt` is set when so many have ended.
struct TestJobs<'a> {
    interrupt: Option<usize>,
    ended: Mutex<usize>,
    interrupted: &'a AtomicBool,
}

type Job = (u64, RunJob<Rows>);

impl Jobs for TestJobs<'_> {
    type Item = RunJob<Rows>;
    type Observer = Rows;
    type Result = (Outcome, Rows);

    fn prepare(&self, job: RunJob<Rows>) -> Result<RunJob<Rows>, (Outcome, Rows)> {
        Ok(job)
    }

    fn finish(
        &self,
        job: RunJob<Rows>,
        outcome: Result<Outcome, SolveError>,
        _: usize,
    ) -> (Outcome, Rows) {
        let mut ended = self.ended.lock().unwrap();
        *ended += 1;
        if self.interrupt.is_some_and(|count| *ended >= count) {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        (Outcome { elapsed, making, ..outcome.unwrap() }, job.observer)
    }
}

/// Runs with different seeds, some with another population, one of a solved puzzle.
fn jobs() -> Vec<Job> {
    let puzzle = |name| format::load(name, None).unwrap().puzzle;
    let (hard, easy) = (puzzle("easter-monster"), puzzle("001-easy-03"));
    let job = |number: u64| {
        let overrides = Overrides {
            population: Some(if (10..12).contains(&number) { 30 } else { 20 }),
            presolve: (number == 5).then_some(Presolve::Probing),
            restart_after: Some(1),
            max_generations: Some(3 + number as u32 % 7),
            ..Overrides::default()
        };
        let settings = RunSettings { preset: Preset::Boxes, overrides };
        let space = presolve(if number == 5 { &easy } else { &hard }, settings.presolve()).unwrap();
        let config = settings.config(&space).unwrap();
        assert!(number != 5 || space.free.is_empty());
        let (space, config) = (Arc::new(space), Arc::new(config));
        (number, RunJob::new(space, config, number % 6, Rows::default()))
    };
    (0..16).map(job).collect()
}

struct Ended {
    runs: BTreeMap<u64, (Outcome, Rows)>,
    /// The population of each batch engine that was made.
    made: Vec<u32>,
    /// Runs that the CPU went on with.
    recovered: usize,
    most: usize,
}

fn together(slots: usize, left: u32, replay: ReplayPolicy, interrupt: Option<usize>) -> Ended {
    these_together(jobs(), slots, left, replay, interrupt, &never(), false)
}

/// A flag that nobody has set.
fn never() -> Arc<AtomicBool> {
    Arc::default()
}

/// The jobs in batches on engines with so many slots, of which the first fails after `left` generations. It is
/// interrupted after so many have ended, or while an engine is made.
fn these_together(
    jobs: Vec<Job>,
    slots: usize,
    left: u32,
    replay: ReplayPolicy,
    interrupt: Option<usize>,
    interrupted: &Arc<AtomicBool>,
    while_made: bool,
) -> Ended {
    let made = Arc::new(Mutex::new(Vec::new()));
    let (count, left, flag) = (made.clone(), Mutex::new(left), interrupted.clone());
    let mut backend = Backend::cpu().replay_policy(replay);
    backend.batches = Some(Box::new(move |run| {
        count.lock().unwrap().push(run.config.population);
        flag.fetch_or(while_made, Ordering::Relaxed);
        Some(Box::new(CpuBatchEngine {
            slots: std::iter::repeat_with(|| None).take(slots).collect(),
            population: run.config.population,
            due: Vec::new(),
            before: BTreeMap::new(),
            summaries: Vec::new(),
            left: std::mem::replace(&mut *left.lock().unwrap(), u32::MAX),
        }))
    }));
    let (numbers, jobs): (Vec<u64>, Vec<_>) = jobs.into_iter().unzip();
    // All items are there from the beginning, so that batches are always the same.
    let (reader, handle, mut results) = ordered_queue(jobs.len() + 1, ResultOrder::AsCompleted);
    reader.read(jobs.into_iter());
    let mut worker = Worker::with_role(&backend, WorkerRole::Batches(slots));
    let jobs = TestJobs { interrupt, ended: Mutex::default(), interrupted };
    let most = work(&mut worker, &handle, &jobs, interrupted);
    drop(handle);
    let mut runs = BTreeMap::new();
    while let Some(run) = results.next() {
        assert!(runs.insert(numbers[results.last_number() as usize], run).is_none());
    }
    let is_recovered = |run: &&(Outcome, Rows)| run.0.fault.is_some();
    let recovered = runs.values().filter(is_recovered).count();
    let made = made.lock().unwrap().clone();
    Ended { runs, made, recovered, most }
}

/// Each by itself.
fn alone() -> BTreeMap<u64, (Outcome, Rows)> {
    let backend = Backend::cpu();
    let mut executor = Executor::new(&backend, 1, 1).unwrap();
    let run = |(number, mut job): Job| {
        let mut rows = std::mem::take(&mut job.observer);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&job.space, &job.config, job.seed, &interrupted);
        let outcome = executor.run(&run, &mut rows).unwrap();
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        (number, (Outcome { elapsed, making, ..outcome }, rows))
    };
    jobs().into_iter().map(run).collect()
}

#[test]
fn every_run_is_as_it_is_alone_and_seats_are_taken_by_the_next() {
    let expected = alone();
    assert!(expected.values().any(|(outcome, _)| outcome.restarts > 1));
    for slots in [1, 3, 100] {
        let Ended { runs, made, recovered, most } =
            together(slots, u32::MAX, ReplayPolicy::Short, None);
        assert_eq!(runs, expected, "{slots}");
        // Runs of another kind wait until those in slots have ended; those that were made ready with them
        // need not.
        let kinds = if slots == 100 { vec![20, 30] } else { vec![20, 30, 20] };
        assert_eq!((made, recovered), (kinds, 0));
        assert_eq!(most, slots.min(13));
    }
}

#[test]
fn runs_go_on_from_checkpoints_in_slots_and_after_faults() {
    let whole = alone();
    let later = || -> Vec<Job> {
        let from = |number: &u64| whole[number].1.2.clone();
        jobs()
            .into_iter()
            .map(|(number, job)| (number, RunJob { resume_from: from(&number), ..job }))
            .collect()
    };
    assert_eq!(later().iter().filter(|(_, job)| job.resume_from.is_some()).count(), 15);
    let mut expected = whole.clone();
    for (number, (_, rows)) in &mut expected {
        // The one that presolve solves has none.
        let is_kept = rows.2.take().is_some();
        assert_eq!(is_kept, *number != 5);
        rows.0.retain(|row| row.0 > KEPT);
    }
    for (slots, left) in [(1, u32::MAX), (3, u32::MAX), (100, u32::MAX), (1, 0), (3, 2), (100, 1)] {
        let Ended { mut runs, .. } =
            these_together(later(), slots, left, ReplayPolicy::Always, None, &never(), false);
        for (outcome, rows) in runs.values_mut() {
            outcome.fault = None;
            rows.1.clear();
        }
        assert_eq!(runs, expected, "{slots} {left}");
    }
}

#[test]
fn a_run_that_has_spent_its_budget_ends_as_it_takes_its_seat() {
    let whole = alone();
    let spent = |(number, job): Job| {
        let config = Config { max_generations: 1, ..(*job.config).clone() };
        (
            number,
            RunJob { resume_from: whole[&number].1.2.clone(), config: Arc::new(config), ..job },
        )
    };
    let jobs: Vec<Job> = jobs().into_iter().map(spent).collect();
    let Ended { runs, .. } =
        these_together(jobs, 3, u32::MAX, ReplayPolicy::Short, None, &never(), false);
    for (number, (outcome, rows)) in &runs {
        assert!(rows.0.is_empty(), "{number}");
        let expected = if *number == 5 { StopReason::Presolved } else { StopReason::Generations };
        assert_eq!(outcome.stop_reason, expected, "{number}");
    }
}

#[test]
fn a_fault_in_the_middle_is_replayed_and_what_follows_goes_on() {
    let expected = alone();
    for (slots, left) in [(1, 0), (3, 2), (3, 4), (100, 5)] {
        let Ended { mut runs, recovered, .. } = together(slots, left, ReplayPolicy::Always, None);
        assert!((1..=slots).contains(&recovered), "{recovered}");
        let warnings: Vec<String> =
            runs.values_mut().flat_map(|(_, rows)| std::mem::take(&mut rows.1)).collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let replayed =
            format!("{recovered} {} replayed on the CPU engine", noun(recovered as u64, "run"));
        assert!(warnings[0].contains(&replayed), "{warnings:?}");
        runs.values_mut().for_each(|(outcome, _)| outcome.fault = None);
        assert_eq!(runs, expected, "{slots} {left}");
    }
}

#[test]
fn what_is_not_replayed_ends_with_what_it_came_to() {
    let Ended { runs, recovered, .. } = together(3, 2, ReplayPolicy::Never, None);
    let lost = |run: &&(Outcome, Rows)| run.0.stop_reason == StopReason::Lost;
    assert_eq!(runs.values().filter(lost).count(), recovered);
    assert!(runs.values().filter(lost).all(|run| run.0.generations == 1 && run.1.0.len() == 2));
    assert_eq!(runs.len(), 16);
}

#[test]
fn an_interrupt_ends_all_that_are_under_way() {
    let Ended { runs, .. } = together(4, u32::MAX, ReplayPolicy::Short, Some(2));
    let interrupted = |run: &&(Outcome, Rows)| run.0.stop_reason == StopReason::Interrupted;
    assert!(runs.values().filter(interrupted).count() >= 3);
    let expected = alone();
    for (number, run) in runs.iter().filter(|(_, run)| !interrupted(run)) {
        assert_eq!(run, &expected[number]);
    }
}

#[test]
fn a_run_whose_time_is_over_leaves_the_others_alone() {
    let expected = alone();
    let mut jobs: Vec<Job> = jobs();
    let hurried = &mut jobs[1].1;
    hurried.config = Arc::new(Config { time_limit: 1e-9, ..(*hurried.config).clone() });
    let Ended { mut runs, .. } =
        these_together(jobs, 4, u32::MAX, ReplayPolicy::Short, None, &never(), false);
    assert_eq!(runs[&1].0.stop_reason, StopReason::Time);
    runs.insert(1, expected[&1].clone());
    assert_eq!(runs, expected);
}

#[test]
fn an_interrupt_before_anything_is_bred_ends_all_and_keeps_what_was_handed_over() {
    let whole = alone();
    let job = |(number, job): Job| {
        let from = whole[&number].1.2.clone().filter(|_| number > 7);
        (number, RunJob { resume_from: from, ..job })
    };
    for slots in [1, 4] {
        let jobs = jobs().into_iter().map(job).collect();
        let Ended { runs, made, .. } =
            these_together(jobs, slots, u32::MAX, ReplayPolicy::Short, None, &never(), true);
        assert_eq!((runs.len(), made.len()), (whole.len(), 1));
        for (number, (outcome, rows)) in &runs {
            let is_solved = outcome.stop_reason == StopReason::Presolved;
            assert!(is_solved || outcome.stop_reason == StopReason::Interrupted, "{number}");
            let kept = whole[number].1.2.clone().filter(|_| *number > 7);
            assert_eq!(rows.2, kept, "{number}");
        }
    }
}
