//! A crate that uses evodoku: a backend, a crossover of its own, a run ended by its observer.

use std::ops::ControlFlow;

use evodoku::ga::crossover::CrossoverOperator;
use evodoku::ga::{CustomOperators, GenerationReport};
use evodoku::random::Draws;
use evodoku::{Backend, Preset, Solver, format};

/// Each cell from either parent.
#[derive(Clone)]
struct EitherParent;

impl CrossoverOperator for EitherParent {
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        for (cell, value) in child.iter_mut().enumerate() {
            *value = if draws.coin() { first[cell] } else { second[cell] };
        }
    }
}

#[test]
fn an_own_crossover_solves_and_an_observer_ends_a_run() {
    main().unwrap();
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let puzzle = format::load("ai-escargot", None)?.puzzle;
    let solver = Solver::new(Preset::Memetic).on(Backend::auto()).seed(1);
    let crossover = Some(Box::new(EitherParent) as _);
    let solver = solver.operators(CustomOperators { crossover, ..CustomOperators::default() });
    let finished = solver.solve(&puzzle)?;
    assert!(finished.outcome.solved() && finished.operators[0].name == "EitherParent");

    let mut first_only = |_: &GenerationReport<'_>| ControlFlow::Break(());
    let ended = solver.solve_with(&puzzle, &mut first_only)?.outcome;
    println!("ended by {} at fitness {}", ended.stop_reason, ended.fitness);
    assert_eq!((ended.stop_reason.name(), ended.generations), ("observer", 0));
    Ok(())
}
