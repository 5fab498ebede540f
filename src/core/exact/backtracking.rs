//! Exact backtracking: depth first, with naked and hidden singles propagated after every guess.
//!
//! The next guess is the lowest candidate of the cell with the fewest candidates, ties going to the
//! lowest cell (*minimum remaining values*; Golomb & Baumert, *Backtrack programming*, JACM 1965).
//! A guess that fails is removed from its cell, and the consequences are propagated before the
//! next guess is chosen, so that each branching is in two: the value, or any other. A stack of guesses
//! replaces recursion; it is never deeper than the number of cells.
//!
//! ```
//! use evodoku::board::{Geometry, Puzzle};
//! use evodoku::exact::{Backtracking, GuessBudget};
//!
//! let blank = Puzzle::blank(Geometry::new(2, 2)?);
//! let all = Backtracking::new(blank.geometry).search(&blank.givens, &GuessBudget::default());
//! assert_eq!((all.count, all.complete()), (288, true));
//!
//! let two = GuessBudget { cap: 2, ..GuessBudget::default() };
//! let some = Backtracking::new(blank.geometry).search(&blank.givens, &two);
//! assert_eq!((some.count, some.complete()), (2, false));
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::board::Geometry;
use crate::board::candidate_grid::{CandidateGrid, CellValue, Singles};
use crate::util::clock::Instant;
use crate::util::named_enum::named;

/// Guesses between two checks of the clock: some tens of microseconds on 9x9.
const GUESSES_PER_CLOCK_CHECK: u64 = 64;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct GuessBudget<'a> {
    /// Number of solutions after which to stop, at least 1. Default: no bound.
    pub cap: u64,
    /// Number of guesses after which to stop. Default: no bound.
    pub guesses: u64,
    /// Time after which to stop. Default: no bound.
    pub time: Option<Duration>,
    /// A flag that stops the search when it is set. Default: none.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for GuessBudget<'_> {
    fn default() -> Self {
        Self { cap: u64::MAX, guesses: u64::MAX, time: None, interrupted: None }
    }
}

impl GuessBudget<'_> {
    /// Why the search has to end after this many guesses, if it has to. The clock is read at every so many
    /// guesses.
    pub(super) fn end(&self, guesses: u64, start: Instant) -> Option<SearchEnd> {
        if guesses >= self.guesses {
            return Some(SearchEnd::Guesses);
        }
        if !guesses.is_multiple_of(GUESSES_PER_CLOCK_CHECK) {
            return None;
        }
        if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(SearchEnd::Interrupted);
        }
        self.time.is_some_and(|time| start.elapsed() >= time).then_some(SearchEnd::Time)
    }
}

named! {
    /// Why a search ended.
    pub enum SearchEnd {
        /// The whole search space was covered.
        Exhausted = "exhausted",
        /// The bound on solutions was reached.
        Cap = "cap",
        /// The bound on guesses was reached.
        Guesses = "guesses",
        /// The time limit was reached.
        Time = "time",
        /// The user interrupted it.
        Interrupted = "interrupted",
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// Number of solutions found: all that exist if the search was [complete](Self::complete).
    pub count: u64,
    /// The first solution, one value a cell.
    pub first: Option<Vec<u8>>,
    /// Guesses made; 0 when singles alone decided the puzzle.
    pub guesses: u64,
    /// Why the search ended.
    pub end: SearchEnd,
}

impl Solutions {
    /// Whether the whole search space was covered, so that `count` is exact.
    pub fn complete(&self) -> bool {
        self.end == SearchEnd::Exhausted
    }

    /// Whether the puzzle has exactly one solution; `None` if that is not known.
    pub fn unique(&self) -> Option<bool> {
        match self.count {
            2.. => Some(false),
            count => self.complete().then_some(count == 1),
        }
    }
}

/// A search for boards of one shape, whose tables serve any number of puzzles.
#[derive(Clone, Debug)]
pub struct Backtracking {
    grid: CandidateGrid,
    guesses: Vec<Guess>,
}

/// A guess on the stack.
#[derive(Clone, Copy, Debug)]
struct Guess {
    candidate: CellValue,
    /// The trail's length before the guess.
    mark: usize,
}

impl Backtracking {
    /// A search for boards of this shape.
    pub fn new(geometry: Geometry) -> Self {
        Self { grid: CandidateGrid::new(geometry, Singles::Hidden), guesses: Vec::new() }
    }

    /// Counts the solutions of a puzzle, whose `givens` are one value a cell, in ascending order of
    /// guesses, until all are found or the budget is spent. The same givens and the same budget without
    /// a time limit give the same answer.
    pub fn search(&mut self, givens: &[u8], budget: &GuessBudget<'_>) -> Solutions {
        self.search_each(givens, budget, |_| {})
    }

    /// The same, and calls `visit` with each solution, one value a cell.
    pub fn search_each(
        &mut self,
        givens: &[u8],
        budget: &GuessBudget<'_>,
        mut visit: impl FnMut(&[u8]),
    ) -> Solutions {
        let mut found = Solutions { count: 0, first: None, guesses: 0, end: SearchEnd::Exhausted };
        let start = Instant::now();
        self.guesses.clear();
        let mut consistent = self.grid.load(givens) && self.grid.propagate();
        loop {
            if consistent {
                if let Some(candidate) = self.grid.mrv() {
                    if let Some(end) = budget.end(found.guesses, start) {
                        found.end = end;
                        return found;
                    }
                    found.guesses += 1;
                    self.guesses.push(Guess { candidate, mark: self.grid.mark() });
                    self.grid.enqueue(candidate);
                    consistent = self.grid.propagate();
                    continue;
                }
                found.count += 1;
                let board = self.grid.board();
                visit(&board);
                found.first.get_or_insert(board);
                if found.count >= budget.cap {
                    found.end = SearchEnd::Cap;
                    return found;
                }
            }
            let Some(guess) = self.guesses.pop() else { return found };
            self.grid.undo(guess.mark);
            consistent = self.grid.remove(guess.candidate) && self.grid.propagate();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::board::{BLANK, Puzzle, verify};
    use crate::format::shipped;
    use crate::generate::complete_board;
    use crate::random::{GenerationRng, StreamStage};

    fn shape(text: &str) -> Geometry {
        text.parse().unwrap()
    }

    fn count(geometry: Geometry, givens: &[u8], cap: u64) -> Solutions {
        Backtracking::new(geometry).search(givens, &GuessBudget { cap, ..GuessBudget::default() })
    }

    /// Every complete 4x4 board: all boards that the checker finds nothing wrong with.
    static FOUR: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let blank = Puzzle::blank(shape("2x2"));
        let rows: Vec<[u8; 4]> = (0..256u32)
            .map(|code| std::array::from_fn(|k| (code >> (2 * k) & 3) as u8 + 1))
            .filter(|row| (1..=4).all(|value| row.contains(&value)))
            .collect();
        let mut boards = Vec::new();
        for (a, b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
            for (c, d) in rows.iter().flat_map(|c| rows.iter().map(move |d| (c, d))) {
                let board = [*a, *b, *c, *d].concat();
                if verify(&blank, &board).is_ok() {
                    boards.push(board);
                }
            }
        }
        boards
    });

    proptest! {
        #[test]
        fn it_agrees_with_brute_force(
            from in 0usize..288, kept in any::<u16>(), spoilt in prop::option::of((0usize..16, 1u8..=4))
        ) {
            let mut givens: Vec<u8> = FOUR[from].clone();
            for (cell, value) in givens.iter_mut().enumerate() {
                *value *= (kept >> cell & 1) as u8;
            }
            if let Some((cell, value)) = spoilt {
                givens[cell] = value;
            }
            let fits = |board: &&Vec<u8>| {
                board.iter().zip(&givens).all(|(value, given)| *given == BLANK || value == given)
            };
            let brute = FOUR.iter().filter(fits).count() as u64;
            let found = count(shape("2x2"), &givens, u64::MAX);
            prop_assert_eq!((found.count, found.complete()), (brute, true));
            prop_assert_eq!(found.unique(), Some(brute == 1));
            prop_assert_eq!(found.first.is_some(), brute > 0);
            prop_assert!(found.first.is_none_or(|first| FOUR.iter().filter(fits).any(|b| *b == first)));
        }

        #[test]
        fn its_results_are_solutions(
            side in prop::sample::select(vec!["2x3", "3x2", "2x5", "3x4", "4x4", "5x5"]),
            seed: u64, share in 50u32..90
        ) {
            let geometry = shape(side);
            let mut puzzle = Puzzle::blank(geometry);
            let mut board = vec![0; geometry.stride()];
            let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Initialise, 0);
            complete_board(geometry, &mut board, &mut draws);
            for (given, value) in puzzle.givens.iter_mut().zip(board) {
                *given = if draws.below(100) < share { value } else { BLANK };
            }
            let budget = GuessBudget { cap: 3, guesses: 2_000, ..GuessBudget::default() };
            let mut search = Backtracking::new(geometry);
            let found = search.search(&puzzle.givens, &budget);
            prop_assert!(found.count > 0 || found.end == SearchEnd::Guesses);
            if let Some(first) = &found.first {
                prop_assert_eq!(verify(&puzzle, first), Ok(()));
            }
            // No state of one search affects the next.
            prop_assert_eq!(search.search(&puzzle.givens, &budget), found);
        }
    }

    #[test]
    fn there_are_288_boards_of_4x4() {
        assert_eq!(FOUR.len(), 288);
        assert_eq!(count(shape("2x2"), &[0; 16], u64::MAX).count, 288);
    }

    #[test]
    fn every_shipped_puzzle_is_solved() {
        for puzzle in ["documents", "hard"].into_iter().flat_map(shipped::group) {
            let found = count(puzzle.geometry, &puzzle.givens, 2);
            if puzzle.name.ends_with("unsolvable") {
                assert_eq!((found.count, found.first), (0, None), "{}", puzzle.name);
                continue;
            }
            let first = found.first.as_deref().unwrap();
            assert_eq!(verify(&puzzle, first), Ok(()), "{}", puzzle.name);
        }
    }

    #[test]
    fn every_hard_puzzle_has_one_solution() {
        for puzzle in shipped::group("hard") {
            let found = count(puzzle.geometry, &puzzle.givens, 2);
            assert_eq!(found.unique(), Some(true), "{}", puzzle.name);
        }
    }

    #[test]
    fn no_large_puzzle_is_shown_to_have_none() {
        for puzzle in shipped::group("large") {
            let budget = GuessBudget { cap: 2, guesses: 5_000, ..GuessBudget::default() };
            let found = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
            match found.first.as_deref() {
                Some(first) => assert_eq!(verify(&puzzle, first), Ok(()), "{}", puzzle.name),
                None => assert_eq!(found.end, SearchEnd::Guesses, "{}", puzzle.name),
            }
            if puzzle.name.ends_with("unique") {
                assert_eq!(found.unique(), Some(true), "{}", puzzle.name);
            }
        }
    }

    #[test]
    fn givens_that_no_board_has_have_no_solution() {
        let classic = shape("3x3");
        let mut givens = vec![0; 81];
        for wrong in [10, 65, 255] {
            givens[40] = wrong;
            let found = count(classic, &givens, 2);
            assert_eq!((found.count, found.complete()), (0, true), "{wrong}");
        }
    }

    #[test]
    fn each_budget_ends_it() {
        let blank = [0; 81];
        let stop = AtomicBool::new(true);
        let budgets = [
            (GuessBudget { cap: 7, ..GuessBudget::default() }, SearchEnd::Cap),
            (GuessBudget { guesses: 10, ..GuessBudget::default() }, SearchEnd::Guesses),
            (
                GuessBudget { time: Some(Duration::from_millis(20)), ..GuessBudget::default() },
                SearchEnd::Time,
            ),
            (
                GuessBudget { interrupted: Some(&stop), ..GuessBudget::default() },
                SearchEnd::Interrupted,
            ),
        ];
        for (budget, end) in budgets {
            let found = Backtracking::new(shape("3x3")).search(&blank, &budget);
            assert_eq!(found.end, end);
            assert!(!found.complete());
        }
        assert_eq!(count(shape("3x3"), &blank, 7).count, 7);
    }

    #[test]
    fn the_largest_board_fits() {
        let largest = shape("8x8");
        let found = Backtracking::new(largest).search(
            &vec![0; largest.cells()],
            &GuessBudget { cap: 1, guesses: 200, ..GuessBudget::default() },
        );
        assert!(matches!(found.end, SearchEnd::Guesses | SearchEnd::Cap));
    }
}
