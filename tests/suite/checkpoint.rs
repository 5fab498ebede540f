//! Checkpoints of the library: a run that goes on from one is the same run.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evodoku::board::{Geometry, SearchSpace, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::format;
use evodoku::ga::CpuEngine;
use evodoku::ga::{
    Checkpoint, Config, GenerationReport, Observer, Outcome, Overrides, Preset, Run, RunError,
    RunHandle, RunSettings, StateError, StopReason,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::attacks::runs::switching::Switching;

/// What a generation looked like, times aside.
type Row = (u32, u32, u16, u16, u64, u16, Option<u64>, u64, u64, Vec<u16>);

/// Notes generations, and keeps the checkpoint of one of them, with which it may end the run.
#[derive(Default)]
struct Keeper {
    rows: Vec<Row>,
    at: Option<u32>,
    ends: bool,
    kept: Option<Checkpoint>,
}

impl Observer for Keeper {
    fn on_generation(&mut self, r: &GenerationReport<'_>) -> ControlFlow<()> {
        let (counts, islands) = ((r.evaluations, r.moves), r.islands.to_vec());
        let (restart, best) = (r.restart, (r.best, r.best_so_far));
        let of_all = (r.sum, r.worst, r.distinct);
        self.rows.push((
            r.generation, restart, best.0, best.1, of_all.0, of_all.1, of_all.2, counts.0,
            counts.1, islands,
        ));
        let ends = self.ends && self.at == Some(r.generation);
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_distinct(&self) -> bool {
        true
    }

    fn wants_checkpoint(&mut self, generation: u32, _: Option<StopReason>) -> bool {
        self.at == Some(generation)
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.kept = standing.checkpoint().ok();
    }
}

fn evolve(run: &Run<'_>, keeper: &mut Keeper) -> Result<Outcome, RunError> {
    let evaluator = CpuEvaluator::new(run.space.geometry(), None);
    let mut outcome = run.execute(&mut Pipeline::new(Box::new(evaluator)), keeper)?;
    (outcome.elapsed, outcome.making) = (Duration::ZERO, Duration::ZERO);
    Ok(outcome)
}

fn space_and_config(puzzle: &str, preset: Preset, sets: &[&str]) -> (SearchSpace, Config) {
    let mut overrides = Overrides::default();
    sets.iter().for_each(|set| overrides.merge(&set.parse().unwrap()));
    let settings = RunSettings { preset, overrides };
    let puzzle = format::load(puzzle, None).unwrap().puzzle;
    let space = presolve(&puzzle, settings.presolve()).unwrap();
    let config = settings.config(&space).unwrap();
    (space, config)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn a_run_that_goes_on_is_the_same_run(
        preset in select(Preset::ALL), islands in 1u32..4, seed in 0u64..1000, at in 0u32..14,
        restart_after in 0u32..4, puzzle in select(vec!["003-6x6", "easter-monster"]),
        ends in any::<bool>(),
    ) {
        let islands = format!("islands={islands}");
        let restart = format!("restart_after={restart_after}");
        let sets = [
            "population=24", "max_generations=14", "migration_interval=2", "distinct_every=3",
            "presolve=none", "keep_share=0.5", &islands, &restart,
        ];
        let (space, config) = space_and_config(puzzle, preset, &sets);
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, seed, &interrupted);
        let mut whole = Keeper::default();
        let expected = evolve(&run, &mut whole).unwrap();

        let mut first = Keeper { at: Some(at), ends, ..Keeper::default() };
        evolve(&run, &mut first).unwrap();
        let Some(checkpoint) = first.kept else {
            // It ended before.
            prop_assert!(expected.generations < at);
            return Ok(());
        };
        // As it comes back from a file.
        let text = serde_json::to_string(&checkpoint).unwrap();
        let checkpoint: Checkpoint = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(checkpoint.progress.generation, at);
        let mut rest = Keeper::default();
        let outcome = evolve(&Run { resume_from: Some(&checkpoint), ..run }, &mut rest).unwrap();
        prop_assert_eq!(outcome, expected);
        prop_assert_eq!(&rest.rows[..], &whole.rows[at as usize + 1..]);
    }
}

#[test]
fn a_budget_that_was_spent_may_be_raised_and_ends_the_run_at_once_else() {
    let sets = ["population=30", "presolve=none", "max_generations=5"];
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, &sets);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let mut keeper = Keeper { at: Some(5), ..Keeper::default() };
    let ended = evolve(&run, &mut keeper).unwrap();
    assert_eq!((ended.stop_reason, ended.generations), (StopReason::Generations, 5));
    let checkpoint = keeper.kept.unwrap();
    let resumed = Run { resume_from: Some(&checkpoint), ..run };
    let mut nothing = Keeper::default();
    assert_eq!(evolve(&resumed, &mut nothing).unwrap(), ended);
    assert!(nothing.rows.is_empty());

    let longer = Config { max_generations: 9, ..config.clone() };
    let mut whole = Keeper::default();
    let expected = evolve(&Run { config: &longer, ..run }, &mut whole).unwrap();
    let mut rest = Keeper::default();
    assert_eq!(evolve(&Run { config: &longer, ..resumed }, &mut rest).unwrap(), expected);
    assert_eq!(rest.rows, whole.rows[6..]);
}

#[test]
fn time_before_a_checkpoint_counts() {
    let sets = ["population=30", "presolve=none", "max_generations=0", "time_limit=3600"];
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, &sets);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let mut keeper = Keeper { at: Some(2), ends: true, ..Keeper::default() };
    evolve(&run, &mut keeper).unwrap();
    let mut checkpoint = keeper.kept.unwrap();
    checkpoint.progress.elapsed = Duration::from_secs(3600);
    let outcome =
        evolve(&Run { resume_from: Some(&checkpoint), ..run }, &mut Keeper::default()).unwrap();
    assert_eq!((outcome.stop_reason, outcome.generations), (StopReason::Time, 2));
}

#[test]
fn an_abandoned_generation_leaves_the_one_before_it_whole() {
    // The second request for time comes in the middle of a generation, after an island was bred.
    struct Interrupter<'a>(&'a AtomicBool, Option<Checkpoint>);
    impl Observer for Interrupter<'_> {
        fn wants_checkpoint(&mut self, _: u32, ending: Option<StopReason>) -> bool {
            ending.is_some()
        }
        fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
            self.1 = standing.checkpoint().ok();
        }
        fn on_generation(&mut self, r: &GenerationReport<'_>) -> ControlFlow<()> {
            if r.generation == 3 {
                self.0.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        }
    }
    let sets = ["population=90", "islands=3", "presolve=none", "max_generations=9"];
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, &sets);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let mut interrupter = Interrupter(&interrupted, None);
    let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None)));
    let outcome = run.execute(&mut pipeline, &mut interrupter).unwrap();
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    let checkpoint = interrupter.1.unwrap();
    interrupted.store(false, std::sync::atomic::Ordering::Relaxed);
    let expected = evolve(&run, &mut Keeper::default()).unwrap();
    let resumed = Run { resume_from: Some(&checkpoint), ..run };
    assert_eq!(evolve(&resumed, &mut Keeper::default()).unwrap(), expected);
}

#[test]
fn engines_that_take_turns_go_on_from_a_checkpoint() {
    let sets = ["population=60", "islands=2", "presolve=none", "max_generations=12"];
    let (space, config) = space_and_config("easter-monster", Preset::Cellular, &sets);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 8, &interrupted);
    let mut keeper = Keeper { at: Some(4), ..Keeper::default() };
    let expected = evolve(&run, &mut keeper).unwrap();
    let checkpoint = keeper.kept.unwrap();
    let run = Run { resume_from: Some(&checkpoint), ..run };
    let mut pipelines =
        [0, 1].map(|_| Pipeline::new(Box::new(CpuEvaluator::new(space.geometry(), None))));
    let [one, other] = &mut pipelines;
    let mut outcome = run
        .execute_on(
            || {
                let one = Box::new(CpuEngine::new(&run, one)?);
                let other = Box::new(CpuEngine::new(&run, other)?);
                let next = |generation: u32| (generation as usize / 3 % 2, 1);
                Ok(Switching { engines: vec![one, other], next, current: 0 })
            },
            &mut Keeper::default(),
        )
        .unwrap();
    (outcome.elapsed, outcome.making) = (Duration::ZERO, Duration::ZERO);
    assert_eq!(outcome, expected);
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let sets = ["population=30", "presolve=none", "max_generations=5"];
    let (space, config) = space_and_config("easter-monster", Preset::Boxes, &sets);
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 3, &interrupted);
    let mut keeper = Keeper { at: Some(2), ..Keeper::default() };
    evolve(&run, &mut keeper).unwrap();
    let checkpoint = keeper.kept.unwrap();
    let refused = |space: &SearchSpace, config: &Config, checkpoint: &Checkpoint| {
        let run = Run { resume_from: Some(checkpoint), ..Run::new(space, config, 3, &interrupted) };
        match evolve(&run, &mut Keeper::default()) {
            Err(RunError::State(refused)) => refused,
            other => panic!("{other:?}"),
        }
    };
    let more = Config { population: 31, ..config.clone() };
    assert!(matches!(refused(&space, &more, &checkpoint), StateError::Islands { .. }));
    let blank = SearchSpace::blank(Geometry::new(2, 2).unwrap());
    assert_eq!(refused(&blank, &config, &checkpoint), StateError::Progress);
    let (other, _) = space_and_config("ai-escargot", Preset::Boxes, &sets);
    assert_eq!(refused(&other, &config, &checkpoint), StateError::Progress);
    let mut spoilt = checkpoint.clone();
    spoilt.progress.restarts = 7;
    assert_eq!(refused(&space, &config, &spoilt), StateError::Progress);
    let mut spoilt = checkpoint;
    spoilt.state.islands[0].boards[3] = 0;
    assert!(matches!(refused(&space, &config, &spoilt), StateError::Individual { .. }));
}
