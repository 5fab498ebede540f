//! The tabu search of one child, and its tabu list.
//!
//! # The tabu list
//!
//! The tabu list is a timing wheel: it finds the prohibitions that end with a step without a scan of all others.
//!
//! A prohibition that ends with step 260 is in the chain of slot 260 mod 256 = 4. This chain is scanned after steps 4,
//! 260, 516 and so on. So a step scans few prohibitions that do not end with it, however many there are.
//!
//! Source: Varghese & Lauck, *Hashed and hierarchical timing wheels*, SOSP 1987 (scheme 6).

use fearless_simd::Simd;

use super::super::candidate_graph::CandidateGraph;
use super::conflicts::ConflictTable;
use super::evaluate::{FORBIDDEN, Move, MoveEvaluator, Prices};
use super::tie_break::TieBreak;

use crate::ga::local_search::{Effort, StopCheck};
use crate::random::Draws;

/// The number of moves after which a search checks whether the run was interrupted: some milliseconds.
const MOVES_A_LOOK: u64 = 1 << 20;
/// Words of a cache line. A vector that lies in two lines takes twice as long to load.
const ALIGNED: usize = 16;

/// The tabu tenure: the number of steps in which a cell may not take back a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenure {
    /// The random part is drawn below this number.
    pub random: u32,
    /// The other part, in thousandths of the number of conflicting cells.
    pub share: u32,
}

impl Tenure {
    /// The tenure with the random part `drawn` and this number of conflicting cells.
    #[inline]
    fn steps(self, drawn: u32, conflicting: usize) -> u32 {
        drawn + (self.share * conflicting as u32) / 1_000
    }
}

/// The draws of a step. Every step makes both, so that the draws of a step have fixed numbers.
#[derive(Clone, Copy, Debug)]
pub struct StepDraws {
    pub ties: TieBreak,
    /// The random part of the tenure.
    pub tenure: u32,
}

/// A search in progress.
#[derive(Debug)]
pub struct TabuSearchState<'a> {
    tenure: Tenure,
    /// The board and its conflicts.
    pub tables: ConflictTable<'a>,
    pub evaluator: MoveEvaluator<'a>,
    expiry: TabuList<'a>,
    /// The fewest conflicting pairs so far.
    pub best: i32,
    /// Whether the board is the best so far and is not written yet.
    unwritten: bool,
    /// The number of the current step, from 1.
    pub step: u32,
    /// The moves and steps so far.
    pub effort: Effort,
}

impl<'a> TabuSearchState<'a> {
    /// Words of working memory.
    pub fn words(graph: &CandidateGraph) -> usize {
        ALIGNED
            + ConflictTable::words(graph).next_multiple_of(ALIGNED)
            + MoveEvaluator::words(graph)
            + TabuList::words(graph.foreign.len())
    }

    /// A search from `board`.
    pub fn new(
        graph: &'a CandidateGraph,
        tenure: Tenure,
        board: &[u8],
        words: &'a mut [u32],
    ) -> Self {
        let unaligned = words.as_ptr().align_offset(ALIGNED * size_of::<u32>()).min(ALIGNED);
        let words = &mut words[unaligned..];
        let (tables, words) =
            words.split_at_mut(ConflictTable::words(graph).next_multiple_of(ALIGNED));
        let (evaluator, words) = words.split_at_mut(MoveEvaluator::words(graph));
        let tables = ConflictTable::new(graph, board, tables);
        Self {
            tenure,
            best: tables.pairs,
            evaluator: MoveEvaluator::new(graph, &tables, evaluator),
            tables,
            expiry: TabuList::new(&mut words[..TabuList::words(graph.foreign.len())]),
            unwritten: false,
            step: 0,
            effort: Effort::default(),
        }
    }

    /// Searches for `steps` steps, and writes the board with the fewest conflicting pairs to `board`, which holds the
    /// first board. Returns `None` if `stop` interrupted the search.
    #[inline(always)]
    pub fn run<S: Simd, V: Prices<S>, const KEPT: bool>(
        mut self,
        simd: S,
        steps: u32,
        board: &mut [u8],
        draws: &mut Draws,
        stop: StopCheck<'_>,
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
            let Some(chosen) = self.choose_with::<S, V, KEPT>(simd, drawn.ties) else { continue };
            if self.unwritten && chosen.change >= 0 {
                self.write(board);
            }
            self.make::<KEPT>(chosen, drawn.tenure);
        }
        if self.unwritten {
            self.write(board);
        }
        Some(self.effort)
    }

    /// Begins a step.
    #[inline(always)]
    pub fn begin_step(&mut self, draws: &mut Draws) -> StepDraws {
        self.expiry.end(self.step, |place| {
            self.evaluator.closed[place as usize] = 0;
            self.tables.mark(self.tables.graph.at(place).0);
        });
        self.step += 1;
        StepDraws { ties: TieBreak::new(draws.word()), tenure: draws.below(self.tenure.random) }
    }

    #[inline(never)]
    fn write(&mut self, board: &mut [u8]) {
        self.tables.write(board);
        self.unwritten = false;
    }

    /// The best move of a conflicting cell that is not tabu or leads to the best board so far; of equally good moves the
    /// first by follow-up and rank.
    /// `None` if there is no such move.
    #[inline(always)]
    pub fn choose_with<S: Simd, V: Prices<S>, const KEPT: bool>(
        &mut self,
        simd: S,
        ties: TieBreak,
    ) -> Option<Move> {
        self.effort.moves += self.tables.changes();
        // A change below this leads to the best board so far.
        let new_best = self.best - self.tables.pairs;
        let Self { evaluator, tables, effort, .. } = self;
        evaluator.choose::<S, V, KEPT>(simd, tables, new_best, ties, &mut effort.moves)
    }

    /// Makes a move. The old candidate of the cell is tabu for the drawn tenure.
    #[inline]
    pub fn make<const KEPT: bool>(&mut self, chosen: Move, drawn: u32) {
        let Move { cell, candidate, change } = chosen;
        let left = self.tables.held(cell);
        self.tables.make::<KEPT>(cell, candidate, change);
        let tenure = self.tenure.steps(drawn, self.tables.conflicting().len());
        let (left, taken) =
            (self.tables.graph.place(cell, left), self.tables.graph.place(cell, candidate));
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

/// Slots of the wheel: more than most prohibitions last.
const SLOTS: usize = 256;
/// The end of a chain.
const END: u32 = u32::MAX;

/// The prohibitions, in chains by the step with which they end.
#[derive(Debug)]
pub struct TabuList<'a> {
    /// The first of the chain of each slot.
    first: &'a mut [u32],
    /// For each place, the next place in its chain and the step with which its prohibition ends. The entry of a place that
    /// is not tabu has no meaning.
    places: &'a mut [[u32; 2]],
}

impl<'a> TabuList<'a> {
    /// Words of working memory for this number of places.
    pub fn words(places: usize) -> usize {
        SLOTS + 2 * places
    }

    /// An empty list.
    pub fn new(words: &'a mut [u32]) -> Self {
        let (first, places) = words.split_at_mut(SLOTS);
        first.fill(END);
        Self { first, places: bytemuck::cast_slice_mut(places) }
    }

    /// Makes `place`, which is not in the list, tabu until the end of `step`.
    #[inline]
    pub fn add(&mut self, place: u32, step: u32) {
        let first = &mut self.first[step as usize % SLOTS];
        self.places[place as usize] = [*first, step];
        *first = place;
    }

    /// Removes `place`, whose prohibition has not ended.
    pub fn remove(&mut self, place: u32) {
        let [next, step] = self.places[place as usize];
        let mut before = &mut self.first[step as usize % SLOTS];
        while *before != place {
            before = &mut self.places[*before as usize][0];
        }
        *before = next;
    }

    /// Removes the prohibitions that end with `step`, and passes their places to `ended`.
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
