//! Any givens on a small board: presolve loses no solution that backtracking finds, and what it calls
//! contradictory has none.

use arbitrary::{Result, Unstructured};
use evodoku::board::{Geometry, Presolve, Puzzle, presolve, verify};
use evodoku::complete_board;
use evodoku::exact::{Backtracking, GuessBudget};
use evodoku::random::{GenerationRng, StreamStage};

pub fn attack(data: &[u8]) {
    let _ = presolved(&mut Unstructured::new(data));
}

fn presolved(bytes: &mut Unstructured<'_>) -> Result<()> {
    let shapes = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)];
    let (rows, cols) = *bytes.choose(&shapes)?;
    let geometry = Geometry::new(rows, cols).expect("it is a shape");
    let puzzle = Puzzle { givens: givens(geometry, bytes)?, ..Puzzle::blank(geometry) };
    let budget = GuessBudget { cap: 1, guesses: 500, ..GuessBudget::default() };
    let mut exact = Backtracking::new(geometry);
    let found = exact.search(&puzzle.givens, &budget);
    let mut before = None;
    for level in Presolve::ALL {
        let space = match presolve(&puzzle, *level) {
            Ok(space) => space,
            Err(contradiction) => {
                assert_eq!(found.count, 0, "{level}: {contradiction}, but there is a solution");
                continue;
            }
        };
        if let Some(solution) = &found.first {
            verify(&puzzle, solution).expect("backtracking gives solutions");
            let kept = |(cell, value): (usize, &u8)| space.allows(cell, *value);
            assert!(solution.iter().enumerate().all(kept), "{level} loses a solution");
        }
        if space.free.is_empty() {
            assert_eq!(verify(&puzzle, &space.fixed[..geometry.cells()]), Ok(()), "{level}");
        }
        // Each level takes at least what the one before takes.
        let count = space.candidate_count();
        assert!(before.is_none_or(|before| count <= before), "{level} gives candidates back");
        before = Some(count);
    }
    Ok(())
}

/// Cells of a board that has a solution, and, now and then, a value that may spoil it.
fn givens(geometry: Geometry, bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut draws = GenerationRng::new(bytes.arbitrary()?, 0).draws(StreamStage::Initialise, 0);
    let mut board = vec![0; geometry.stride()];
    complete_board(geometry, &mut board, &mut draws);
    board.truncate(geometry.cells());
    for cell in &mut board {
        match bytes.int_in_range(0..=15)? {
            0 => *cell = bytes.int_in_range(0..=geometry.side() as u8)?,
            1..=9 => *cell = 0,
            _ => {}
        }
    }
    Ok(board)
}
