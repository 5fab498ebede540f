//! Tabu search on candidates: each step makes the best allowed move of a conflicting cell.
//!
//! Every free cell holds one of its candidates. A *conflict* is a pair of cells that share a unit and hold the same value.
//! It counts once, even if the cells share two units: this is graph colouring, where each pair of peers is an edge. It
//! needs fewer than half of the moves of a search that counts such a pair twice, on 9x9 and on 25x25 boards. The search
//! ends when there is no conflict. Each step evaluates every candidate of every conflicting cell and makes the move
//! that leaves the fewest conflicts, even if there are more than before. The cell may not take back its old value (the
//! value is *tabu*) for a number of steps, the tenure, so that the search does not return at once. The tenure is random and
//! grows with the number of conflicting cells. A tabu move is allowed if it leads to fewer conflicts than ever before
//! (*aspiration*).
//!
//! A move is evaluated by two counts. A cell holds 5, and so do two of its peers: it has 2 conflicts. One peer holds 7. If
//! the cell takes 7 it has 1 conflict, a change of -1.
//!
//! **State.** The search of a child has the tables of its board, the step until which each candidate is tabu, and the
//! fewest conflicts so far. All of this is derived from the child when its search starts, and dropped when it ends: only
//! the board passes to the next generation. It is the first of the boards with the fewest conflicts.
//!
//! **Draws.** Each step draws two words, needed or not, so that the words of a step have fixed numbers. The first word ranks
//! the equally good moves (`tie_break.rs`), the second is the random part of the tenure. A step in which every move is tabu
//! makes none.
//!
//! Sources: Hertz & de Werra, *Using tabu search techniques for graph coloring*, Computing 1987;
//! Galinier & Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of Combinatorial
//! Optimization 1999 (tenure); Glover, *Tabu search*, ORSA Journal on Computing 1989. A Sudoku is
//! a graph to be coloured from lists: Han et al., *Sudoku-LS*, Frontiers of Computer Science 2026.

mod conflicts;
mod evaluate;
mod search;
mod tie_break;

use fearless_simd::{Level, dispatch, u8x16, u8x32, u8x64};

use super::super::encoding::Candidates;
use super::candidate_graph::CandidateGraph;
use super::{BuildContext, ConfigError, Effort, FromContext, LocalSearchOperator, StopCheck};
use crate::random::Draws;
use search::{TabuSearchState, Tenure};
pub use tie_break::{
    CELL_NUMBERS, FOLLOWED_RANKS, INVERSE_MULTIPLIERS, MANY_PAIRS, MOST_HOLDERS, NOT_FOLLOWED,
    RANK_BITS, RANK_MULTIPLIERS, RANK_SHIFT,
};

/// About as many moves as a step evaluates.
const MOVES_A_STEP: u64 = 64;
/// On a board of no more free cells, and 16 candidates a cell, all prices are computed in each step: few cells are in
/// conflict, and a move changes the prices of many of them. On larger boards the cells in conflict keep their prices.
const SMALL: usize = 200;

/// Tabu search for a number of steps.
#[derive(Clone, Debug)]
pub struct TabuSearch {
    graph: CandidateGraph,
    steps: u32,
    tenure: Tenure,
}

impl FromContext for TabuSearch {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("local_search tabu")?;
        let config = context.config;
        Ok(Self {
            graph: CandidateGraph::new(context.space, &Candidates::build(context)?.sets),
            steps: config.tabu_steps,
            tenure: Tenure { random: config.tenure_random, share: config.tenure_share },
        })
    }
}

impl LocalSearchOperator for TabuSearch {
    fn scratch_len(&self) -> usize {
        TabuSearchState::words(&self.graph)
    }

    fn moves_a_child(&self) -> u64 {
        u64::from(self.steps) * MOVES_A_STEP
    }

    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        let (graph, steps) = (&self.graph, self.steps);
        let search = TabuSearchState::new(graph, self.tenure, child, scratch);
        dispatch!(Level::new(), simd => match (graph.lanes, graph.cells.len()) {
            (16, ..=SMALL) => search.run::<_, u8x16<_>, false>(simd, steps, child, draws, stop),
            (16, _) => search.run::<_, u8x16<_>, true>(simd, steps, child, draws, stop),
            (32, _) => search.run::<_, u8x32<_>, true>(simd, steps, child, draws, stop),
            _ => search.run::<_, u8x64<_>, true>(simd, steps, child, draws, stop),
        })
    }
}

#[cfg(test)]
mod tests;
