//! The tables against a recount, and the move of every step against the definition: each value of each conflicting cell
//! priced on the board, with a list of when each is forbidden.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::evaluate::{Move, ZERO};
use super::tie_break::{MASK, TieBreak};
use super::*;
use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::ga::encoding::Encoding;
use crate::ga::{Config, Preset, presets};
use crate::generate::complete_board;
use crate::random::{GenerationRng, StreamStage};

impl TabuSearchState<'_> {
    /// The move of the next step.
    fn choose(&mut self, level: Level, ties: TieBreak) -> Option<Move> {
        let computed = dispatch!(level, simd => match self.tables.graph.lanes {
            16 => self.choose_with::<_, u8x16<_>, false>(simd, ties),
            32 => self.choose_with::<_, u8x32<_>, false>(simd, ties),
            _ => self.choose_with::<_, u8x64<_>, false>(simd, ties),
        });
        let moves = self.effort.moves;
        let kept = dispatch!(level, simd => match self.tables.graph.lanes {
            16 => self.choose_with::<_, u8x16<_>, true>(simd, ties),
            32 => self.choose_with::<_, u8x32<_>, true>(simd, ties),
            _ => self.choose_with::<_, u8x64<_>, true>(simd, ties),
        });
        assert_eq!(computed, kept);
        self.effort.moves = moves;
        kept
    }

    /// The same candidate by candidate.
    fn choose_plainly(&self, ties: TieBreak) -> Option<Move> {
        let new_best = self.best - self.tables.pairs;
        self.evaluator.choose_plainly(&self.tables, new_best, ties)
    }
}

/// A solvable puzzle of a shape, and a random board of it.
fn start(rows: usize, cols: usize, level: Presolve, seed: u64) -> (SearchSpace, Vec<u8>) {
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
            search.make::<true>(chosen, drawn.tenure);
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
            let left = search.tables.held(chosen.cell);
            let place = |candidate| cells.place(chosen.cell, candidate);
            let after = search.tables.pairs + chosen.change;
            if let Some((given, conflicting)) = given_up[place(chosen.candidate)] {
                let shortest = share * conflicting / 1_000;
                prop_assert!(step - given > shortest || after < best, "{step} {given}");
            }
            prop_assert!(chosen.candidate != left);
            search.make::<true>(chosen, drawn.tenure);
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
                search.make::<true>(chosen, drawn.tenure);
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
#[derive(Clone)]
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
                    moves.push((found, cell, value, ties.rank(*listed, candidate)));
                }
            }
        }
        let least = moves.iter().map(|(found, ..)| found.change).min()?;
        let followed = match least {
            _ if self.pairs() >= MANY_PAIRS => 0,
            ..0 => 0,
            0 => 1 << RANK_BITS,
            _ => (1 << RANK_BITS) / 8,
        };
        let tied = moves.into_iter().filter(|(found, ..)| found.change == least);
        let levels = tied.map(|(found, cell, value, rank)| {
            let is_followed = rank < followed;
            let level = is_followed.then(|| self.level(cell, value, least, step));
            (level.unwrap_or(NOT_FOLLOWED), rank, found)
        });
        let first = levels.min_by_key(|(level, rank, _)| (*level, *rank));
        first.map(|(.., found)| found)
    }

    /// The level of a move that gives `cell` a value, by the best next move of a peer that holds this value.
    fn level(&mut self, cell: usize, value: u8, change: i32, step: u32) -> u32 {
        let holders = self.peers[cell].iter().filter(|peer| self.board[**peer] == value);
        let holders: Vec<usize> = holders.copied().collect();
        assert!(!holders.is_empty(), "a move that does not improve the board makes a conflict");
        if holders.len() > usize::from(MOST_HOLDERS) {
            return 2;
        }
        let mut after = self.board.clone();
        after[cell] = value;
        let after = Definition { board: after, ..self.clone() };
        let others = |holder: &usize| self.space.candidates[*holder].count_ones() - 1;
        let free = holders.into_iter().filter(|holder| self.space.free.contains(holder));
        let free: Vec<usize> = free.collect();
        self.moves += free.iter().map(|holder| u64::from(others(holder))).sum::<u64>();
        let changes = free.into_iter().flat_map(|holder| {
            let counts = after.counts(holder);
            let is_allowed = |next: &u8| {
                let until = self.until.get(&(holder, *next)).unwrap_or(&0);
                self.space.allows(holder, *next) && *next != value && *until < step
            };
            let next = (1..=self.space.geometry().side() as u8).filter(is_allowed);
            let next = next.map(|next| counts[usize::from(next)] - counts[usize::from(value)]);
            next.collect::<Vec<i32>>()
        });
        match changes.map(|next| change + next).min() {
            Some(..=-1) => 0,
            Some(0) => 1,
            _ => 2,
        }
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
        if search.tables.pairs >= MANY_PAIRS {
            assert_eq!(search.choose_plainly(drawn.ties), expected, "{step}");
        }
        assert_eq!(search.choose(Level::new(), drawn.ties), expected);
        assert_eq!(search.effort.moves, definition.moves);
        let Some(chosen) = expected else { continue };
        search.make::<true>(chosen, drawn.tenure);
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

#[test]
fn ranks_of_a_step_differ() {
    let mut seen = vec![false; 1 << RANK_BITS];
    for number in 0..=MASK {
        // What is no move's number is met as the word of move 0.
        let step = TieBreak::new(number << (u32::BITS - RANK_BITS));
        let rank = step.rank(0, 0);
        assert_eq!(step.move_of(rank, ZERO), Move { cell: 0, candidate: 0, change: 0 });
        assert!(!std::mem::replace(&mut seen[rank as usize], true));
    }
}

/// Ties of neighbouring and of scattered cells, as many as a step meets, at every size.
#[test]
fn every_tied_move_wins_alike() {
    let mut draws = GenerationRng::new(5, 0).draws(StreamStage::Improve, 0);
    for side in [4u32, 9, 36, 64] {
        for (ties, is_scattered) in [(2, true), (3, true), (3, false), (12, true), (14, false)] {
            let mut moves: Vec<(u16, u8)> = Vec::new();
            while moves.len() < ties {
                let range = if is_scattered { side * side } else { ties as u32 / 2 };
                let (cell, candidate) = (draws.below(range), draws.below(side.min(6)));
                let tied = (cell as u16, candidate as u8);
                if !moves.contains(&tied) {
                    moves.push(tied);
                }
            }
            let mut wins = vec![0u32; ties];
            let expected = 4_000;
            for _ in 0..expected * ties {
                let step = TieBreak::new(draws.word());
                let ranks = moves.iter().map(|(cell, candidate)| step.rank(*cell, *candidate));
                let least = ranks.enumerate().min_by_key(|(_, rank)| *rank);
                wins[least.map_or(0, |(tied, _)| tied)] += 1;
            }
            let squares = wins.iter().map(|wins| (f64::from(*wins) - expected as f64).powi(2));
            let chi_square = squares.sum::<f64>() / expected as f64;
            // Four standard deviations above what is expected.
            let freedom = (ties - 1) as f64;
            let most = freedom + 4.0 * (2.0 * freedom).sqrt();
            assert!(chi_square < most, "{side} {moves:?}: {wins:?}");
        }
    }
}
