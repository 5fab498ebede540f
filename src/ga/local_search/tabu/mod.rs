//! Tabu search on candidates: the best allowed change of a conflicting cell, step by step.
//!
//! Every free cell holds one of its candidates. A *conflict* is a pair of cells that share a unit
//! and hold the same value. It counts once, also where the cells share two units: the search is
//! that of a graph to be coloured, whose edges are pairs of peers, and needs fewer than half the
//! moves of one that counts such a pair twice, on 9x9 as on 25x25 boards. It ends without any. In
//! each step every candidate of every conflicting cell is priced, and the change that leaves the
//! fewest conflicts is made, worse ones than the present included. The value that the cell gave
//! up is forbidden to it (*tabu*) for some steps, drawn at random and longer the more cells are in
//! conflict, so that the search does not return at once. A forbidden change is made all the same
//! where it leads to fewer conflicts than ever before (*aspiration*).
//!
//! Priced is by two counts: a cell that holds a 5 as two of its peers do has 2 conflicts; where
//! one peer holds a 7, taking 7 leaves 1, a change of -1.
//!
//! **State.** A child has the tables of its board, the step up to which each of its cells'
//! candidates is forbidden, and the fewest conflicts so far. All of it is made from the child when
//! its search starts, and forgotten when it ends: nothing passes from one generation to the next
//! but the board, which is the one with the fewest conflicts, the first of these. How moves are
//! priced, with vectors of any width or value by value, and how prohibitions are kept, as bits and
//! a wheel of steps, is no part of this: only which values are forbidden in which step is.
//!
//! **Draws**: two words in each step, needed or not, so that the words of a step have their place
//! whatever happened before. By the first one the equally good changes are ranked (`ties`), and the
//! second one is that of the tenure. A step in which every change is forbidden makes none.
//!
//! Sources: Hertz & de Werra, *Using tabu search techniques for graph coloring*, Computing 1987;
//! Galinier & Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of Combinatorial
//! Optimization 1999 (tenure); Glover, *Tabu search*, ORSA Journal on Computing 1989. A Sudoku is
//! a graph to be coloured from lists: Han et al., *Sudoku-LS*, Frontiers of Computer Science 2026.

mod conflicts;
mod evaluate;
mod search;

use fearless_simd::Level;

use super::super::encoding::Candidates;
use super::candidate_graph::CandidateGraph;
use super::{BuildContext, ConfigError, Effort, FromContext, LocalSearchOperator};
use crate::random::Draws;
#[cfg(feature = "gpu")]
pub(crate) use evaluate::{CELL_NUMBERS, RANK_BITS, RANK_MULTIPLIERS, RANK_SHIFT};
use search::{TabuSearchState, Tenure};

/// Moves that a step prices, roughly: what tells a long search from a short one.
const MOVES_A_STEP: u64 = 64;

/// The best allowed change of a conflicting cell, for a number of steps.
#[derive(Clone, Debug)]
pub struct TabuSearch {
    space: CandidateGraph,
    steps: u32,
    tenure: Tenure,
}

impl FromContext for TabuSearch {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("local_search tabu")?;
        let config = context.config;
        Ok(Self {
            space: CandidateGraph::new(context.space, Candidates::build(context)?.sets()),
            steps: config.tabu_steps,
            tenure: Tenure { random: config.tenure_random, share: config.tenure_share },
        })
    }
}

impl LocalSearchOperator for TabuSearch {
    fn scratch_len(&self) -> usize {
        TabuSearchState::words(&self.space)
    }

    fn moves_a_child(&self) -> u64 {
        u64::from(self.steps) * MOVES_A_STEP
    }

    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        TabuSearchState::new(&self.space, self.tenure, child, scratch).run(
            Level::new(),
            self.steps,
            child,
            draws,
            stop,
        )
    }
}

#[cfg(test)]
mod tests;
