//! Exchange descent: a number of random exchanges, each kept if fitness does not rise.
//!
//! A try draws one pair from the list of all pairs of blanks that stand in the same unit and
//! share a candidate. It counts as a move whether or not the exchange is allowed; it is allowed
//! when each blank may hold the other's value, and made when fitness does not rise. The tries end
//! at fitness 0.
//!
//! The change is read from counts of each value in each line, which is a unit of a kind that the
//! encoding does not keep free of duplicates: rows and columns where boxes are permuted. Exchanging
//! a=2 and b=5 changes the rows only if a and b stand in different ones. Then a's row loses a 2,
//! which costs one if it was its only 2, and gains a 5, which wins one if it had none; b's row the
//! reverse. Columns alike.
//!
//! This is stochastic hill climbing with neutral moves (Hoos & Stützle, *Stochastic Local
//! Search*, 2004).

use super::super::ConfigError;
use super::super::encoding::Group;
use super::super::operator::{Build, Setting};
use super::{Effort, ImprovementOperator};
use crate::board::{Geometry, UnitKind};
use crate::random::{Draws, below};

/// Tries between two looks at whether the run was ended.
const TRIES_A_LOOK: u64 = 1 << 12;
/// Tries whose words are drawn at once.
const TRIES_A_FILL: usize = 64;

/// Random exchanges that do not make a board worse.
#[derive(Clone, Debug)]
pub struct ExchangeDescent {
    geometry: Geometry,
    tries: u32,
    pairs: Vec<BlankPair>,
    cells: Vec<CellLines>,
    /// Kinds of lines that are counted: two where units of the third are permuted, else three.
    kinds: usize,
}

/// Two blanks that are permuted together and share a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlankPair {
    a: u16,
    b: u16,
}

/// A cell: where its lines start in the table of counts, and what it may hold.
#[derive(Clone, Copy, Debug)]
struct CellLines {
    lines: [u16; 3],
    candidates: u64,
}

impl Build for ExchangeDescent {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        setting.require_permutation("improvement exchange-descent")?;
        let geometry = setting.space.geometry();
        let permuted = setting.config.encoding.unit_kind();
        let kinds: Vec<UnitKind> =
            UnitKind::ALL.into_iter().filter(|kind| Some(*kind) != permuted).collect();
        let mut cells =
            vec![CellLines { lines: [0; 3], candidates: geometry.all_values() }; geometry.cells()];
        let width = geometry.side() + 1;
        for (place, kind) in kinds.iter().enumerate() {
            for unit in geometry.units_of(*kind) {
                let line = (place * geometry.side() + unit.index) * width;
                geometry.unit_cells(unit).for_each(|cell| cells[cell].lines[place] = line as u16);
            }
        }
        for group in setting.groups {
            for (cell, candidates) in group.blanks.iter().zip(&group.candidates) {
                cells[*cell].candidates = *candidates;
            }
        }
        Ok(Self {
            geometry,
            tries: setting.config.tries,
            pairs: setting
                .groups
                .iter()
                .flat_map(sharing_pairs)
                .map(|(a, b)| BlankPair { a: a as u16, b: b as u16 })
                .collect(),
            cells,
            kinds: kinds.len(),
        })
    }
}

/// All pairs of blanks of a group that share a candidate, in order.
pub(crate) fn sharing_pairs(group: &Group) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (i, a) in group.blanks.iter().enumerate() {
        for (j, b) in group.blanks.iter().enumerate().skip(i + 1) {
            if group.candidates[i] & group.candidates[j] != 0 {
                pairs.push((*a, *b));
            }
        }
    }
    pairs
}

impl ExchangeDescent {
    /// Counts of each value in each line.
    fn counts_len(&self) -> usize {
        self.kinds * self.geometry.side() * (self.geometry.side() + 1)
    }
}

/// The search, compiled apart for two and for three kinds of lines.
impl ExchangeDescent {
    /// Counts each value in each line of `board`, and returns the duplicates there.
    fn count<const KINDS: usize>(&self, board: &[u8], counts: &mut [u8]) -> i32 {
        counts.fill(0);
        let mut duplicates = 0;
        for (cell, value) in self.cells.iter().zip(board) {
            for line in &cell.lines[..KINDS] {
                let count = &mut counts[usize::from(*line) + usize::from(*value)];
                duplicates += i32::from(*count > 0);
                *count += 1;
            }
        }
        duplicates
    }

    /// What exchanging the values of `pair` would add to fitness; nothing if it is not allowed.
    #[inline]
    fn change<const KINDS: usize>(
        &self,
        pair: BlankPair,
        board: &[u8],
        counts: &[u8],
    ) -> Option<i32> {
        let (a, b) = (&self.cells[usize::from(pair.a)], &self.cells[usize::from(pair.b)]);
        let (in_a, in_b) = (board[usize::from(pair.a)], board[usize::from(pair.b)]);
        let allowed = (a.candidates >> (in_b - 1)) & (b.candidates >> (in_a - 1)) & 1;
        if allowed == 0 {
            return None;
        }
        let count = |line: u16, value: u8| counts[usize::from(line) + usize::from(value)];
        let mut change = 0;
        for (a, b) in a.lines[..KINDS].iter().zip(&b.lines[..KINDS]) {
            let lost = i32::from(count(*a, in_a) == 1) + i32::from(count(*b, in_b) == 1);
            let won = i32::from(count(*a, in_b) == 0) + i32::from(count(*b, in_a) == 0);
            change += if a == b || in_a == in_b { 0 } else { lost - won };
        }
        Some(change)
    }

    #[inline]
    fn exchange<const KINDS: usize>(&self, pair: BlankPair, board: &mut [u8], counts: &mut [u8]) {
        let (a, b) = (&self.cells[usize::from(pair.a)], &self.cells[usize::from(pair.b)]);
        let (in_a, in_b) = (board[usize::from(pair.a)], board[usize::from(pair.b)]);
        for (a, b) in a.lines[..KINDS].iter().zip(&b.lines[..KINDS]) {
            let mut add = |line: u16, value: u8, count: u8| {
                let place = &mut counts[usize::from(line) + usize::from(value)];
                *place = place.wrapping_add(count);
            };
            add(*a, in_a, u8::MAX);
            add(*a, in_b, 1);
            add(*b, in_b, u8::MAX);
            add(*b, in_a, 1);
        }
        board.swap(usize::from(pair.a), usize::from(pair.b));
    }

    fn descend<const KINDS: usize>(
        &self,
        child: &mut [u8],
        counts: &mut [u8],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let mut effort = Effort::default();
        let mut duplicates = self.count::<KINDS>(child, counts);
        let mut words = [0; TRIES_A_FILL];
        while duplicates > 0 && effort.moves < u64::from(self.tries) {
            if effort.moves % TRIES_A_LOOK == TRIES_A_LOOK - TRIES_A_FILL as u64 && stop() {
                return None;
            }
            let left = (u64::from(self.tries) - effort.moves).min(TRIES_A_FILL as u64);
            let words = &mut words[..left as usize];
            draws.fill(words);
            for word in words {
                if duplicates == 0 {
                    break;
                }
                effort.moves += 1;
                let pair = self.pairs[below(*word, self.pairs.len() as u32) as usize];
                match self.change::<KINDS>(pair, child, counts) {
                    Some(change) if change <= 0 => {
                        self.exchange::<KINDS>(pair, child, counts);
                        duplicates += change;
                        effort.steps += 1;
                    }
                    _ => {}
                }
            }
        }
        Some(effort)
    }
}

impl ImprovementOperator for ExchangeDescent {
    fn scratch_len(&self) -> usize {
        self.counts_len().div_ceil(size_of::<u32>())
    }

    fn moves_a_child(&self) -> u64 {
        self.tries.into()
    }

    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let counts = &mut bytemuck::cast_slice_mut(scratch)[..self.counts_len()];
        match self.kinds {
            _ if self.pairs.is_empty() => Some(Effort::default()),
            2 => self.descend::<2>(child, counts, draws, stop),
            _ => self.descend::<3>(child, counts, draws, stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Presolve, Puzzle, presolve};
    use crate::evolve::encoding::Encoding;
    use crate::evolve::{Config, Preset};
    use crate::random::{Seed, Stage};
    use crate::score::fitness;

    proptest! {
        #[test]
        fn the_predicted_change_equals_a_recount(
            rows in 2usize..=6, cols in 2usize..=6, seed: u64,
            encoding in proptest::sample::select(vec![
                Encoding::Boxes, Encoding::Rows, Encoding::Columns, Encoding::Board,
            ]),
        ) {
            let puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
            let space = presolve(&puzzle, Presolve::None).unwrap();
            let config = Config { encoding, ..Config::of(Preset::Cellular, &space) };
            let groups = config.encoding.groups(&space);
            let setting = Setting::new(&space, &config, &groups);
            let descent = ExchangeDescent::build(&setting).unwrap();
            let mut board = space.fixed.clone();
            let seed = Seed::new(seed, 0);
            config.encoding.build(&setting).unwrap()
                .initialise(&mut board, &mut seed.draws(Stage::Initialise, 0));
            let mut counts = vec![7; descent.counts_len()];
            let mut draws = seed.draws(Stage::Improve, 0);
            if descent.kinds == 2 {
                check::<2>(&descent, &mut board, &mut counts, &mut draws)?;
            } else {
                check::<3>(&descent, &mut board, &mut counts, &mut draws)?;
            }
        }
    }

    fn check<const KINDS: usize>(
        descent: &ExchangeDescent,
        board: &mut [u8],
        counts: &mut [u8],
        draws: &mut Draws,
    ) -> Result<(), TestCaseError> {
        let mut duplicates = descent.count::<KINDS>(board, counts);
        for _ in 0..50 {
            prop_assert_eq!(duplicates, i32::from(fitness(descent.geometry, board)));
            let pair = descent.pairs[draws.below(descent.pairs.len() as u32) as usize];
            duplicates += descent.change::<KINDS>(pair, board, counts).unwrap();
            descent.exchange::<KINDS>(pair, board, counts);
        }
        Ok(())
    }

    #[test]
    fn exchanges_stay_within_the_candidates_and_never_raise_fitness() {
        let line =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
        let puzzle = Puzzle {
            givens: line.chars().map(|c| c.to_digit(10).unwrap_or(0) as u8).collect(),
            ..Puzzle::blank(Geometry::new(3, 3).unwrap())
        };
        let space = presolve(&puzzle, Presolve::Singles).unwrap();
        let config = Config::of(Preset::Cellular, &space);
        let groups = config.encoding.groups(&space);
        let setting = Setting::new(&space, &config, &groups);
        let descent = ExchangeDescent::build(&setting).unwrap();
        let boxes = config.encoding.build(&setting).unwrap();
        let mut board = space.fixed.clone();
        let mut scratch = vec![0; descent.scratch_len()];
        for slot in 0..200 {
            let seed = Seed::new(1, 0);
            boxes.initialise(&mut board, &mut seed.draws(Stage::Initialise, slot));
            let before = fitness(puzzle.geometry, &board);
            let mut draws = seed.draws(Stage::Improve, slot);
            let effort = descent.improve(&mut board, &mut scratch, &mut draws, &|| false).unwrap();
            assert!(fitness(puzzle.geometry, &board) <= before);
            assert!(effort.steps <= effort.moves && effort.moves <= u64::from(config.tries));
            assert!((0..81).all(|cell| space.allows(cell, board[cell])));
        }
    }
}
