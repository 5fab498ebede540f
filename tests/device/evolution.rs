//! Runs step by step on an adapter, also where its work is asked for again in place of being waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use evodoku::board::Presolve;
use evodoku::ga::{Outcome, Overrides, StopReason};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::{Backend, Preset, Solver};
use libtest_mimic::Trial;

use crate::adapter::{Outcome as Tested, trial};
use crate::engines::puzzle;

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("work_that_is_not_waited_for_is_the_same_run", adapter, polled),
        trial("a_step_that_was_interrupted_is_taken_again", adapter, interrupted),
    ]
}

fn solver(preset: Preset) -> Solver {
    let (restart_after, presolve) = (Some(5), Some(Presolve::None));
    let (max_generations, islands, tabu_steps) = (Some(25), Some(2), Some(200));
    let set = Overrides { max_generations, islands, ..Overrides::default() };
    let set = Overrides { restart_after, presolve, tabu_steps, ..set };
    Solver::new(preset).population(300).set(set).seed(3)
}

fn counted(outcome: &Outcome) -> (StopReason, Vec<u8>, u16, u32, u32, u64, u64) {
    let Outcome { stop_reason, board, fitness, generations, restarts, evaluations, moves, .. } =
        outcome.clone();
    (stop_reason, board, fitness, generations, restarts, evaluations, moves)
}

fn polled(adapter: &Adapter) -> Tested {
    let puzzle = puzzle("easter-monster")?;
    for preset in [Preset::Boxes, Preset::Cellular, Preset::Memetic, Preset::RowsRank] {
        let set = |solver: Solver| match preset {
            // Its search does not go with so many islands of children.
            Preset::Memetic => solver.set(Overrides { offspring: Some(4), ..Overrides::default() }),
            _ => solver,
        };
        let expected = set(solver(preset)).solve(&puzzle)?;
        let device = pollster::block_on(Device::open_with(adapter, false))?;
        let solver = set(solver(preset)).on(Backend::gpu_on(&device)?);
        let mut evolution = solver.evolve(&puzzle)?;
        let (start, mut unready, mut seen) = (Instant::now(), 0, None);
        while evolution.step(3, &mut ())?.is_none() {
            assert!(start.elapsed() < Duration::from_secs(120), "{preset} does not get on");
            let generation = evolution.counters().generation;
            if seen != Some(generation) {
                while evolution.fitness()?.is_none_or(|fitness| {
                    assert_eq!(fitness.len(), 300);
                    let best = fitness.iter().copied().min();
                    assert!(best >= Some(evolution.counters().best_fitness), "{preset}");
                    false
                }) && generation > 0
                {
                    std::thread::sleep(Duration::from_micros(100));
                }
                seen = Some(generation);
            } else {
                unready += 1;
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        assert!(unready > 0, "{preset} was never found at work");
        assert_eq!(counted(&evolution.result()?.outcome), counted(&expected.outcome), "{preset}");
    }
    Ok(())
}

fn interrupted(adapter: &Adapter) -> Tested {
    let puzzle = puzzle("easter-monster")?;
    let device = Device::open(adapter)?;
    for preset in [Preset::Boxes, Preset::Cellular] {
        let expected = solver(preset).solve(&puzzle)?;
        let flag = Arc::new(AtomicBool::new(false));
        let solver = solver(preset).on(Backend::gpu_on(&device)?).interrupted_by(Arc::clone(&flag));
        let mut evolution = solver.evolve(&puzzle)?;
        for _ in 0..4 {
            evolution.step(3, &mut ())?;
            flag.store(true, Ordering::Relaxed);
            let generation = evolution.counters().generation;
            assert_eq!(evolution.step(3, &mut ())?, Some(StopReason::Interrupted));
            assert_eq!(evolution.counters().generation, generation);
            flag.store(false, Ordering::Relaxed);
        }
        let outcome = evolution.complete(&mut ())?.outcome;
        assert_eq!(counted(&outcome), counted(&expected.outcome), "{preset}");
    }
    Ok(())
}
