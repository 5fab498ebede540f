//! The puzzles of a block: those it names, and, if it digs, the rungs of their ladders.

use crate::board::Puzzle;
use crate::exact::{Backtracking, GuessBudget, Solutions, dig};
use crate::experiment::SpecError;
use crate::experiment::spec::BlockSpec;
use crate::util::quantity::counted;

/// Solutions after which those of a rung are no longer counted.
const CAP: u64 = 1_000;
/// Guesses after which no more solutions of a rung are looked for. No time,
/// so that a plan is the same on every machine.
const GUESSES: u64 = 20_000;

/// The puzzles of a block and, if they are dug, their numbers of solutions.
pub(super) fn puzzles(block: &BlockSpec) -> Result<Vec<(Puzzle, String)>, SpecError> {
    let mut all = Vec::new();
    for puzzle in &block.puzzles {
        let Some(digging) = &block.dig else {
            all.push((puzzle.value.clone(), String::new()));
            continue;
        };
        let budget = GuessBudget { cap: CAP, guesses: GUESSES, ..GuessBudget::default() };
        let whole = search(&puzzle.value, &budget);
        all.push((puzzle.value.clone(), solutions(&whole)));
        let rungs = dig(&puzzle.value, digging, &budget).map_err(|error| puzzle.refused(error))?;
        all.extend(rungs.into_iter().map(|rung| (rung.puzzle, solutions(&rung.solutions))));
    }
    Ok(all)
}

fn search(puzzle: &Puzzle, budget: &GuessBudget<'_>) -> Solutions {
    Backtracking::new(puzzle.geometry).search(&puzzle.givens, budget)
}

/// `1 solution`, `17 solutions`, `at least 1,000 solutions`.
fn solutions(found: &Solutions) -> String {
    let least = if found.complete() { "" } else { "at least " };
    format!("{least}{}", counted(found.count, "solution"))
}
