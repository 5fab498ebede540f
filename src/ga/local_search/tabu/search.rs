//! One child's tabu search, and the list of forbidden values.
//!
//! # The tabu list
//!
//! A timing wheel says when forbidden values are free again.
//!
//! A prohibition that ends with step 260 is chained to slot 260 mod 256 = 4, which is looked
//! through after steps 4, 260, 516 and so on, and found there when it ends. So a step looks at few
//! others than those that end with it, however many are under way.
//!
//! Source: Varghese & Lauck, *Hashed and hierarchical timing wheels*, SOSP 1987 (scheme 6).

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x32, u8x64};

use super::super::candidate_graph::CandidateGraph;
use super::conflicts::ConflictTable;
use super::evaluate::{FORBIDDEN, Move, MoveEvaluator, Prices, TieBreak};

use crate::ga::local_search::Effort;
use crate::random::Draws;

/// Moves between two looks at whether the run was ended: some milliseconds.
const MOVES_A_LOOK: u64 = 1 << 20;
/// Words of a cache line: vectors that reach into two of them take twice as long to load.
const ALIGNED: usize = 16;

/// How long a value that a cell gave up is forbidden to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenure {
    /// Steps are drawn below this.
    pub random: u32,
    /// Added steps, in thousandths of the number of conflicting cells.
    pub share: u32,
}

impl Tenure {
    /// That of a cell given up in a step that drew `drawn`, with so many cells in conflict.
    #[inline]
    fn steps(self, drawn: u32, conflicting: usize) -> u32 {
        drawn + (self.share * conflicting as u32) / 1_000
    }
}

/// What a step draws, whether it needs it or not: so its draws have fixed places.
#[derive(Clone, Copy, Debug)]
pub struct StepDraws {
    pub ties: TieBreak,
    /// Steps of the tenure.
    pub tenure: u32,
}

/// A search that is under way.
#[derive(Debug)]
pub struct TabuSearchState<'a> {
    space: &'a CandidateGraph,
    tenure: Tenure,
    /// The board and its conflicts.
    pub tables: ConflictTable<'a>,
    evaluator: MoveEvaluator<'a>,
    expiry: TabuList<'a>,
    /// The fewest conflicting pairs so far.
    best: i32,
    /// Whether the board is the best so far and was not written yet.
    unwritten: bool,
    /// Of the step that is under way, from 1.
    pub step: u32,
    /// What it cost so far.
    pub effort: Effort,
}

impl<'a> TabuSearchState<'a> {
    /// Words of working memory.
    pub fn words(space: &CandidateGraph) -> usize {
        ALIGNED
            + ConflictTable::words(space).next_multiple_of(ALIGNED)
            + MoveEvaluator::words(space)
            + TabuList::words(space.foreign.len())
    }

    /// A search from `board`.
    pub fn new(
        space: &'a CandidateGraph,
        tenure: Tenure,
        board: &[u8],
        words: &'a mut [u32],
    ) -> Self {
        let unaligned = words.as_ptr().align_offset(ALIGNED * size_of::<u32>()).min(ALIGNED);
        let words = &mut words[unaligned..];
        let (tables, words) =
            words.split_at_mut(ConflictTable::words(space).next_multiple_of(ALIGNED));
        let (evaluator, words) = words.split_at_mut(MoveEvaluator::words(space));
        let tables = ConflictTable::new(space, board, tables);
        Self {
            space,
            tenure,
            best: tables.pairs,
            evaluator: MoveEvaluator::new(space, &tables, evaluator),
            tables,
            expiry: TabuList::new(&mut words[..TabuList::words(space.foreign.len())]),
            unwritten: false,
            step: 0,
            effort: Effort::default(),
        }
    }

    /// Searches for `steps` steps, and leaves the board with the fewest conflicting pairs in
    /// `board`, where the first of them stands already. Nothing when `stop` said so in between.
    pub fn run(
        self,
        level: Level,
        steps: u32,
        board: &mut [u8],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        dispatch!(level, simd => self.run_at(simd, steps, board, draws, stop))
    }

    #[inline(always)]
    fn run_at<S: Simd>(
        self,
        simd: S,
        steps: u32,
        board: &mut [u8],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        match self.space.lanes {
            16 => self.run_with::<S, u8x16<S>>(simd, steps, board, draws, stop),
            32 => self.run_with::<S, u8x32<S>>(simd, steps, board, draws, stop),
            _ => self.run_with::<S, u8x64<S>>(simd, steps, board, draws, stop),
        }
    }

    #[inline(always)]
    fn run_with<S: Simd, V: Prices<S>>(
        mut self,
        simd: S,
        steps: u32,
        board: &mut [u8],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let mut next_look = MOVES_A_LOOK;
        while self.tables.pairs > 0 && self.step < steps {
            if self.effort.moves >= next_look {
                if stop() {
                    return None;
                }
                next_look = self.effort.moves + MOVES_A_LOOK;
            }
            let drawn = self.begin_step(draws);
            let Some(chosen) = self.choose_with::<S, V>(simd, drawn.ties) else { continue };
            if self.unwritten && chosen.change >= 0 {
                self.write(board);
            }
            self.make(chosen, drawn.tenure);
        }
        if self.unwritten {
            self.write(board);
        }
        Some(self.effort)
    }

    /// Begins a step.
    #[inline(always)]
    pub fn begin_step(&mut self, draws: &mut Draws) -> StepDraws {
        self.expiry.end(self.step, |place| self.evaluator.closed[place as usize] = 0);
        self.step += 1;
        StepDraws { ties: TieBreak::new(draws.word()), tenure: draws.below(self.tenure.random) }
    }

    #[inline(never)]
    fn write(&mut self, board: &mut [u8]) {
        self.tables.write(board);
        self.unwritten = false;
    }

    /// The best move of a conflicting cell that is not forbidden or makes the best board so far,
    /// ties by rank; nothing if there is none.
    #[inline(always)]
    fn choose_with<S: Simd, V: Prices<S>>(&mut self, simd: S, ties: TieBreak) -> Option<Move> {
        self.effort.moves += self.tables.changes();
        // A change below this makes the best board so far.
        let new_best = self.best - self.tables.pairs;
        self.evaluator.choose::<S, V>(simd, &self.tables, new_best, ties)
    }

    /// The same candidate by candidate.
    #[cfg(test)]
    pub fn choose_plainly(&self, ties: TieBreak) -> Option<Move> {
        let new_best = self.best - self.tables.pairs;
        self.evaluator.choose_plainly(&self.tables, new_best, ties)
    }

    /// Makes a move, and forbids its cell the candidate that it had for the drawn tenure.
    #[inline]
    pub fn make(&mut self, chosen: Move, drawn: u32) {
        let Move { cell, candidate, change } = chosen;
        let left = self.tables.held[usize::from(cell)];
        self.tables.make(cell, candidate, change);
        let tenure = self.tenure.steps(drawn, self.tables.conflicting().len());
        let (left, taken) = (self.space.place(cell, left), self.space.place(cell, candidate));
        if self.evaluator.closed[taken] == FORBIDDEN {
            self.expiry.remove(taken as u32);
        }
        self.evaluator.closed[taken] = FORBIDDEN;
        if tenure > 0 {
            self.expiry.add(left as u32, self.step + tenure);
        } else {
            self.evaluator.closed[left] = 0;
        }
        self.effort.steps += 1;
        if self.tables.pairs < self.best {
            self.best = self.tables.pairs;
            self.unwritten = true;
        }
    }
}

#[cfg(test)]
impl TabuSearchState<'_> {
    /// The move of the next step.
    pub fn choose(&mut self, level: Level, ties: TieBreak) -> Option<Move> {
        dispatch!(level, simd => self.choose_at(simd, ties))
    }

    #[inline(always)]
    fn choose_at<S: Simd>(&mut self, simd: S, ties: TieBreak) -> Option<Move> {
        match self.space.lanes {
            16 => self.choose_with::<S, u8x16<S>>(simd, ties),
            32 => self.choose_with::<S, u8x32<S>>(simd, ties),
            _ => self.choose_with::<S, u8x64<S>>(simd, ties),
        }
    }
}

/// Slots of the wheel: more than most prohibitions last.
const SLOTS: usize = 256;
/// The end of a chain.
const END: u32 = u32::MAX;

/// Prohibitions by the step with which they end.
#[derive(Debug)]
pub struct TabuList<'a> {
    /// The first of the chain of each slot.
    first: &'a mut [u32],
    /// For each place, the next in its chain and the step with which its prohibition ends. Of no
    /// meaning where none is under way.
    places: &'a mut [[u32; 2]],
}

impl<'a> TabuList<'a> {
    /// Words of working memory for prohibitions of so many places.
    pub fn words(places: usize) -> usize {
        SLOTS + 2 * places
    }

    /// No prohibitions.
    pub fn new(words: &'a mut [u32]) -> Self {
        let (first, places) = words.split_at_mut(SLOTS);
        first.fill(END);
        Self { first, places: bytemuck::cast_slice_mut(places) }
    }

    /// Adds that `place`, of which none is under way, is forbidden until `step` has ended.
    #[inline]
    pub fn add(&mut self, place: u32, step: u32) {
        let first = &mut self.first[step as usize % SLOTS];
        self.places[place as usize] = [*first, step];
        *first = place;
    }

    /// Ends the prohibition of `place` early.
    pub fn remove(&mut self, place: u32) {
        let [next, step] = self.places[place as usize];
        let mut before = &mut self.first[step as usize % SLOTS];
        while *before != place {
            before = &mut self.places[*before as usize][0];
        }
        *before = next;
    }

    /// Ends the prohibitions that last until `step`, and tells their places.
    #[inline]
    pub fn end(&mut self, step: u32, mut ended: impl FnMut(u32)) {
        let mut at = self.first[step as usize % SLOTS];
        if at == END {
            return;
        }
        let mut kept = END;
        while at != END {
            let [next, until] = self.places[at as usize];
            if until == step {
                ended(at);
            } else {
                self.places[at as usize][0] = kept;
                kept = at;
            }
            at = next;
        }
        self.first[step as usize % SLOTS] = kept;
    }
}
