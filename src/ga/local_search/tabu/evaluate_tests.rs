//! The move of every step against the definition: each value of each conflicting cell priced on
//! the board, with a list of when each is forbidden.

use std::collections::{HashMap, HashSet};

use fearless_simd::Level;
use proptest::prelude::*;

use super::super::candidate_graph::CandidateGraph;
use super::evaluate::Move;
use super::search::{TabuSearchState, Tenure};
use super::tests::start;
use super::tie_break::TieBreak;
use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::random::{GenerationRng, StreamStage};

/// The vector instructions of this machine.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(best.as_avx2().map(Level::Avx2));
    #[cfg(target_arch = "x86_64")]
    levels.extend(best.as_sse4_2().map(Level::Sse4_2));
    levels
}

/// A search as it is defined.
struct Definition<'a> {
    space: &'a SearchSpace,
    /// The cells that share units with each cell.
    peers: Vec<HashSet<usize>>,
    board: Vec<u8>,
    /// The step up to which a cell may not be given a value.
    until: HashMap<(usize, u8), u32>,
    best: i32,
    moves: u64,
}

impl<'a> Definition<'a> {
    fn new(space: &'a SearchSpace, board: Vec<u8>) -> Self {
        let geometry = space.geometry();
        let peers = (0..geometry.cells()).map(|cell| {
            let units = geometry.units_with(cell).into_iter();
            let cells = units.flat_map(|unit| geometry.unit_cells(unit));
            cells.filter(|peer| *peer != cell).collect()
        });
        let peers = peers.collect();
        let mut new = Self { space, peers, board, until: HashMap::new(), best: 0, moves: 0 };
        new.best = new.pairs();
        new
    }

    /// How many peers of a cell hold each value.
    fn counts(&self, cell: usize) -> Vec<i32> {
        let mut counts = vec![0; self.space.geometry().side() + 1];
        self.peers[cell].iter().for_each(|peer| counts[usize::from(self.board[*peer])] += 1);
        counts
    }

    fn pairs(&self) -> i32 {
        let cells = 0..self.space.geometry().cells();
        cells.map(|cell| self.counts(cell)[usize::from(self.board[cell])]).sum::<i32>() / 2
    }

    /// The move of `step`, where these cells are in conflict.
    fn choose(&mut self, step: u32, listed: &[u16], ties: TieBreak) -> Option<Move> {
        let geometry = self.space.geometry();
        let new_best = self.best - self.pairs();
        let mut moves = Vec::new();
        for listed in listed {
            let cell = self.space.free[usize::from(*listed)];
            let held = self.board[cell];
            let counts = self.counts(cell);
            let values =
                (1..=geometry.side() as u8).filter(|value| self.space.allows(cell, *value));
            for (candidate, value) in (0..).zip(values).filter(|(_, value)| *value != held) {
                self.moves += 1;
                let change = counts[usize::from(value)] - counts[usize::from(held)];
                let until = self.until.get(&(cell, value)).unwrap_or(&0);
                if *until < step || change < new_best {
                    let found = Move { cell: *listed, candidate, change };
                    moves.push((change, ties.rank(*listed, candidate), found));
                }
            }
        }
        moves.into_iter().min_by_key(|(change, rank, _)| (*change, *rank)).map(|(.., found)| found)
    }
}

/// Goes `steps` steps, and compares all of them.
fn compare(space: &SearchSpace, board: Vec<u8>, tenure: Tenure, seed: u64, steps: u32) {
    let cells = CandidateGraph::new(space, &space.candidates);
    let mut words = vec![u32::MAX; TabuSearchState::words(&cells)];
    let mut search = TabuSearchState::new(&cells, tenure, &board, &mut words);
    let mut draws = GenerationRng::new(seed, 1).draws(StreamStage::Improve, 0);
    let mut expected_draws = draws.clone();
    let mut definition = Definition::new(space, board);
    assert_eq!(search.tables.pairs, definition.best);
    for step in 1..=steps {
        // Two words a step, needed or not.
        let (ties, tenured) =
            (TieBreak::new(expected_draws.word()), expected_draws.below(tenure.random));
        let drawn = search.begin_step(&mut draws);
        assert_eq!(search.step, step);
        let listed = search.tables.conflicting().to_vec();
        let expected = definition.choose(step, &listed, ties);
        for level in levels() {
            let moves = search.effort.moves;
            assert_eq!(search.choose(level, drawn.ties), expected, "{step} {level:?}");
            search.effort.moves = moves;
        }
        assert_eq!(search.choose_plainly(drawn.ties), expected, "{step}");
        assert_eq!(search.choose(Level::new(), drawn.ties), expected);
        assert_eq!(search.effort.moves, definition.moves);
        let Some(chosen) = expected else { continue };
        search.make(chosen, drawn.tenure);
        let cell = space.free[usize::from(chosen.cell)];
        let taken = cells.values[cells.place(chosen.cell, chosen.candidate)];
        let left = std::mem::replace(&mut definition.board[cell], taken);
        let conflicting = search.tables.conflicting().len() as u32;
        let lasts = tenured + tenure.share * conflicting / 1_000;
        definition.until.insert((cell, left), step + lasts);
        definition.best = definition.best.min(definition.pairs());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_move_is_the_defined_one(
        rows in 2usize..=6, cols in 2usize..=6, seed: u64,
        level in proptest::sample::select(Presolve::ALL),
        random in prop_oneof![0u32..4, 4u32..20, 200u32..1_000], share in 0u32..1_000,
    ) {
        let (space, board) = start(rows, cols, level, seed);
        compare(&space, board, Tenure { random, share }, seed, 80);
    }
}

#[test]
fn prohibitions_end_after_more_than_a_turn_of_the_wheel() {
    for (seed, random) in [(1, 300), (2, 600), (3, 3)] {
        let (space, board) = start(2, 3, Presolve::None, seed);
        compare(&space, board, Tenure { random, share: 300 }, seed, 2_000);
    }
}

#[test]
fn boards_of_one_value_are_priced_exactly() {
    for (rows, cols) in [(4, 4), (5, 5), (5, 7), (7, 7), (8, 8)] {
        let puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
        let space = presolve(&puzzle, Presolve::None).unwrap();
        for mixed in [1, 2, 3] {
            let mut draws = GenerationRng::new(mixed, 0).draws(StreamStage::Initialise, 0);
            let mut board = space.fixed.clone();
            space.free.iter().for_each(|cell| board[*cell] = 1 + draws.below(mixed as u32) as u8);
            compare(&space, board, Tenure { random: 10, share: 0 }, mixed, 4);
        }
    }
}
