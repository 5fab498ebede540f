//! Probing: a candidate from which singles lead to a contradiction is removed.
//!
//! Each candidate in turn is taken for its cell's value, what follows by naked and hidden singles is
//! drawn, and all of it is taken back (*failed literals*; Freeman, *Improvements to propositional
//! satisfiability search algorithms*, 1995; *singleton consistency* of constraint solvers). It
//! goes on from cell to cell until a round changes nothing.
//!
//! A board with few givens has more candidates than can be probed and nothing that fails, so the work
//! is bounded: by candidates removed, not by time, so that it ends at the same point everywhere.

use crate::board::Contradiction;
use crate::board::marks::{Candidate, Marks};
use crate::board::matching::values_of;

/// Removals that all probes of a puzzle may make between them.
pub const BUDGET: usize = 1_000_000;

/// Probes every candidate until none fails or `budget` is spent.
pub fn probing(marks: &mut Marks, budget: &mut usize) -> Result<(), Contradiction> {
    // Cells probed since the last one that failed.
    let mut quiet = 0;
    let cells = marks.geometry().cells();
    for cell in (0..cells).cycle() {
        let before = marks.mark();
        let set = marks.candidates()[cell];
        if !set.is_power_of_two() {
            for value in values_of(set) {
                if *budget == 0 {
                    return Ok(());
                }
                // One that failed before it may have taken it along, or left it alone.
                let left = marks.candidates()[cell];
                if left >> (value - 1) & 1 == 1 && !left.is_power_of_two() {
                    probe(marks, Candidate::new(cell, usize::from(value) - 1), budget)?;
                }
            }
        }
        quiet = if marks.mark() == before { quiet + 1 } else { 0 };
        if quiet == cells {
            break;
        }
    }
    Ok(())
}

fn probe(marks: &mut Marks, candidate: Candidate, budget: &mut usize) -> Result<(), Contradiction> {
    let mark = marks.mark();
    marks.take(candidate);
    let possible = marks.propagate();
    *budget = budget.saturating_sub(marks.mark() - mark);
    marks.undo(mark);
    if possible {
        return Ok(());
    }
    marks.exclude(candidate)?;
    marks.settle()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::marks::Singles;
    use crate::format::load;

    #[test]
    fn a_spent_budget_ends_it_without_a_trace() {
        let puzzle = load("ai-escargot", None).unwrap().puzzle;
        let mut marks = Marks::new(puzzle.geometry, Singles::Hidden);
        marks.begin(&puzzle.givens).unwrap();
        let before = marks.candidates().to_vec();
        let count = |sets: &[u64]| sets.iter().map(|set| set.count_ones()).sum::<u32>();
        probing(&mut marks, &mut 1).unwrap();
        assert_eq!(marks.candidates(), before);
        let mut budget = BUDGET;
        probing(&mut marks, &mut budget).unwrap();
        assert!((1..BUDGET).contains(&budget));
        assert_eq!(count(marks.candidates()), count(&before) - 4);
    }
}
