//! A run that is carried out step by step is the run that `solve` carries out.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use evodoku::board::{Presolve, Puzzle, presolve};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::ga::{
    ActiveRun, Config, CpuEngine, Engine, GenerationKind, GenerationReport, GenerationRequest,
    GenerationStats, IslandSink, Outcome, Overrides, PopulationSnapshot, Run, RunError,
    RunSettings, StopReason,
};
use evodoku::{Evolution, InjectError, Preset, Solver, format};

fn puzzle(name: &str) -> Puzzle {
    format::load(name, None).unwrap().puzzle
}

/// A run of a preset that restarts often.
fn solver(preset: Preset) -> Solver {
    let (restart_after, presolve) = (Some(5), Some(Presolve::None));
    let (max_generations, offspring) = (Some(40), (preset == Preset::Memetic).then_some(2));
    let (tabu_steps, proposals) = (Some(500), Some(2_000));
    let set = Overrides { max_generations, proposals, ..Overrides::default() };
    let set = Overrides { restart_after, presolve, offspring, tabu_steps, ..set };
    Solver::new(preset).population(200).set(set).seed(3).threads(2)
}

fn counted(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let Outcome { stop_reason, board, fitness, generations, restarts, evaluations, moves, .. } =
        outcome.clone();
    (stop_reason, board, fitness, generations, restarts, evaluations, moves)
}

fn population(evolution: &mut Evolution) -> Vec<(Vec<u8>, Vec<u16>)> {
    let mut islands = Vec::new();
    evolution
        .for_each_island(&mut |boards, fitness| islands.push((boards.to_vec(), fitness.to_vec())))
        .unwrap();
    islands
}

#[test]
fn steps_of_any_size_make_the_same_run() {
    let puzzle = puzzle("easter-monster");
    for preset in Preset::ALL.iter().copied() {
        let solver = solver(preset);
        let whole = solver.solve(&puzzle).unwrap();
        for size in [1, 7, 1_000] {
            let mut evolution = solver.evolve(&puzzle).unwrap();
            let mut reports = 0;
            let mut count = |_: &GenerationReport<'_>| {
                reports += 1;
                ControlFlow::Continue(())
            };
            while evolution.step(size, &mut count).unwrap().is_none() {}
            assert_eq!(reports, whole.outcome.generations + 1, "{preset}, {size} at a time");
            let stepped = evolution.result().unwrap();
            assert_eq!(counted(&stepped.outcome), counted(&whole.outcome), "{preset}, {size}");
            assert_eq!((stepped.seed, &stepped.config), (whole.seed, &whole.config));
            // Nothing follows the end.
            let ending = evolution.step(3, &mut ()).unwrap();
            assert_eq!(ending, Some(whole.outcome.stop_reason));
            assert_eq!(evolution.counters().generation, whole.outcome.generations);
        }
    }
}

#[test]
fn a_run_continues_from_a_checkpoint_of_any_generation() {
    let puzzle = puzzle("easter-monster");
    let solver = solver(Preset::Boxes);
    let whole = solver.solve(&puzzle).unwrap();
    let mut evolution = solver.evolve(&puzzle).unwrap();
    for steps in [0, 1, 6, 20] {
        evolution.step(steps, &mut ()).unwrap();
        let checkpoint = evolution.checkpoint().unwrap();
        assert_eq!(checkpoint.is_empty(), steps == 0);
        let mut resumed = solver.evolve_from(&puzzle, &checkpoint).unwrap();
        assert_eq!(population(&mut resumed), population(&mut evolution));
        let outcome = resumed.complete(&mut ()).unwrap().outcome;
        assert_eq!(counted(&outcome), counted(&whole.outcome), "after {steps} more");
    }
}

#[test]
fn an_interrupted_run_continues_with_its_last_complete_generation() {
    let puzzle = puzzle("easter-monster");
    let whole = solver(Preset::Cellular).solve(&puzzle).unwrap();
    let interrupted = Arc::new(AtomicBool::new(false));
    let solver = solver(Preset::Cellular).interrupted_by(Arc::clone(&interrupted));
    let mut evolution = solver.evolve(&puzzle).unwrap();
    let mut at_nine = |report: &GenerationReport<'_>| {
        interrupted.store(report.generation == 9, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let ending = evolution.step(1_000, &mut at_nine).unwrap();
    assert_eq!((ending, evolution.counters().generation), (Some(StopReason::Interrupted), 9));
    // As long as the flag is set, generations are abandoned.
    assert_eq!(evolution.step(3, &mut ()).unwrap(), ending);
    assert_eq!(evolution.counters().generation, 9);
    interrupted.store(false, Ordering::Relaxed);
    let outcome = evolution.complete(&mut ()).unwrap().outcome;
    assert_eq!(counted(&outcome), counted(&whole.outcome));
}

/// An engine that carries out more generations than the run is long.
struct Hasty<'a>(CpuEngine<'a>, Vec<GenerationStats>);

impl Engine for Hasty<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.1.clear();
        for more in 0..wanted.generations.min(8) {
            let source = if more == 0 { wanted.source } else { GenerationKind::Parents };
            let generation = wanted.generation + more;
            self.0.step(&GenerationRequest { generation, source, ..*wanted })?;
            self.1.extend_from_slice(self.0.summaries());
        }
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.1
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.0.for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.0.restore(state)
    }
}

#[test]
fn a_population_that_is_no_longer_there_is_not_made_up() {
    let puzzle = puzzle("easter-monster");
    let settings = RunSettings::of(Preset::Boxes);
    let space = presolve(&puzzle, Presolve::None).unwrap();
    let config = Config { population: 100, max_work: 500, ..settings.config(&space).unwrap() };
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    for (most, is_there) in [(1, true), (8, false)] {
        let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(puzzle.geometry, None)));
        let engine = Hasty(CpuEngine::new(&run, &mut pipeline).unwrap(), Vec::new());
        let mut active = ActiveRun::start(run, || Ok(engine), &mut ()).unwrap();
        while active.ending().is_none() {
            active.step(most, &mut ()).unwrap();
        }
        assert_eq!(active.counters().generation, 4, "500 boards");
        assert_eq!(active.checkpoint().is_ok(), is_there);
        assert_eq!(active.fitness().is_ok(), is_there);
        assert!(active.inject(&[1; 84]).is_err());
        if !is_there {
            let refused = active.checkpoint().unwrap_err().to_string();
            assert!(refused.ends_with("to keep it, run one at a time"), "{refused}");
        }
    }
}

#[test]
fn a_run_that_is_interrupted_while_its_engine_is_created_has_ended() {
    let puzzle = puzzle("easter-monster");
    let space = presolve(&puzzle, Presolve::None).unwrap();
    let config = RunSettings::of(Preset::Boxes).config(&space).unwrap();
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 1, &interrupted);
    let none = || Err::<Box<dyn Engine>, _>(RunError::Interrupted);
    let mut active = ActiveRun::start(run, none, &mut ()).unwrap();
    for _ in 0..2 {
        assert_eq!(active.ending(), Some(StopReason::Interrupted));
        active.continue_interrupted();
        active.step(3, &mut ()).unwrap();
    }
    assert_eq!(run.execute_on(none, &mut ()).unwrap().stop_reason, StopReason::Interrupted);
}

#[test]
fn boards_from_outside_replace_the_worst() {
    let name = "easter-monster";
    let puzzle = puzzle(name);
    let solution = Solver::new(Preset::Memetic).solve(&puzzle).unwrap().outcome.board;
    let mut evolution = solver(Preset::Boxes).evolve(&puzzle).unwrap();
    evolution.step(3, &mut ()).unwrap();
    let before = population(&mut evolution);
    let best = evolution.counters().best.clone();
    let evaluations = evolution.counters().evaluations;
    let mut fitness = before[0].1.clone();
    fitness.sort_unstable();
    evolution.inject([&best[..81], &best[..81]]).unwrap();
    let after = population(&mut evolution);
    let (mut found, best) = (after[0].1.clone(), evolution.counters().best_fitness);
    found.sort_unstable();
    fitness.truncate(198);
    fitness.extend([best; 2]);
    fitness.sort_unstable();
    assert_eq!(found, fitness);
    assert_eq!(evolution.counters().evaluations, evaluations + 2);

    let mut moved = solution.clone();
    let cell = puzzle.givens.iter().position(|given| *given > 0).unwrap();
    moved[cell] = moved[cell] % 9 + 1;
    let refused = evolution.inject([&solution[..], &moved]).unwrap_err();
    assert!(matches!(refused, InjectError::Board { number: 1, .. }), "{refused}");
    let refused = evolution.inject(vec![&solution[..]; 201]).unwrap_err();
    assert!(refused.to_string().contains("201 boards, but the population has only"), "{refused}");
    assert_eq!(evolution.counters().evaluations, evaluations + 2);

    assert_eq!(evolution.step(1, &mut ()).unwrap(), None);
    evolution.inject([&solution[..]]).unwrap();
    assert_eq!(evolution.ending(), Some(StopReason::Solved));
    assert!(evolution.result().unwrap().outcome.solved());
}

#[test]
fn a_puzzle_that_presolve_finishes_has_no_population() {
    let puzzle = puzzle("001-easy-03");
    let mut evolution = Solver::new(Preset::Memetic).evolve(&puzzle).unwrap();
    assert_eq!(evolution.ending(), Some(StopReason::Presolved));
    assert_eq!(evolution.step(5, &mut ()).unwrap(), Some(StopReason::Presolved));
    assert!(population(&mut evolution).is_empty());
    assert!(evolution.result().unwrap().outcome.solved());
}

#[test]
fn time_between_two_steps_does_not_count() {
    let puzzle = puzzle("easter-monster");
    let set = Overrides { time_limit: Some(0.5), ..Overrides::default() };
    let mut evolution = solver(Preset::Boxes).set(set).evolve(&puzzle).unwrap();
    evolution.step(1, &mut ()).unwrap();
    let spent = evolution.counters().elapsed;
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(evolution.counters().elapsed, spent);
    assert_eq!(evolution.step(1, &mut ()).unwrap(), None);
}
