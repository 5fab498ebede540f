use proptest::prelude::*;

use super::proposals::{Proposal, Proposals, ROW};
use super::schedule::{AcceptanceRate, LOOK};
use super::*;
use crate::board::{Geometry, Presolve, Puzzle, presolve};
use crate::fitness::fitness;
use crate::ga::encoding::Encoding;
use crate::ga::{Config, Preset, presets};
use crate::generate::complete_board;
use crate::random::{GenerationRng, StreamStage};

/// A solvable puzzle of a shape, and a random board of it.
fn start(rows: usize, cols: usize, level: Presolve, seed: u64) -> (SearchSpace, Vec<u8>) {
    let mut puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
    let mut draws = GenerationRng::new(seed, 0).draws(StreamStage::Initialise, 0);
    complete_board(puzzle.geometry, &mut puzzle.givens, &mut draws);
    puzzle.givens.iter_mut().filter(|_| draws.below(8) < 5).for_each(|value| *value = 0);
    let space = presolve(&puzzle, level).unwrap();
    let config = config(0);
    let context = BuildContext::new(&space, &config, &[]);
    let mut board = space.fixed.clone();
    Encoding::Candidates.build(&context).unwrap().initialise(&mut board, &mut draws);
    (space, board)
}

fn config(proposals: u64) -> Config {
    Config { proposals, eta_proposals: 20_000, ..presets::config(Preset::Eviction) }
}

fn share_a_unit(geometry: Geometry, a: usize, b: usize) -> bool {
    let units = geometry.units_with(a);
    units.into_iter().any(|unit| geometry.unit_cells(unit).any(|cell| cell == b))
}

/// The peers of `cell` that hold `value` in a board with blanks, by definition.
fn holders(space: &SearchSpace, board: &[u8], cell: usize, value: u8) -> Vec<usize> {
    let geometry = space.geometry();
    let peers = (0..geometry.cells()).filter(|peer| *peer != cell);
    peers.filter(|peer| board[*peer] == value && share_a_unit(geometry, cell, *peer)).collect()
}

proptest! {
    #[test]
    fn an_assignment_evicts_who_is_in_the_way_and_nobody_else(
        rows in 2usize..=5, cols in 2usize..=5, seed: u64,
        level in proptest::sample::select(Presolve::ALL),
    ) {
        let (space, child) = start(rows, cols, level, seed);
        let cells = FreeCells::new(&space, &exclude_givens(&space, &space.candidates));
        let mut words = vec![u32::MAX; PartialBoard::words(&cells)];
        let mut board = PartialBoard::new(&cells, &child, &mut words);
        let (mut before, mut after) = (child.clone(), child.clone());
        board.write(&mut before);
        for proposal in Proposals::new([1, 2]).row(0) {
            if board.unassigned == 0 {
                break;
            }
            let blanks = space.free.iter().filter(|cell| before[**cell] == BLANK).count();
            prop_assert_eq!(board.unassigned, blanks);
            let (at, rest) = proposal.cell(board.unassigned);
            let row = board.cell(at);
            let rows = &cells.graph;
            let candidates = rows.candidates[usize::from(row)];
            let value = rows.values[rows.place(row, Proposal::candidate(rest, candidates))];
            let cell = usize::from(rows.cells[usize::from(row)]);
            let evicted = holders(&space, &before, cell, value);
            let in_the_way = board.in_the_way(row, value);
            prop_assert_eq!(in_the_way.count(), evicted.len());
            board.assign(at, value, in_the_way);
            board.write(&mut after);
            prop_assert!(space.allows(cell, value) && before[cell] == BLANK);
            before[cell] = value;
            evicted.iter().for_each(|peer| before[*peer] = BLANK);
            prop_assert_eq!(&after, &before);
        }
    }

    #[test]
    fn a_child_becomes_the_completed_board_with_the_fewest_unassigned_cells(
        rows in 2usize..=5, cols in 2usize..=5, seed: u64, proposals in 0u64..4_000,
        level in proptest::sample::select(Presolve::ALL),
    ) {
        let (space, board) = start(rows, cols, level, seed);
        let config = config(proposals);
        let eviction = EvictionSearch::build(&BuildContext::new(&space, &config, &[])).unwrap();
        let improve = |child: &mut [u8], fill: u32| {
            let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
            let mut scratch = vec![fill; eviction.scratch_len()];
            eviction.improve(child, &mut scratch, &mut draws, &|| false).unwrap()
        };
        let mut child = board.clone();
        let effort = improve(&mut child, 0);
        prop_assert!(effort.steps <= effort.moves && effort.moves <= proposals);
        // What the working memory holds from another child changes nothing.
        let mut again = board.clone();
        prop_assert_eq!(improve(&mut again, u32::MAX), effort);
        prop_assert_eq!(&again, &child);

        // A search that goes proposal by proposal sees no better partial board.
        let mut words = vec![0; PartialBoard::words(&eviction.cells)];
        let mut partial = PartialBoard::new(&eviction.cells, &board, &mut words);
        let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
        let mut words = Proposals::new([draws.word(), draws.word()]);
        let mut eta = AcceptanceRate::new(eviction.schedule);
        let mut best = board.clone();
        partial.write(&mut best);
        let (mut fewest, mut number) = (partial.unassigned, 0);
        while number < proposals && partial.unassigned > 0 {
            let first = number - number % ROW;
            let proposal = words.row(first).nth((number - first) as usize).unwrap();
            step(&mut partial, proposal, eta.bounds());
            if partial.unassigned < fewest {
                fewest = partial.unassigned;
                partial.write(&mut best);
            }
            number += 1;
            if number % LOOK == 0 {
                eta.follow(partial.unassigned);
            }
        }
        prop_assert_eq!(effort.moves, number);
        for cell in &space.free {
            prop_assert!(space.allows(*cell, child[*cell]));
            if best[*cell] == BLANK {
                // The least of those candidates that the fewest peers hold.
                let count = |value| holders(&space, &best, *cell, value).len();
                let own = (1..=space.geometry().side() as u8)
                    .filter(|value| space.allows(*cell, *value))
                    .filter(|value| {
                        holders(&space, &space.fixed, *cell, *value).is_empty()
                    });
                prop_assert_eq!(Some(child[*cell]), own.min_by_key(|value| count(*value)));
                best[*cell] = child[*cell];
            }
            prop_assert_eq!(best[*cell], child[*cell]);
        }
        if fewest == 0 {
            prop_assert_eq!(fitness(space.geometry(), &child), 0);
        }
    }
}

#[test]
fn cells_without_candidates_are_left_as_they_are() {
    // The last cell of the first row may hold 4 alone, which its column holds.
    let mut puzzle = Puzzle::blank(Geometry::new(2, 2).unwrap());
    puzzle.givens[..3].copy_from_slice(&[1, 2, 3]);
    puzzle.givens[11] = 4;
    let space = presolve(&puzzle, Presolve::None).unwrap();
    let config = config(10_000);
    let eviction = EvictionSearch::build(&BuildContext::new(&space, &config, &[])).unwrap();
    let mut board = space.fixed.clone();
    space.free.iter().for_each(|cell| board[*cell] = 2);
    let mut scratch = vec![0; eviction.scratch_len()];
    let mut draws = GenerationRng::new(1, 1).draws(StreamStage::Improve, 0);
    eviction.improve(&mut board, &mut scratch, &mut draws, &|| false).unwrap();
    assert_eq!(board[..4], [1, 2, 3, 2]);
    assert!(board.iter().all(|value| (1..=4).contains(value)));
}

#[test]
fn a_search_ends_when_asked_to() {
    let (space, mut board) = start(5, 5, Presolve::None, 1);
    let config = config(1_000_000_000);
    let eviction = EvictionSearch::build(&BuildContext::new(&space, &config, &[])).unwrap();
    let mut draws = GenerationRng::new(1, 1).draws(StreamStage::Improve, 0);
    let mut scratch = vec![0; eviction.scratch_len()];
    assert_eq!(eviction.improve(&mut board, &mut scratch, &mut draws, &|| true), None);
}
