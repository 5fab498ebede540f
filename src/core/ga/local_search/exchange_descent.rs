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

use super::super::encoding::PermutationGroup;
use super::{BuildContext, ConfigError, Effort, FromContext, LocalSearchOperator, StopCheck};
use crate::board::{Geometry, UnitKind};
use crate::random::{Draws, below};

/// Tries between two looks at whether the run was ended.
const TRIES_A_LOOK: u64 = 1 << 12;
/// Tries whose words are drawn at once.
const TRIES_A_FILL: usize = 64;

/// Bytes of the table in which a search keeps its board and its counts. A place is a `u16` and a
/// value that is added to it a `u8`, so that no access needs a check.
const TABLE: usize = (1 << 16) + (1 << 8);

/// Random exchanges that do not make a board worse.
#[derive(Clone, Debug)]
pub struct ExchangeDescent {
    geometry: Geometry,
    tries: u32,
    pairs: Vec<BlankPair>,
    /// Where the counts of each cell's lines begin in the table.
    lines: Vec<[u16; 3]>,
    /// Kinds of lines that are counted: two where units of the third are permuted, else three.
    kinds: usize,
}

/// Two blanks that are permuted together and share a candidate, with all that a try asks of them.
#[derive(Clone, Copy, Debug)]
struct BlankPair {
    cells: [u16; 2],
    /// Of each kind, where the counts of the cells' lines begin in the table.
    lines: [[u16; 2]; 3],
    /// What the cells may hold: value `v` is bit `v % 64`.
    candidates: [u64; 2],
}

impl FromContext for ExchangeDescent {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_permutation("local_search exchange-descent")?;
        let geometry = context.space.geometry();
        let permuted = context.config.encoding.unit_kind();
        let kinds: Vec<UnitKind> =
            UnitKind::ALL.into_iter().filter(|kind| Some(*kind) != permuted).collect();
        // The table holds the board, then for each line a count of each value from 0 on.
        let mut lines = vec![[0; 3]; geometry.cells()];
        let width = geometry.side() + 1;
        for (place, kind) in kinds.iter().enumerate() {
            for unit in geometry.units_of(*kind) {
                let line = geometry.cells() + (place * geometry.side() + unit.index) * width;
                geometry.unit_cells(unit).for_each(|cell| lines[cell][place] = line as u16);
            }
        }
        let mut candidates = vec![0u64; geometry.cells()];
        for group in context.groups {
            for (cell, allowed) in group.blanks.iter().zip(&group.candidates) {
                candidates[*cell] = allowed.rotate_left(1);
            }
        }
        let pair = |(a, b): (usize, usize)| BlankPair {
            cells: [a as u16, b as u16],
            lines: std::array::from_fn(|kind| [lines[a][kind], lines[b][kind]]),
            candidates: [candidates[a], candidates[b]],
        };
        Ok(Self {
            geometry,
            tries: context.config.tries,
            pairs: context.groups.iter().flat_map(sharing_pairs).map(pair).collect(),
            lines,
            kinds: kinds.len(),
        })
    }
}

/// All pairs of blanks of a group that share a candidate, in order.
pub fn sharing_pairs(group: &PermutationGroup) -> Vec<(usize, usize)> {
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

/// The search, compiled apart for two and for three kinds of lines.
impl ExchangeDescent {
    /// Puts `board` into the table, counts each value in each line, and returns the duplicates there.
    #[inline(always)]
    fn enter<const KINDS: usize>(&self, board: &[u8], table: &mut [u8; TABLE]) -> i32 {
        let cells = self.geometry.cells();
        table[..cells].copy_from_slice(&board[..cells]);
        table[cells..][..KINDS * self.geometry.side() * (self.geometry.side() + 1)].fill(0);
        let mut duplicates = 0;
        for (lines, value) in self.lines.iter().zip(board) {
            for line in &lines[..KINDS] {
                let count = &mut table[usize::from(*line) + usize::from(*value)];
                duplicates += i32::from(*count > 0);
                *count += 1;
            }
        }
        duplicates
    }

    /// Exchanges the values of a pair if that is allowed and fitness does not rise. Returns whether
    /// it did, and what that added to fitness.
    ///
    /// There is no branch on either, nor on lines that the cells share: a processor foresees none
    /// of them, and a wrong guess costs as much as a try. Hence the products, where a compiler may
    /// turn a choice into a branch. What is not exchanged is written back, and nothing is added to
    /// the counts.
    #[inline(always)]
    fn attempt<const KINDS: usize>(pair: &BlankPair, table: &mut [u8; TABLE]) -> (bool, i32) {
        let [at_a, at_b] = pair.cells.map(usize::from);
        let (in_a, in_b) = (table[at_a], table[at_b]);
        let [a_may, b_may] = pair.candidates;
        let allowed = a_may.wrapping_shr(in_b.into()) & b_may.wrapping_shr(in_a.into()) & 1;
        let mut change = 0;
        let mut places = [[0; 4]; KINDS];
        for (places, lines) in places.iter_mut().zip(&pair.lines) {
            let [a, b] = lines.map(usize::from);
            let (value_a, value_b) = (usize::from(in_a), usize::from(in_b));
            *places = [a + value_a, b + value_b, a + value_b, b + value_a];
            let [a_loses, b_loses, a_wins, b_wins] = *places;
            let lost = i32::from(table[a_loses] == 1) + i32::from(table[b_loses] == 1);
            let won = i32::from(table[a_wins] == 0) + i32::from(table[b_wins] == 0);
            change += (lost - won) * i32::from(a != b);
        }
        change *= i32::from(in_a != in_b);
        let made = (allowed == 1) & (change <= 0);
        let one = u8::from(made);
        for [a_loses, b_loses, a_wins, b_wins] in places {
            table[a_loses] = table[a_loses].wrapping_sub(one);
            table[b_loses] = table[b_loses].wrapping_sub(one);
            table[a_wins] = table[a_wins].wrapping_add(one);
            table[b_wins] = table[b_wins].wrapping_add(one);
        }
        let exchanged = (in_a ^ in_b) & one.wrapping_neg();
        table[at_a] = in_a ^ exchanged;
        table[at_b] = in_b ^ exchanged;
        (made, change * i32::from(made))
    }

    #[inline(always)]
    fn descend<const KINDS: usize>(
        &self,
        child: &mut [u8],
        table: &mut [u8; TABLE],
        draws: &mut Draws,
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        let mut effort = Effort::default();
        let mut duplicates = self.enter::<KINDS>(child, table);
        let mut words = [0; TRIES_A_FILL];
        while duplicates > 0 && effort.moves < u64::from(self.tries) {
            if effort.moves % TRIES_A_LOOK == TRIES_A_LOOK - TRIES_A_FILL as u64 && stop() {
                return None;
            }
            let left = u64::from(self.tries) - effort.moves;
            let words = &mut words[..left.min(TRIES_A_FILL as u64) as usize];
            draws.fill(words);
            for word in words {
                let pair = &self.pairs[below(*word, self.pairs.len() as u32) as usize];
                let (made, change) = Self::attempt::<KINDS>(pair, table);
                duplicates += change;
                effort.moves += 1;
                effort.steps += u64::from(made);
                if duplicates == 0 {
                    break;
                }
            }
        }
        let cells = self.geometry.cells();
        child[..cells].copy_from_slice(&table[..cells]);
        Some(effort)
    }
}

impl LocalSearchOperator for ExchangeDescent {
    fn scratch_len(&self) -> usize {
        TABLE.div_ceil(size_of::<u32>())
    }

    fn moves_a_child(&self) -> u64 {
        self.tries.into()
    }

    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        if self.pairs.is_empty() {
            return Some(Effort::default());
        }
        let table = &mut bytemuck::cast_slice_mut(scratch).as_chunks_mut().0[0];
        match self.kinds {
            2 => self.descend::<2>(child, table, draws, stop),
            _ => self.descend::<3>(child, table, draws, stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Presolve, Puzzle, presolve};
    use crate::fitness::fitness;
    use crate::ga::encoding::Encoding;
    use crate::ga::{Config, Preset};
    use crate::random::{GenerationRng, StreamStage};

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
            let context = BuildContext::new(&space, &config, &groups);
            let descent = ExchangeDescent::build(&context).unwrap();
            let mut board = space.fixed.clone();
            let seed = GenerationRng::new(seed, 0);
            config.encoding.build(&context).unwrap()
                .initialise(&mut board, &mut seed.draws(StreamStage::Initialise, 0));
            let mut table = Box::new([7; TABLE]);
            let mut draws = seed.draws(StreamStage::Improve, 0);
            if descent.kinds == 2 {
                check::<2>(&descent, &mut board, &mut table, &mut draws)?;
            } else {
                check::<3>(&descent, &mut board, &mut table, &mut draws)?;
            }
        }
    }

    fn check<const KINDS: usize>(
        descent: &ExchangeDescent,
        board: &mut [u8],
        table: &mut [u8; TABLE],
        draws: &mut Draws,
    ) -> Result<(), TestCaseError> {
        let mut duplicates = descent.enter::<KINDS>(board, table);
        for _ in 0..50 {
            prop_assert_eq!(duplicates, i32::from(fitness(descent.geometry, board)));
            let pair = &descent.pairs[draws.below(descent.pairs.len() as u32) as usize];
            let [a, b] = pair.cells.map(usize::from);
            board.swap(a, b);
            let exchanged = i32::from(fitness(descent.geometry, board));
            let (made, change) = ExchangeDescent::attempt::<KINDS>(pair, table);
            prop_assert_eq!(made, exchanged <= duplicates);
            if !made {
                board.swap(a, b);
            }
            duplicates += change;
            prop_assert_eq!(&table[..descent.geometry.cells()], &board[..descent.geometry.cells()]);
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
        let context = BuildContext::new(&space, &config, &groups);
        let descent = ExchangeDescent::build(&context).unwrap();
        let boxes = config.encoding.build(&context).unwrap();
        let mut board = space.fixed.clone();
        let mut scratch = vec![0; descent.scratch_len()];
        for slot in 0..200 {
            let seed = GenerationRng::new(1, 0);
            boxes.initialise(&mut board, &mut seed.draws(StreamStage::Initialise, slot));
            let before = fitness(puzzle.geometry, &board);
            let mut draws = seed.draws(StreamStage::Improve, slot);
            let effort = descent.improve(&mut board, &mut scratch, &mut draws, &|| false).unwrap();
            assert!(fitness(puzzle.geometry, &board) <= before);
            assert!(effort.steps <= effort.moves && effort.moves <= u64::from(config.tries));
            // What is better was exchanged.
            assert!(effort.steps > 0 || fitness(puzzle.geometry, &board) == before);
            assert!((0..81).all(|cell| space.allows(cell, board[cell])));
        }
    }
}
