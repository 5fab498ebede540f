//! Runs in batches on an engine of CPU engines, which fails when it is told to.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::board::{Presolve, presolve};
use crate::fitness::{CpuEvaluator, Pipeline};
use crate::format;
use crate::ga::{
    Checkpoint, Config, CpuEngine, Engine, GenerationReport, GenerationRequest, GenerationStats,
    Overrides, PopulationSnapshot, Preset, ReplayPolicy, RunCounters, RunHandle, RunSettings,
};
use crate::run::{Backend, Worker};

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
            Some(PopulationSnapshot { islands }) => {
                islands.iter().for_each(|island| take(&island.boards, &island.fitness));
                Ok(())
            }
            None => self.slots[slot].as_mut().unwrap().for_each_island(take),
        }
    }
}

/// Makes such ensembles, and counts what became of them.
struct Host<'a> {
    worker: Worker<'a>,
    backend: &'a Backend,
    slots: usize,
    /// Generations until the first ensemble fails.
    left: u32,
    made: Vec<u32>,
    recovered: usize,
    /// Set while an ensemble is made.
    interrupted: Option<&'a AtomicBool>,
}

impl<'a> Host<'a> {
    fn new(backend: &'a Backend, slots: usize) -> Self {
        let worker = Worker::new(backend, 1).unwrap();
        let (made, recovered) = (Vec::new(), 0);
        let left = u32::MAX;
        Self { worker, backend, slots, left, made, recovered, interrupted: None }
    }
}

impl BatchHost for Host<'_> {
    fn batch_engine(&mut self, run: &Run<'_>) -> Option<Box<dyn BatchEngine>> {
        self.made.push(run.config.population);
        self.interrupted.iter().for_each(|it| it.store(true, Ordering::Relaxed));
        Some(Box::new(CpuBatchEngine {
            slots: std::iter::repeat_with(|| None).take(self.slots).collect(),
            population: run.config.population,
            due: Vec::new(),
            before: BTreeMap::new(),
            summaries: Vec::new(),
            left: std::mem::replace(&mut self.left, u32::MAX),
        }))
    }

    fn take(&mut self, ensemble: &mut dyn BatchEngine, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        ensemble.take(runs)
    }

    fn alone(
        &mut self,
        run: &Run<'_>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        self.worker.run(run, observer)
    }

    fn recover(
        &mut self,
        run: &Run<'_>,
        evolution: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<Outcome, SolveError> {
        self.recovered += 1;
        let mut pipeline = self.backend.pipeline(run.space.geometry())?;
        Ok(self.backend.resume_on_cpu(run, evolution, fault, restarts, &mut pipeline, observer)?)
    }
}

/// TestQueue one after the other; `interrupt` is set when so many have ended.
struct TestQueue<'a> {
    jobs: VecDeque<(u64, RunJob<Rows>)>,
    ended: BTreeMap<u64, (Outcome, Rows)>,
    interrupt: Option<(usize, &'a AtomicBool)>,
}

impl<'a> TestQueue<'a> {
    fn new(jobs: Vec<(u64, RunJob<Rows>)>, interrupt: Option<(usize, &'a AtomicBool)>) -> Self {
        let (jobs, ended) = (jobs.into(), BTreeMap::new());
        Self { jobs, ended, interrupt }
    }
}

impl BatchQueue<Rows> for TestQueue<'_> {
    fn next(&mut self, _: bool) -> Option<(u64, RunJob<Rows>)> {
        self.jobs.pop_front()
    }

    fn ended(&mut self, number: u64, job: RunJob<Rows>, outcome: Result<Outcome, SolveError>) {
        let outcome = outcome.unwrap();
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        let known =
            self.ended.insert(number, (Outcome { elapsed, making, ..outcome }, job.watcher));
        assert!(known.is_none());
        if let Some((count, interrupted)) = self.interrupt {
            interrupted.store(self.ended.len() >= count, Ordering::Relaxed);
        }
    }
}

/// Runs with different seeds, some with another population, one of a solved puzzle.
fn jobs() -> Vec<(u64, RunJob<Rows>)> {
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
        (
            number,
            RunJob { space, config, seed: number % 6, resume_from: None, watcher: Rows::default() },
        )
    };
    (0..16).map(job).collect()
}

struct Ended {
    runs: BTreeMap<u64, (Outcome, Rows)>,
    made: Vec<u32>,
    recovered: usize,
    most: usize,
}

fn together(slots: usize, left: u32, replay: ReplayPolicy, interrupt: Option<usize>) -> Ended {
    these_together(jobs(), slots, left, replay, interrupt)
}

fn these_together(
    jobs: Vec<(u64, RunJob<Rows>)>,
    slots: usize,
    left: u32,
    replay: ReplayPolicy,
    interrupt: Option<usize>,
) -> Ended {
    let backend = Backend::cpu().replay_policy(replay);
    let interrupted = AtomicBool::new(false);
    let mut host = Host { left, ..Host::new(&backend, slots) };
    let mut client = TestQueue::new(jobs, interrupt.map(|count| (count, &interrupted)));
    let most = run_batches(&mut host, &interrupted, &mut client);
    let Host { made, recovered, .. } = host;
    Ended { runs: client.ended, made, recovered, most }
}

/// Each by itself.
fn alone() -> BTreeMap<u64, (Outcome, Rows)> {
    let backend = Backend::cpu();
    let mut worker = Worker::new(&backend, 1).unwrap();
    let interrupted = AtomicBool::new(false);
    let run = |(number, mut job): (u64, RunJob<Rows>)| {
        let (run, watcher) = job.watched(&interrupted);
        let outcome = worker.run(&run, watcher).unwrap();
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        (number, (Outcome { elapsed, making, ..outcome }, job.watcher))
    };
    jobs().into_iter().map(run).collect()
}

#[test]
fn every_run_is_as_it_is_alone_and_slots_are_taken_by_the_next() {
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
    let later = || -> Vec<(u64, RunJob<Rows>)> {
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
            these_together(later(), slots, left, ReplayPolicy::Always, None);
        for (outcome, rows) in runs.values_mut() {
            outcome.fault = None;
            rows.1.clear();
        }
        assert_eq!(runs, expected, "{slots} {left}");
    }
}

#[test]
fn a_run_that_has_spent_its_budget_ends_as_it_takes_its_slot() {
    let whole = alone();
    let spent = |(number, job): (u64, RunJob<Rows>)| {
        let config = Config { max_generations: 1, ..(*job.config).clone() };
        (
            number,
            RunJob { resume_from: whole[&number].1.2.clone(), config: Arc::new(config), ..job },
        )
    };
    let jobs: Vec<(u64, RunJob<Rows>)> = jobs().into_iter().map(spent).collect();
    let Ended { runs, .. } = these_together(jobs, 3, u32::MAX, ReplayPolicy::Short, None);
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
        let faults = runs.values().filter(|(outcome, _)| outcome.fault.is_some()).count();
        assert_eq!(faults, recovered);
        let warnings: Vec<String> =
            runs.values_mut().flat_map(|(_, rows)| std::mem::take(&mut rows.1)).collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let under_way = match recovered {
            1 => "1 run was under way".to_owned(),
            more => format!("{more} runs were under way"),
        };
        assert!(warnings[0].contains(&under_way), "{warnings:?}");
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
    let backend = Backend::cpu();
    let interrupted = AtomicBool::new(false);
    let mut host = Host::new(&backend, 4);
    let mut jobs: Vec<(u64, RunJob<Rows>)> = jobs();
    let hurried = &mut jobs[1].1;
    hurried.config = Arc::new(Config { time_limit: 1e-9, ..(*hurried.config).clone() });
    let mut client = TestQueue::new(jobs, None);
    run_batches(&mut host, &interrupted, &mut client);
    let mut runs = client.ended;
    assert_eq!(runs[&1].0.stop_reason, StopReason::Time);
    runs.insert(1, expected[&1].clone());
    assert_eq!(runs, expected);
}

#[test]
fn an_interrupt_before_anything_is_bred_ends_all_and_keeps_what_was_handed_over() {
    let whole = alone();
    let job = |(number, job): (u64, RunJob<Rows>)| {
        let from = whole[&number].1.2.clone().filter(|_| number > 7);
        (number, RunJob { resume_from: from, ..job })
    };
    for slots in [1, 4] {
        let backend = Backend::cpu();
        let interrupted = &AtomicBool::new(false);
        let mut host = Host { interrupted: Some(interrupted), ..Host::new(&backend, slots) };
        let mut client = TestQueue::new(jobs().into_iter().map(job).collect(), None);
        run_batches(&mut host, interrupted, &mut client);
        assert_eq!((client.ended.len(), host.made.len()), (whole.len(), 1));
        for (number, (outcome, rows)) in &client.ended {
            let is_solved = outcome.stop_reason == StopReason::Presolved;
            assert!(is_solved || outcome.stop_reason == StopReason::Interrupted, "{number}");
            let kept = whole[number].1.2.clone().filter(|_| *number > 7);
            assert_eq!(rows.2, kept, "{number}");
        }
    }
}
