use fearless_simd::Level;
use proptest::prelude::*;

use super::*;
use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::ga::encoding::Encoding;
use crate::ga::{Config, Preset, presets};
use crate::generate::complete_board;
use crate::random::{GenerationRng, StreamStage};

/// A solvable puzzle of a shape, and a random board of it.
pub(super) fn start(
    rows: usize,
    cols: usize,
    level: Presolve,
    seed: u64,
) -> (SearchSpace, Vec<u8>) {
    let mut puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
    let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Initialise, 0);
    complete_board(puzzle.geometry, &mut puzzle.givens, &mut draws);
    puzzle.givens.iter_mut().filter(|_| draws.below(8) < 5).for_each(|value| *value = 0);
    let space = presolve(&puzzle, level).unwrap();
    let config = config();
    let context = BuildContext::new(&space, &config, &[]);
    let mut board = space.fixed.clone();
    Encoding::Candidates.build(&context).unwrap().initialise(&mut board, &mut draws);
    (space, board)
}

fn config() -> Config {
    presets::config(Preset::Tabu)
}

/// Pairs of peers that hold the same value, by definition, and the cells of such pairs.
fn recount(space: &SearchSpace, board: &[u8]) -> (i32, Vec<usize>) {
    let geometry = space.geometry();
    let share = |a, b| {
        let units = geometry.units_with(a);
        units.into_iter().any(|unit| geometry.unit_cells(unit).any(|cell| cell == b))
    };
    let mut pairs = 0;
    let mut conflicting = Vec::new();
    for a in 0..geometry.cells() {
        for b in (0..a).filter(|b| board[a] == board[*b] && share(a, *b)) {
            pairs += 1;
            conflicting.extend([a, b]);
        }
    }
    conflicting.retain(|cell| space.free.binary_search(cell).is_ok());
    conflicting.sort();
    conflicting.dedup();
    (pairs, conflicting)
}

proptest! {
    // Boards up to 36x36, recounted at each step.
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn predicted_changes_and_tables_equal_a_recount(
        rows in 2usize..=6, cols in 2usize..=6, seed: u64,
        level in proptest::sample::select(Presolve::ALL),
    ) {
        let (space, mut board) = start(rows, cols, level, seed);
        let cells = CandidateGraph::new(&space, &space.candidates);
        let mut words = vec![u32::MAX; TabuSearchState::words(&cells)];
        let tenure = Tenure { random: 10, share: 300 };
        let mut search = TabuSearchState::new(&cells, tenure, &board, &mut words);
        let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
        for _ in 0..40 {
            let (pairs, conflicting) = recount(&space, &board);
            prop_assert_eq!(search.tables.pairs, pairs);
            let listed = search.tables.conflicting().iter();
            let mut listed: Vec<usize> =
                listed.map(|cell| cells.cells[usize::from(*cell)].into()).collect();
            listed.sort();
            prop_assert_eq!(listed, conflicting);
            let drawn = search.begin_step(&mut draws);
            let Some(chosen) = search.choose(Level::new(), drawn.ties) else { continue };
            search.make(chosen, drawn.tenure);
            search.tables.write(&mut board);
            prop_assert_eq!(recount(&space, &board).0, pairs + chosen.change);
            prop_assert!((0..space.geometry().cells()).all(|cell| space.allows(cell, board[cell])));
        }
    }
}

proptest! {
    #[test]
    fn what_was_given_up_stays_forbidden_but_for_a_new_best(
        rows in 2usize..=5, cols in 2usize..=5, seed: u64, random in 1u32..50, share in 0u32..1_000,
    ) {
        let (space, board) = start(rows, cols, Presolve::Singles, seed);
        let cells = CandidateGraph::new(&space, &space.candidates);
        let mut words = vec![0; TabuSearchState::words(&cells)];
        let mut search = TabuSearchState::new(&cells, Tenure { random, share }, &board, &mut words);
        let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
        // For each place, the step in which it was given up and the cells in conflict then.
        let mut given_up = vec![None; cells.foreign.len()];
        let mut best = search.tables.pairs;
        for step in 1..=200u32 {
            let drawn = search.begin_step(&mut draws);
            let Some(chosen) = search.choose(Level::new(), drawn.ties) else { continue };
            let left = search.tables.held[usize::from(chosen.cell)];
            let place = |candidate| cells.place(chosen.cell, candidate);
            let after = search.tables.pairs + chosen.change;
            if let Some((given, conflicting)) = given_up[place(chosen.candidate)] {
                let shortest = share * conflicting / 1_000;
                prop_assert!(step - given > shortest || after < best, "{step} {given}");
            }
            prop_assert!(chosen.candidate != left);
            search.make(chosen, drawn.tenure);
            given_up[place(left)] = Some((step, search.tables.conflicting().len() as u32));
            best = best.min(after);
        }
    }

    #[test]
    fn a_child_becomes_the_board_with_the_fewest_conflicts(
        rows in 2usize..=5, cols in 2usize..=5, seed: u64, steps in 0u32..400,
        level in proptest::sample::select(Presolve::ALL),
    ) {
        let (space, board) = start(rows, cols, level, seed);
        let config = Config { tabu_steps: steps, ..config() };
        let context = BuildContext::new(&space, &config, &[]);
        let tabu = TabuSearch::build(&context).unwrap();
        let improve = |child: &mut [u8], fill: u32| {
            let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
            tabu.improve(child, &mut vec![fill; tabu.scratch_len()], &mut draws, &|| false).unwrap()
        };
        let mut child = board.clone();
        let effort = improve(&mut child, 0);
        let after = recount(&space, &child).0;
        prop_assert!(effort.steps <= u64::from(steps));
        prop_assert!(effort.moves >= effort.steps);
        // What the working memory holds from another child changes nothing.
        let mut again = board.clone();
        prop_assert_eq!(improve(&mut again, u32::MAX), effort);
        prop_assert_eq!(&again, &child);
        // A search that goes step by step sees no better board.
        let cells = CandidateGraph::new(&space, &space.candidates);
        let mut words = vec![0; TabuSearchState::words(&cells)];
        let mut search = TabuSearchState::new(&cells, tabu.tenure, &board, &mut words);
        let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
        let mut best = search.tables.pairs;
        while search.tables.pairs > 0 && search.step < steps {
            let drawn = search.begin_step(&mut draws);
            if let Some(chosen) = search.choose(Level::new(), drawn.ties) {
                search.make(chosen, drawn.tenure);
                best = best.min(search.tables.pairs);
            }
        }
        prop_assert_eq!(after, best);
    }
}

#[test]
fn a_search_ends_when_asked_to() {
    let (space, mut board) = start(5, 5, Presolve::None, 1);
    let config = Config { tabu_steps: 1_000_000_000, ..config() };
    let context = BuildContext::new(&space, &config, &[]);
    let tabu = TabuSearch::build(&context).unwrap();
    let mut draws = GenerationRng::new(1, 1).draws(StreamStage::Improve, 0);
    let mut scratch = vec![0; tabu.scratch_len()];
    assert_eq!(tabu.improve(&mut board, &mut scratch, &mut draws, &|| true), None);
}
