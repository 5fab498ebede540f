//! Puzzles with one solution: cells are removed as long as one solution is left.
//!
//! The cells of a complete board are tried in a random order, each once: removing more
//! adds solutions and never loses any, so that a cell that had to stay once has to stay for good. The
//! puzzle after all were tried is irreducible. If more givens are requested, the removal ends
//! earlier; if fewer are, another board is tried.
//!
//! Each attempt terminates: a check makes at most [`GUESSES_PER_CHECK`] guesses, after which the cell stays, and
//! the checks and guesses of all attempts at a puzzle are bounded.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{GenerateError, Generator};
use crate::board::BLANK;
use crate::exact::{Backtracking, GuessBudget};

/// Checks and guesses that a puzzle may cost by default. A 9x9 board takes some hundreds.
pub const GUESSES: u64 = 500_000;
/// Guesses after which a check gives up and the cell stays.
const GUESSES_PER_CHECK: u64 = 2_000;

/// Givens with exactly one solution.
pub(super) fn dig(
    generator: &Generator,
    number: u32,
    wanted: Option<usize>,
    guesses: u64,
    interrupted: &AtomicBool,
) -> Result<Vec<u8>, GenerateError> {
    let geometry = generator.geometry;
    let mut search = Backtracking::new(geometry);
    let mut fewest = geometry.cells();
    let mut spent = 0;
    let mut attempt = 0u32;
    // Each attempt spends part of the budget.
    loop {
        let (mut givens, order) = generator.board(number, attempt);
        let mut left = givens.len();
        for cell in order {
            if wanted.is_some_and(|wanted| left <= wanted) {
                break;
            }
            if spent >= guesses {
                // The puzzle has one solution, and no smaller number of givens was requested.
                return wanted.map_or(Ok(givens), |wanted| {
                    let fewest = fewest.min(left);
                    Err(GenerateError::Spent {
                        number: number + 1,
                        givens: wanted,
                        fewest,
                        guesses,
                    })
                });
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(GenerateError::Interrupted);
            }
            let value = std::mem::replace(&mut givens[cell], BLANK);
            let budget =
                GuessBudget { cap: 2, guesses: GUESSES_PER_CHECK, ..GuessBudget::default() };
            let found = search.search(&givens, &budget);
            spent += 1 + found.guesses;
            if found.unique() == Some(true) {
                left -= 1;
            } else {
                givens[cell] = value;
            }
        }
        if wanted.is_none_or(|wanted| left == wanted) {
            return Ok(givens);
        }
        fewest = fewest.min(left);
        attempt = attempt.wrapping_add(1);
    }
}
