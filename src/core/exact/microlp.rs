//! The integer program solved by microlp, which is built in with the cargo feature `ilp`.
//!
//! microlp solves the relaxation by the simplex method and then branches and bounds (Land & Doig,
//! *An automatic method of solving discrete programming problems*, Econometrica 1960). On easy puzzles the
//! relaxation is integral at the root; on hard ones branch and bound may take very long, as it did in document
//! 004. microlp accepts a time limit, but no flag: it is stopped ten times a second and resumed from where it
//! was.

use std::time::Duration;

use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, Solution, SolveOptions,
    SolveOutcome, Variable,
};

use super::backtracking::{GuessBudget, SearchEnd, Solutions};
use super::integer_program::equations;
use crate::board::Puzzle;
use crate::util::clock::Instant;

/// How long the solver runs between two checks of the flag and the clock.
const SLICE: Duration = Duration::from_millis(100);

/// Looks for one solution of a puzzle by its integer program, until the budget's time ends or its flag is set; its
/// other bounds do not count.
/// The result counts nodes of branch and bound as guesses, 0 when the relaxation was integral. Its board is not
/// checked yet, and "no solution" is up to floating-point accuracy.
///
/// # Errors
/// The sentence that the solver reported.
pub(super) fn solve(puzzle: &Puzzle, budget: &GuessBudget<'_>) -> Result<Solutions, String> {
    let start = Instant::now();
    let none = |end, guesses| Ok(Solutions { count: 0, first: None, guesses, end });
    // A surplus cell or a value above the side has no variable.
    if puzzle.check().is_err() {
        return none(SearchEnd::Exhausted, 0);
    }
    // The relaxation may be solved before the solver checks the clock.
    if let Some(end) = budget.end(0, start) {
        return none(end, 0);
    }
    let (problem, variables) = model(puzzle);
    let left = |time: Duration| time.saturating_sub(start.elapsed());
    let slice = || budget.time.map_or(SLICE, |time| left(time).min(SLICE));
    let mut options = SolveOptions::default();
    options.time_limit = Some(slice());
    let mut outcome = problem.solve_with(options);
    loop {
        let nodes = match outcome {
            Ok(SolveOutcome::Solution(solution)) => {
                let first = Some(board(puzzle, &solution, &variables));
                let guesses = solution.stats().nodes_solved;
                return Ok(Solutions { count: 1, first, guesses, end: SearchEnd::Cap });
            }
            Ok(SolveOutcome::Interrupted(ref stopped)) => stopped.stats().nodes_solved,
            Err(Error::Infeasible) => return none(SearchEnd::Exhausted, 0),
            Err(error) => return Err(format!("the integer program's solver failed: {error}")),
        };
        if let Some(end) = budget.end(0, start) {
            return none(end, nodes);
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
    for (_, variables) in equations(puzzle) {
        let term = |(cell, value): (usize, usize)| (x[cell * side + value - 1], 1.0);
        let terms: Vec<(Variable, f64)> = variables.into_iter().map(term).collect();
        problem.add_constraint(terms, ComparisonOp::Eq, 1.0);
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
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::verify;
    use crate::format::shipped;

    fn run(puzzle: &Puzzle, time: Option<Duration>, stop: bool) -> Solutions {
        let interrupted = Some(&AtomicBool::new(stop));
        let budget = GuessBudget { time, interrupted, ..GuessBudget::default() };
        solve(puzzle, &budget).unwrap()
    }

    #[test]
    fn easy_puzzles_are_solved() {
        for name in ["003-4x4", "003-6x6", "003-puzzle1", "004-easy-02"] {
            let puzzle = shipped::puzzle(name);
            let board = run(&puzzle, None, false).first.unwrap();
            assert_eq!(verify(&puzzle, &board), Ok(()), "{name}");
        }
    }

    #[test]
    fn the_model_is_that_of_the_document() {
        let (problem, x) = model(&shipped::puzzle("003-puzzle1"));
        assert_eq!(x.len(), 729);
        assert!(problem.has_integer_vars());
    }

    #[test]
    fn a_contradiction_is_infeasible() {
        let mut puzzle = shipped::puzzle("003-4x4");
        puzzle.givens[..2].fill(1);
        assert_eq!(run(&puzzle, None, false).unique(), Some(false));
        puzzle.givens[0] = 5;
        assert_eq!(run(&puzzle, None, false).unique(), Some(false));
    }

    #[test]
    fn limits_end_it() {
        let blank = Puzzle::blank("4x4".parse().unwrap());
        let started = Instant::now();
        assert_eq!(run(&blank, Some(Duration::ZERO), false).end, SearchEnd::Time);
        assert_eq!(run(&blank, None, true).end, SearchEnd::Interrupted);
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
