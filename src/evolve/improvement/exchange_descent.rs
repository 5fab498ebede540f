//! Exchange descent: a number of random exchanges, each kept if fitness does not rise.
//!
//! A try draws one pair from the list of all pairs of blanks that stand in the same unit and
//! share a candidate. It counts as a move whether or not the exchange is allowed; it is allowed
//! when each blank may hold the other's value, and made when fitness does not rise. The tries end
//! at fitness 0.
//!
//! The change is read from counts of each value in each row and column. Exchanging a=2 and b=5
//! changes the rows only if a and b stand in different ones. Then a's row loses a 2, which costs
//! one if it was its only 2, and gains a 5, which wins one if it had none; b's row the reverse.
//! Columns alike. Boxes do not change where boxes are what is permuted.
//!
//! This is stochastic hill climbing with neutral moves (Hoos & Stützle, *Stochastic Local
//! Search*, 2004).

use super::super::ConfigError;
use super::super::encoding::{Encoding, UnitBlanks};
use super::super::operator::{Build, Setting};
use super::{Effort, ImprovementOperator};
use crate::board::Geometry;
use crate::random::Draws;

/// Random exchanges that do not make a board worse.
#[derive(Clone, Debug)]
pub struct ExchangeDescent {
    geometry: Geometry,
    tries: u32,
    pairs: Vec<Pair>,
    /// Row, column and candidates of every cell.
    cells: Vec<Cell>,
}

/// Two blanks of a unit that share a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    a: u16,
    b: u16,
}

/// A cell, and where its row and column start in the table of counts.
#[derive(Clone, Copy, Debug)]
struct Cell {
    row: u16,
    column: u16,
    candidates: u64,
}

impl Build for ExchangeDescent {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let Setting { space, config, units } = setting;
        let geometry = space.geometry();
        match config.encoding {
            Encoding::Boxes => {}
        }
        let width = geometry.side() + 1;
        let cell = |cell: usize| Cell {
            row: (geometry.row_of(cell) * width) as u16,
            column: ((geometry.side() + geometry.col_of(cell)) * width) as u16,
            candidates: space.candidates[cell],
        };
        Ok(Self {
            geometry,
            tries: config.tries,
            pairs: units.iter().flat_map(sharing_pairs).collect(),
            cells: (0..geometry.cells()).map(cell).collect(),
        })
    }
}

/// All pairs of blanks of a unit that share a candidate, in order.
fn sharing_pairs(unit: &UnitBlanks) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, a) in unit.blanks.iter().enumerate() {
        for (j, b) in unit.blanks.iter().enumerate().skip(i + 1) {
            if unit.candidates[i] & unit.candidates[j] != 0 {
                pairs.push(Pair { a: *a as u16, b: *b as u16 });
            }
        }
    }
    pairs
}

impl ExchangeDescent {
    /// Counts each value in each row and column of `board`, and returns the duplicates there.
    fn count(&self, board: &[u8], counts: &mut [u8]) -> i32 {
        counts.fill(0);
        let mut duplicates = 0;
        for (cell, value) in self.cells.iter().zip(board) {
            for line in [cell.row, cell.column] {
                let count = &mut counts[usize::from(line) + usize::from(*value)];
                duplicates += i32::from(*count > 0);
                *count += 1;
            }
        }
        duplicates
    }

    /// What exchanging the values of `pair` would add to fitness; nothing if it is not allowed.
    #[inline]
    fn change(&self, pair: Pair, board: &[u8], counts: &[u8]) -> Option<i32> {
        let (a, b) = (self.cells[usize::from(pair.a)], self.cells[usize::from(pair.b)]);
        let (in_a, in_b) = (board[usize::from(pair.a)], board[usize::from(pair.b)]);
        let allowed = (a.candidates >> (in_b - 1)) & (b.candidates >> (in_a - 1)) & 1;
        if allowed == 0 {
            return None;
        }
        let lines = |a: u16, b: u16| {
            let count = |line: u16, value: u8| counts[usize::from(line) + usize::from(value)];
            let lost = i32::from(count(a, in_a) == 1) + i32::from(count(b, in_b) == 1);
            let won = i32::from(count(a, in_b) == 0) + i32::from(count(b, in_a) == 0);
            if a == b { 0 } else { lost - won }
        };
        Some(lines(a.row, b.row) + lines(a.column, b.column))
    }

    #[inline]
    fn exchange(&self, pair: Pair, board: &mut [u8], counts: &mut [u8]) {
        let (a, b) = (self.cells[usize::from(pair.a)], self.cells[usize::from(pair.b)]);
        let (in_a, in_b) = (board[usize::from(pair.a)], board[usize::from(pair.b)]);
        for (from, to) in [(a.row, b.row), (a.column, b.column)] {
            let mut add = |line: u16, value: u8, count: u8| {
                let place = &mut counts[usize::from(line) + usize::from(value)];
                *place = place.wrapping_add(count);
            };
            add(from, in_a, u8::MAX);
            add(from, in_b, 1);
            add(to, in_b, u8::MAX);
            add(to, in_a, 1);
        }
        board.swap(usize::from(pair.a), usize::from(pair.b));
    }
}

impl ImprovementOperator for ExchangeDescent {
    fn scratch_len(&self) -> usize {
        2 * self.geometry.side() * (self.geometry.side() + 1)
    }

    fn improve(&self, child: &mut [u8], scratch: &mut [u8], draws: &mut Draws) -> Effort {
        let mut effort = Effort::default();
        if self.pairs.is_empty() {
            return effort;
        }
        let mut duplicates = self.count(child, scratch);
        while duplicates > 0 && effort.moves < u64::from(self.tries) {
            effort.moves += 1;
            let pair = self.pairs[draws.below(self.pairs.len() as u32) as usize];
            match self.change(pair, child, scratch) {
                Some(change) if change <= 0 => {
                    self.exchange(pair, child, scratch);
                    duplicates += change;
                    effort.steps += 1;
                }
                _ => {}
            }
        }
        effort
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Puzzle;
    use crate::evolve::{Config, Preset};
    use crate::propagate::{Presolve, presolve};
    use crate::random::{Seed, Stage};
    use crate::score::fitness;

    proptest! {
        #[test]
        fn the_predicted_change_equals_a_recount(
            rows in 2usize..=6, cols in 2usize..=6, seed: u64
        ) {
            let puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
            let space = presolve(&puzzle, Presolve::None).unwrap();
            let config = Config::of(Preset::Memetic);
            let units = config.encoding.units(&space);
            let setting = Setting { space: &space, config: &config, units: &units };
            let descent = ExchangeDescent::build(&setting).unwrap();
            let mut board = space.fixed.clone();
            let seed = Seed::new(seed, 0);
            config.encoding.build(&setting).unwrap()
                .initialise(&mut board, &mut seed.draws(Stage::Initialise, 0));
            let mut counts = vec![7; descent.scratch_len()];
            let mut duplicates = descent.count(&board, &mut counts);
            let mut draws = seed.draws(Stage::Improve, 0);
            for _ in 0..50 {
                prop_assert_eq!(duplicates, i32::from(fitness(puzzle.geometry, &board)));
                let pair = descent.pairs[draws.below(descent.pairs.len() as u32) as usize];
                duplicates += descent.change(pair, &board, &counts).unwrap();
                descent.exchange(pair, &mut board, &mut counts);
            }
        }
    }

    #[test]
    fn exchanges_stay_within_the_candidates_and_never_raise_fitness() {
        let line =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
        let puzzle = Puzzle {
            givens: line.chars().map(|c| c.to_digit(10).unwrap_or(0) as u8).collect(),
            ..Puzzle::blank(Geometry::new(3, 3).unwrap())
        };
        let space = presolve(&puzzle, Presolve::Full).unwrap();
        let config = Config::of(Preset::Memetic);
        let units = config.encoding.units(&space);
        let setting = Setting { space: &space, config: &config, units: &units };
        let descent = ExchangeDescent::build(&setting).unwrap();
        let boxes = config.encoding.build(&setting).unwrap();
        let mut board = space.fixed.clone();
        let mut scratch = vec![0; descent.scratch_len()];
        for slot in 0..200 {
            let seed = Seed::new(1, 0);
            boxes.initialise(&mut board, &mut seed.draws(Stage::Initialise, slot));
            let before = fitness(puzzle.geometry, &board);
            let effort =
                descent.improve(&mut board, &mut scratch, &mut seed.draws(Stage::Improve, slot));
            assert!(fitness(puzzle.geometry, &board) <= before);
            assert!(effort.steps <= effort.moves && effort.moves <= u64::from(config.tries));
            assert!((0..81).all(|cell| space.allows(cell, board[cell])));
        }
    }
}
