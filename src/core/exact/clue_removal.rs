//! Document 003's ladder of puzzles: givens are removed step by step, each puzzle containing the next.
//!
//! With `rows`, as in the document, one random given is removed from each row but the first: on 9x9
//! these are rows 2 to 9, eight givens a step, so that 70 givens become 62, 54, 46, 38 and 30.
//! A step of another size continues through the rows in turn. With `any`, each given of the board is equally
//! likely. Puzzles are not forced to keep a single solution; the solutions of each are counted.

use std::num::NonZeroUsize;

use super::{Backtracking, GuessBudget, Solutions};
use crate::board::{BLANK, Puzzle, PuzzleError};
use crate::random::{Draws, GenerationRng, StreamStage, WHOLE_POPULATION};
use crate::util::named_enum::named;

named! {
    /// Which given is removed next.
    #[doc(hidden)]
    pub enum RemovalOrder {
        /// A random given of each row but the first, in turn.
        Rows = "rows",
        /// A random given of the whole board.
        Any = "any",
    }
}

/// How givens are removed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderSpec {
    /// Which given is removed next.
    pub order: RemovalOrder,
    /// Givens removed in a step; default: one less than the side.
    pub step: Option<NonZeroUsize>,
    /// Givens left in the last puzzle, whose step may be smaller.
    pub until: usize,
    /// The seed; the same seed gives the same ladder.
    pub seed: u64,
}

/// A puzzle of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderPuzzle {
    /// The puzzle; its name ends in the number of givens, as in `003-puzzle4-62`.
    pub puzzle: Puzzle,
    /// Its solutions, counted within the budget.
    pub solutions: Solutions,
}

/// The puzzles obtained from `puzzle` (which is not among them) by removing givens step by step. The budget applies
/// to the count of each.
///
/// The ladder ends early where no given is left that may be removed.
///
/// # Errors
/// [`PuzzleError`] when `puzzle` is malformed.
#[doc(hidden)]
pub fn dig(
    puzzle: &Puzzle,
    spec: &LadderSpec,
    budget: &GuessBudget<'_>,
) -> Result<Vec<LadderPuzzle>, PuzzleError> {
    puzzle.check()?;
    let step = spec.step.map_or(puzzle.geometry.side() - 1, NonZeroUsize::get);
    let mut search = Backtracking::new(puzzle.geometry);
    let mut puzzles = Vec::new();
    let mut left = puzzle.clone();
    let mut turn = 0;
    while left.given_count() > spec.until {
        // The step takes the place of the generation, so that a longer ladder begins with the same puzzles.
        let seed = GenerationRng::new(spec.seed, puzzles.len() as u32);
        let mut draws = seed.draws(StreamStage::Plan, WHOLE_POPULATION);
        let most = step.min(left.given_count() - spec.until);
        let taken = (0..most).take_while(|_| take(&mut left, spec.order, &mut turn, &mut draws));
        if taken.count() == 0 {
            break;
        }
        left.name = format!("{}-{}", puzzle.name, left.given_count());
        let solutions = search.search(&left.givens, budget);
        puzzles.push(LadderPuzzle { puzzle: left.clone(), solutions });
    }
    Ok(puzzles)
}

/// Removes one given; false if none may be removed.
fn take(puzzle: &mut Puzzle, order: RemovalOrder, turn: &mut usize, draws: &mut Draws) -> bool {
    let geometry = puzzle.geometry;
    let rows = geometry.side() - 1;
    let givens = |row: Option<usize>| -> Vec<usize> {
        let givens = (0..geometry.cells()).filter(|cell| puzzle.givens[*cell] != BLANK);
        givens.filter(|cell| row.is_none_or(|row| geometry.row_of(*cell) == row)).collect()
    };
    let choices = match order {
        RemovalOrder::Any => givens(None),
        RemovalOrder::Rows => {
            let mut in_turn =
                (*turn..*turn + rows).map(|turn| (turn, givens(Some(1 + turn % rows))));
            // A row without givens is skipped.
            let (row, choices) =
                in_turn.find(|(_, choices)| !choices.is_empty()).unwrap_or_default();
            *turn = row + 1;
            choices
        }
    };
    if choices.is_empty() {
        return false;
    }
    puzzle.givens[choices[draws.below(choices.len() as u32) as usize]] = BLANK;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::shipped;

    fn ladder(
        dig_by: RemovalOrder,
        step: Option<usize>,
        until: usize,
        seed: u64,
    ) -> Vec<LadderPuzzle> {
        let puzzle = shipped::puzzle("003-puzzle4");
        let step = step.and_then(NonZeroUsize::new);
        let ladder = LadderSpec { order: dig_by, step, until, seed };
        dig(&puzzle, &ladder, &GuessBudget { cap: 50, ..GuessBudget::default() }).unwrap()
    }

    fn counts(puzzles: &[LadderPuzzle]) -> Vec<usize> {
        puzzles.iter().map(|step| step.puzzle.given_count()).collect()
    }

    #[test]
    fn rows_lose_one_given_a_step_except_the_first() {
        for seed in 0..20 {
            let puzzles = ladder(RemovalOrder::Rows, None, 30, seed);
            assert_eq!(counts(&puzzles), [62, 54, 46, 38, 30]);
            assert_eq!(puzzles[0].puzzle.name, "003-puzzle4-62");
            for pair in puzzles.windows(2) {
                let (above, below) = (&pair[0].puzzle, &pair[1].puzzle);
                for row in 0..9 {
                    let cells = 9 * row..9 * row + 9;
                    let lost: Vec<_> =
                        cells.filter(|c| above.givens[*c] != below.givens[*c]).collect();
                    assert_eq!(lost.len(), usize::from(row > 0));
                    assert!(lost.iter().all(|cell| below.givens[*cell] == BLANK));
                }
                assert!(pair[0].solutions.count <= pair[1].solutions.count);
            }
        }
    }

    #[test]
    fn any_removes_the_step_and_less_in_the_last() {
        assert_eq!(counts(&ladder(RemovalOrder::Any, Some(15), 30, 3)), [55, 40, 30]);
        assert_eq!(counts(&ladder(RemovalOrder::Any, None, 70, 3)), [0; 0]);
        assert_eq!(ladder(RemovalOrder::Any, None, 30, 4), ladder(RemovalOrder::Any, None, 30, 4));
        assert_ne!(ladder(RemovalOrder::Any, None, 30, 4), ladder(RemovalOrder::Any, None, 30, 5));
    }

    #[test]
    fn it_ends_where_no_given_may_be_removed() {
        // Row 1 keeps its 7 givens.
        assert_eq!(counts(&ladder(RemovalOrder::Rows, None, 0, 1)).last(), Some(&7));
        assert_eq!(counts(&ladder(RemovalOrder::Any, None, 0, 1)).last(), Some(&0));
    }
}
