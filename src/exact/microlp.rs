//! The integer program in microlp: the model, and its solution in slices of time.
//!
//! microlp solves the relaxation by the simplex method and then branches and bounds (Land & Doig,
//! *An automatic method of solving discrete programming problems*, Econometrica 1960). It accepts a
//! time limit, but no flag: it is stopped ten times a second and resumed from where it was.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, Solution, SolveOptions,
    SolveOutcome, Variable,
};

use super::integer_program::{IntegerProgramError, Program};
use crate::board::{BLANK, Puzzle};

/// How long the solver runs between two checks of the flag and the clock.
const SLICE: Duration = Duration::from_millis(100);

/// Solves the integer program of a puzzle until `limit` or until `interrupted` is set.
///
/// # Errors
/// The error that the solver reported.
pub(super) fn solve(
    puzzle: &Puzzle,
    limit: Option<Duration>,
    interrupted: &AtomicBool,
) -> Result<Program, IntegerProgramError> {
    let start = Instant::now();
    // A given that repeats in a unit has no variable.
    if puzzle.givens.iter().any(|value| usize::from(*value) > puzzle.geometry.side()) {
        return Ok(Program::Infeasible);
    }
    // The relaxation may be solved before the solver checks the clock.
    if interrupted.load(Ordering::Relaxed) {
        return Ok(Program::Interrupted { nodes: 0 });
    }
    if limit.is_some_and(|limit| limit.is_zero()) {
        return Ok(Program::Time { nodes: 0 });
    }
    let (problem, variables) = model(puzzle);
    let slice = || limit.map_or(SLICE, |limit| limit.saturating_sub(start.elapsed()).min(SLICE));
    let mut options = SolveOptions::default();
    options.time_limit = Some(slice());
    let mut outcome = problem.solve_with(options);
    loop {
        let nodes = match outcome {
            Ok(SolveOutcome::Solution(solution)) => {
                let nodes = solution.stats().nodes_solved;
                return Ok(Program::Solved { board: board(puzzle, &solution, &variables), nodes });
            }
            Ok(SolveOutcome::Interrupted(ref stopped)) => stopped.stats().nodes_solved,
            Err(Error::Infeasible) => return Ok(Program::Infeasible),
            Err(error) => return Err(IntegerProgramError::Solver(error.to_string())),
        };
        if interrupted.load(Ordering::Relaxed) {
            return Ok(Program::Interrupted { nodes });
        }
        if limit.is_some_and(|limit| start.elapsed() >= limit) {
            return Ok(Program::Time { nodes });
        }
        let mut options = ResumeOptions::default();
        options.time_limit = Some(slice());
        outcome = outcome.and_then(|outcome| outcome.resume_with(options));
    }
}

/// The program, and its variables by cell and value.
fn model(puzzle: &Puzzle) -> (Problem, Vec<Variable>) {
    let geometry = puzzle.geometry;
    let side = geometry.side();
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let x: Vec<Variable> =
        (0..geometry.cells() * side).map(|_| problem.add_binary_var(0.0)).collect();
    let one = |problem: &mut Problem, terms: Vec<(Variable, f64)>| {
        problem.add_constraint(terms, ComparisonOp::Eq, 1.0);
    };
    for cell in 0..geometry.cells() {
        one(&mut problem, (0..side).map(|value| (x[cell * side + value], 1.0)).collect());
    }
    for unit in geometry.units() {
        for value in 0..side {
            let cells = geometry.unit_cells(unit);
            one(&mut problem, cells.map(|cell| (x[cell * side + value], 1.0)).collect());
        }
    }
    for (cell, value) in puzzle.givens.iter().enumerate().filter(|(_, v)| **v != BLANK) {
        one(&mut problem, vec![(x[cell * side + usize::from(value - 1)], 1.0)]);
    }
    (problem, x)
}

/// The value with the largest fraction in each cell.
fn board(puzzle: &Puzzle, solution: &Solution, x: &[Variable]) -> Vec<u8> {
    let side = puzzle.geometry.side();
    let largest = |shares: &[Variable]| {
        let share = |value: &usize| solution.var_value(shares[*value]);
        (0..side).max_by(|a, b| share(a).total_cmp(&share(b))).unwrap_or(0) as u8 + 1
    };
    x.chunks(side).map(largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::verify;
    use crate::format::{find, read};

    fn shipped(name: &str) -> Puzzle {
        read(find(name).unwrap().text, name, None).unwrap().puzzle
    }

    fn run(puzzle: &Puzzle, limit: Option<Duration>, stop: bool) -> Program {
        solve(puzzle, limit, &AtomicBool::new(stop)).unwrap()
    }

    #[test]
    fn easy_puzzles_are_solved() {
        for name in ["003-4x4", "003-6x6", "003-puzzle1", "004-easy-02"] {
            let puzzle = shipped(name);
            match run(&puzzle, None, false) {
                Program::Solved { board, .. } => assert_eq!(verify(&puzzle, &board), Ok(())),
                other => panic!("{name}: {other:?}"),
            }
        }
    }

    #[test]
    fn the_model_is_that_of_the_document() {
        let (problem, x) = model(&shipped("003-puzzle1"));
        assert_eq!(x.len(), 729);
        assert!(problem.has_integer_vars());
    }

    #[test]
    fn a_contradiction_is_infeasible() {
        let mut puzzle = shipped("003-4x4");
        puzzle.givens[..2].fill(1);
        assert_eq!(run(&puzzle, None, false), Program::Infeasible);
        puzzle.givens[0] = 5;
        assert_eq!(run(&puzzle, None, false), Program::Infeasible);
    }

    #[test]
    fn limits_end_it() {
        let blank = Puzzle::blank("4x4".parse().unwrap());
        let started = Instant::now();
        assert!(matches!(run(&blank, Some(Duration::ZERO), false), Program::Time { .. }));
        assert!(matches!(run(&blank, None, true), Program::Interrupted { .. }));
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
