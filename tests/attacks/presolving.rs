//! Any givens on a small board: backtracking and presolve against a second exact method. Backtracking finds the
//! same solutions, presolve loses none of them, and what it calls contradictory has none.

use arbitrary::{Result, Unstructured};
use evodoku::board::{Geometry, Presolve, Puzzle, presolve, verify};
use evodoku::complete_board;
use evodoku::exact::{Backtracking, GuessBudget, SearchEnd};
use evodoku::random::{GenerationRng, StreamStage};

/// Solutions after which both methods stop.
const MOST_SOLUTIONS: usize = 20;
/// Options that exact cover takes at most.
const MOST_STEPS: u32 = 2_000;

pub fn attack(data: &[u8]) {
    let _ = compared(&mut Unstructured::new(data));
}

/// Whether exact cover came to an end, so that everything was compared.
pub fn compared(bytes: &mut Unstructured<'_>) -> Result<bool> {
    let shapes = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)];
    let (rows, cols) = *bytes.choose(&shapes)?;
    let geometry = Geometry::new(rows, cols).expect("it is a shape");
    let puzzle = Puzzle { givens: givens(geometry, bytes)?, ..Puzzle::blank(geometry) };
    let mut cover = ExactCover::new(geometry);
    let ended = cover.search(&puzzle.givens);
    let solutions = cover.found;

    let budget =
        GuessBudget { cap: MOST_SOLUTIONS as u64, guesses: 5_000, ..GuessBudget::default() };
    let mut boards = Vec::new();
    let mut exact = Backtracking::new(geometry);
    let found = exact.search_each(&puzzle.givens, &budget, |board| boards.push(board.to_vec()));
    for solution in boards.iter().chain(&solutions) {
        verify(&puzzle, solution).expect("both find solutions");
    }
    assert_eq!(found.count, boards.len() as u64);
    if ended && found.end != SearchEnd::Guesses {
        assert_eq!(boards.len(), solutions.len(), "{puzzle:?}");
        if found.complete() {
            let sorted = |mut boards: Vec<Vec<u8>>| {
                boards.sort();
                boards
            };
            assert_eq!(sorted(boards.clone()), sorted(solutions.clone()));
        }
    }

    let mut before = None;
    for level in Presolve::ALL {
        let space = match presolve(&puzzle, *level) {
            Ok(space) => space,
            Err(contradiction) => {
                let count = boards.len() + solutions.len();
                assert_eq!(count, 0, "{level}: {contradiction}, but there is a solution");
                continue;
            }
        };
        for solution in boards.iter().chain(&solutions) {
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
    Ok(ended && found.end != SearchEnd::Guesses)
}

/// A second exact method, which shares no code with the program: Sudoku as exact cover, by Knuth's algorithm X
/// without its links (*Dancing links*, 2000). An option is a value in a cell. It meets four constraints: a value
/// in this cell, and this value in the row, in the column and in the box. A solution meets each constraint once.
struct ExactCover {
    /// The four constraints of each option `cell * side + value - 1`.
    constraints: Vec<[usize; 4]>,
    /// The options that meet a constraint.
    options: Vec<Vec<usize>>,
    /// Whether a constraint is met.
    met: Vec<bool>,
    board: Vec<u8>,
    steps: u32,
    found: Vec<Vec<u8>>,
}

impl ExactCover {
    fn new(geometry: Geometry) -> Self {
        let (side, height, width) = (geometry.side(), geometry.box_rows(), geometry.box_cols());
        let cells = side * side;
        let of_option = |option: usize| {
            let (cell, value) = (option / side, option % side);
            let (row, col) = (cell / side, cell % side);
            let square = row / height * (side / width) + col / width;
            [
                cell,
                cells + row * side + value,
                2 * cells + col * side + value,
                3 * cells + square * side + value,
            ]
        };
        let constraints: Vec<_> = (0..cells * side).map(of_option).collect();
        let mut options = vec![Vec::new(); 4 * cells];
        for (option, four) in constraints.iter().enumerate() {
            four.iter().for_each(|constraint| options[*constraint].push(option));
        }
        let (met, board) = (vec![false; 4 * cells], vec![0; cells]);
        Self { constraints, options, met, board, steps: 0, found: Vec::new() }
    }

    fn is_open(&self, option: usize) -> bool {
        self.constraints[option].iter().all(|constraint| !self.met[*constraint])
    }

    fn set(&mut self, option: usize, taken: bool) {
        let side = self.board.len().isqrt();
        self.constraints[option].iter().for_each(|constraint| self.met[*constraint] = taken);
        self.board[option / side] = if taken { (option % side) as u8 + 1 } else { 0 };
    }

    /// Finds all solutions with these givens, or as many as are wanted. Returns whether it came to an end.
    fn search(&mut self, givens: &[u8]) -> bool {
        let side = self.board.len().isqrt();
        for (cell, value) in givens.iter().enumerate().filter(|(_, value)| **value > 0) {
            let option = cell * side + usize::from(*value) - 1;
            if !self.is_open(option) {
                return true;
            }
            self.set(option, true);
        }
        self.branch()
    }

    /// Takes each open option of the constraint that has the fewest.
    fn branch(&mut self) -> bool {
        let count = |constraint: &usize| {
            self.options[*constraint].iter().filter(|option| self.is_open(**option)).count()
        };
        let unmet = (0..self.met.len()).filter(|constraint| !self.met[*constraint]);
        let Some(constraint) = unmet.min_by_key(count) else {
            self.found.push(self.board.clone());
            return true;
        };
        for option in self.options[constraint].clone() {
            if self.is_open(option) && self.found.len() < MOST_SOLUTIONS {
                self.steps += 1;
                self.set(option, true);
                let ended = self.steps <= MOST_STEPS && self.branch();
                self.set(option, false);
                if !ended {
                    return false;
                }
            }
        }
        true
    }
}

/// Cells of a board that has a solution, and, now and then, a value that may spoil it.
fn givens(geometry: Geometry, bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut draws = GenerationRng::new(bytes.arbitrary()?, 0).draws(StreamStage::Initialise, 0);
    let mut board = vec![0; geometry.stride()];
    complete_board(geometry, &mut board, &mut draws);
    board.truncate(geometry.cells());
    // Of 64 cells, those that are blank: boards of one, some and many solutions.
    let blank = bytes.int_in_range(24..=48)?;
    for cell in &mut board {
        match bytes.int_in_range(0..=63)? {
            0 => *cell = bytes.int_in_range(0..=geometry.side() as u8)?,
            drawn if drawn <= blank => *cell = 0,
            _ => {}
        }
    }
    Ok(board)
}
