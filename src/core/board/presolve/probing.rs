//! Probing: a candidate is removed if propagating it by singles leads to a contradiction.
//!
//! Each candidate in turn is assigned to its cell, naked and hidden singles are
//! propagated, and everything is undone (*failed literals*; Freeman, *Improvements to propositional
//! satisfiability search algorithms*, 1995; *singleton consistency* of constraint solvers). This is
//! repeated cell by cell until a whole round changes nothing.
//!
//! If a candidate leads to no contradiction, neither do the candidates that follow from it, so that singles
//! found on the way need no probe of their own until something is removed.
//!
//! A board with few givens has more candidates than can be probed, and none that fails, so the work is
//! bounded: by the number of removals, not by time, so that it ends at the same point on every machine.

use crate::board::Contradiction;
use crate::board::candidate_grid::{CandidateGrid, CellValue};

/// The number of removals that all probes of a puzzle may make together.
pub const BUDGET: usize = 1_000_000;

/// Probes every candidate until none fails or `budget` is spent.
pub fn probing(grid: &mut CandidateGrid, budget: &mut usize) -> Result<(), Contradiction> {
    let cells = grid.geometry.cells();
    // Candidates known to lead to no contradiction, and the number of cells passed since the last one failed.
    let mut possible = vec![0u64; cells];
    let (mut cell, mut passed) = (0, 0);
    while passed < cells && *budget > 0 {
        let set = grid.candidates()[cell];
        let open = if set.is_power_of_two() { 0 } else { set & !possible[cell] };
        if open == 0 {
            cell = (cell + 1) % cells;
            passed += 1;
            continue;
        }
        let candidate = CellValue::new(cell, open.trailing_zeros() as usize);
        if !is_possible(grid, candidate, &mut possible, budget) {
            grid.remove_checked(candidate)?;
            grid.propagate_checked()?;
            possible.fill(0);
            passed = 0;
        }
    }
    Ok(())
}

/// Whether a candidate leads to no contradiction; if so, its consequences are added to `possible`.
fn is_possible(
    grid: &mut CandidateGrid,
    candidate: CellValue,
    possible: &mut [u64],
    budget: &mut usize,
) -> bool {
    let mark = grid.mark();
    grid.enqueue(candidate);
    let is_possible = grid.propagate();
    let removed = grid.removed_since(mark);
    *budget = budget.saturating_sub(removed.len());
    if is_possible {
        for cell in removed.iter().map(|gone| usize::from(gone.cell)) {
            let set = grid.candidates()[cell];
            possible[cell] |= if set.is_power_of_two() { set } else { 0 };
        }
    }
    grid.undo(mark);
    is_possible
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::candidate_grid::Singles;
    use crate::format::shipped;

    #[test]
    fn a_spent_budget_ends_it_without_a_trace() {
        let puzzle = shipped::puzzle("ai-escargot");
        let mut grid = CandidateGrid::new(puzzle.geometry, Singles::Hidden);
        grid.load_and_propagate(&puzzle.givens).unwrap();
        let before = grid.candidates().to_vec();
        let count = |sets: &[u64]| sets.iter().map(|set| set.count_ones()).sum::<u32>();
        probing(&mut grid, &mut 1).unwrap();
        assert_eq!(grid.candidates(), before);
        let mut budget = BUDGET;
        probing(&mut grid, &mut budget).unwrap();
        assert!((1..BUDGET).contains(&budget));
        assert_eq!(count(grid.candidates()), count(&before) - 4);
    }
}
