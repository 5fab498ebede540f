//! Presolve against the exact search, and against itself on the same puzzle written otherwise.

use proptest::prelude::*;
use proptest::sample::select;

use evodoku::board::{BLANK, Geometry, Presolve, Puzzle, SearchSpace, presolve};
use evodoku::complete_board;
use evodoku::exact::{Backtracking, GuessBudget};
use evodoku::random::{GenerationRng, StreamStage};

/// Shapes, and out of 16 cells the fewest and the most that are given.
const SHAPES: [(usize, usize, u32, u32); 5] =
    [(2, 2, 0, 9), (2, 3, 3, 9), (3, 2, 3, 9), (3, 3, 4, 8), (2, 4, 4, 9)];

/// A complete board of which some cells are kept; in some of them one given is another's value.
fn puzzles() -> impl Strategy<Value = Puzzle> {
    let shape = select(SHAPES.to_vec());
    (shape, 0u32..100, any::<u64>(), prop::option::weighted(0.3, (0usize..81, 0usize..81)))
        .prop_map(|((rows, cols, fewest, most), share, seed, spoilt)| {
            let geometry = Geometry::new(rows, cols).unwrap();
            let mut puzzle = Puzzle::blank(geometry);
            let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Initialise, 0);
            complete_board(geometry, &mut puzzle.givens, &mut draws);
            let complete = puzzle.givens.clone();
            let kept = fewest + share % (most - fewest);
            for value in &mut puzzle.givens {
                if draws.below(16) >= kept {
                    *value = BLANK;
                }
            }
            if let Some((cell, other)) = spoilt {
                puzzle.givens[cell % geometry.cells()] = complete[other % geometry.cells()];
            }
            puzzle
        })
}

fn solvable(search: &mut Backtracking, givens: &[u8]) -> bool {
    search.search(givens, &GuessBudget { cap: 1, ..GuessBudget::default() }).count > 0
}

/// The puzzle with rows and columns exchanged and its values in another order.
fn rewritten(puzzle: &Puzzle) -> Puzzle {
    let from = puzzle.geometry;
    let mut other = Puzzle::blank(Geometry::new(from.box_cols(), from.box_rows()).unwrap());
    for (cell, value) in puzzle.givens.iter().enumerate().filter(|(_, value)| **value != BLANK) {
        other.givens[transposed(from, cell)] = from.side() as u8 + 1 - value;
    }
    other
}

fn transposed(geometry: Geometry, cell: usize) -> usize {
    geometry.col_of(cell) * geometry.side() + geometry.row_of(cell)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_level_removes_a_value_of_a_solution(puzzle in puzzles()) {
        let mut search = Backtracking::new(puzzle.geometry);
        let possible = solvable(&mut search, &puzzle.givens);
        let Ok(space) = presolve(&puzzle, Presolve::Probing) else {
            prop_assert!(!possible, "it has a solution");
            return Ok(());
        };
        let blanks = (0..puzzle.givens.len()).filter(|cell| puzzle.givens[*cell] == BLANK);
        for (cell, value) in blanks.flat_map(|cell| (1..=puzzle.geometry.side() as u8).map(move |v| (cell, v))) {
            if !space.allows(cell, value) {
                let mut givens = puzzle.givens.clone();
                givens[cell] = value;
                prop_assert!(!solvable(&mut search, &givens), "cell {cell} can hold {value}");
            }
        }
    }

    #[test]
    fn each_level_removes_what_lower_levels_remove(puzzle in puzzles()) {
        let spaces: Vec<Option<SearchSpace>> =
            Presolve::ALL.iter().map(|level| presolve(&puzzle, *level).ok()).collect();
        for pair in spaces.windows(2) {
            let [before, after] = [&pair[0], &pair[1]];
            let Some(after) = after else { continue };
            prop_assert!(before.is_some(), "a contradiction is lost");
            let before = &before.as_ref().unwrap().candidates;
            prop_assert!(after.candidates.iter().zip(before).all(|(after, before)| after & !before == 0));
        }
    }

    #[test]
    fn the_result_does_not_depend_on_the_order(puzzle in puzzles(), level in select(Presolve::ALL)) {
        let geometry = puzzle.geometry;
        let space = presolve(&puzzle, level).ok();
        let other = presolve(&rewritten(&puzzle), level).ok();
        prop_assert_eq!(space.is_some(), other.is_some());
        let (Some(space), Some(other)) = (space, other) else { return Ok(()) };
        for cell in 0..geometry.cells() {
            let mirrored = other.candidates[transposed(geometry, cell)];
            let expected = mirrored.reverse_bits() >> (64 - geometry.side());
            prop_assert_eq!(space.candidates[cell], expected);
        }
        let fixed = Puzzle { givens: space.fixed[..geometry.cells()].to_vec(), ..puzzle };
        if level != Presolve::None {
            prop_assert_eq!(presolve(&fixed, level).unwrap().candidates, space.candidates);
        }
    }
}

#[test]
fn blank_and_unsolvable_boards_of_any_shape_are_dealt_with() {
    for text in ["2x2", "2x3", "3x2", "2x32", "8x8"] {
        let geometry: Geometry = text.parse().unwrap();
        let blank = Puzzle::blank(geometry);
        for level in Presolve::ALL {
            let space = presolve(&blank, *level).unwrap();
            assert_eq!(space, presolve(&blank, Presolve::None).unwrap(), "{text} {level}");
            let refused = presolve(&Puzzle::unsolvable(geometry), *level);
            assert_eq!(refused.is_err(), *level != Presolve::None, "{text} {level}");
        }
    }
}

#[test]
fn levels_leave_less_and_less() {
    let left = |name: &str| {
        let puzzle = evodoku::format::load(name, None).unwrap().puzzle;
        let levels = Presolve::ALL.iter().map(|level| presolve(&puzzle, *level).unwrap());
        levels.map(|space| space.candidate_count()).collect::<Vec<_>>()
    };
    assert_eq!(left("001-hard-02"), [513, 221, 175, 0, 0, 0]);
    assert_eq!(left("large-16-40"), [2464, 734, 690, 690, 679, 679]);
    assert_eq!(left("large-36-55"), [20988, 3026, 2399, 2197, 1846, 68]);
}
