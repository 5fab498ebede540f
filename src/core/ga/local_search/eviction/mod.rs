//! Eviction search: it assigns values to unassigned cells and evicts the conflicting ones.
//!
//! Most free cells of a board hold one of their candidates, without conflicts; the others are *unassigned*. A *proposal*
//! draws an unassigned cell and one of its candidates. If it is accepted, the cell takes the candidate, and the peers that
//! hold the same value are *evicted*: they become unassigned. At most three peers hold a value: one in the row, one in the
//! column and one in the box. A proposal that evicts at most one peer is always accepted. Each further peer is accepted with
//! probability eta. The search ends when no cell is unassigned.
//!
//! A cell is to take 5, which a peer of its row and another peer of its box hold. With probability eta it takes the 5 from
//! both, and there is one unassigned cell more than before. With one such peer there are as many as before, with none
//! there is one less.
//!
//! **Eta** corresponds to the temperature of simulated annealing. At a certain eta, which depends on the puzzle, boards melt:
//! a little above it several times more cells are unassigned than a little below. Below it boards become ordered, the
//! faster the closer eta is to it. No eta suits all puzzles. So eta falls while more than a share of the free cells are
//! unassigned, and rises slowly while the board is frozen (`schedule`).
//!
//! **State.** At first the free cells take the values of the child in board order. A cell that conflicts with an earlier cell,
//! or whose value is not a candidate, is unassigned. The result is the first of the boards with the fewest unassigned
//! cells. Its unassigned cells take, in board order, the candidate that the fewest peers hold, of several the least. All
//! other data of a search is dropped when it ends.
//!
//! **Draws.** A search draws a key of two words. Under this key each proposal has Philox words by its number (`proposals`).
//!
//! Sources: a value that evicts others is an idea of iterative forward search (Müller, Barták & Rudová, *Conflict-based
//! statistics*, 2004) and of partial colourings (Blöchliger & Zufferey, *A graph coloring heuristic using partial solutions
//! and a reactive tabu scheme*, Computers & Operations Research 2008). Acceptance is that of simulated annealing
//! (Kirkpatrick, Gelatt & Vecchi, *Optimization by simulated annealing*, Science 1983), where the energy is the number of
//! unassigned cells.

mod partial;
mod proposals;
mod schedule;

pub use proposals::ROW;
pub use schedule::{ALWAYS, CoolingSchedule, LOOK, MOST as MOST_ETA};

use super::super::encoding::Candidates;
use super::{BuildContext, ConfigError, Effort, FromContext, LocalSearchOperator, StopCheck};
use crate::board::{BLANK, SearchSpace};
use crate::random::Draws;
use partial::{FreeCells, PartialBoard, UNITS};
use proposals::{Proposal, Proposals};
use schedule::AcceptanceRate;

/// Annealing of partial boards by evictions.
#[derive(Clone, Debug)]
pub struct EvictionSearch {
    cells: FreeCells,
    proposals: u64,
    schedule: CoolingSchedule,
}

impl FromContext for EvictionSearch {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("local_search eviction")?;
        let config = context.config;
        let sets = exclude_givens(context.space, &Candidates::build(context)?.sets);
        let cells = FreeCells::new(context.space, &sets);
        Ok(Self {
            schedule: CoolingSchedule::of(cells.graph.cells.len(), config),
            cells,
            proposals: config.proposals,
        })
    }
}

/// Removes the values of fixed peers from the `sets` of free cells, because a fixed cell cannot be evicted.
pub fn exclude_givens(space: &SearchSpace, sets: &[u64]) -> Vec<u64> {
    let geometry = space.geometry();
    let mut sets = sets.to_vec();
    for cell in &space.free {
        let fixed = geometry.peers(*cell).map(|peer| space.fixed[peer]);
        for value in fixed.filter(|value| *value != BLANK) {
            sets[*cell] &= !(1 << (value - 1));
        }
    }
    sets
}

impl LocalSearchOperator for EvictionSearch {
    fn scratch_len(&self) -> usize {
        PartialBoard::words(&self.cells)
    }

    fn moves_a_child(&self) -> u64 {
        self.proposals
    }

    fn improve(
        &self,
        child: &mut [u8],
        scratch: &mut [u32],
        draws: &mut Draws,
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        let mut words = Proposals::new([draws.word(), draws.word()]);
        let mut board = PartialBoard::new(&self.cells, child, scratch);
        let mut eta = AcceptanceRate::new(self.schedule);
        let mut bounds = eta.bounds();
        let mut effort = Effort::default();
        let mut fewest = board.unassigned;
        board.write(child);
        let mut first = 0;
        while board.unassigned > 0 && first < self.proposals {
            if first % STOP_LOOK == STOP_LOOK - ROW && stop() {
                return None;
            }
            let row = (self.proposals - first).min(ROW) as usize;
            for proposal in words.row(first).take(row) {
                effort.moves += 1;
                if !step(&mut board, proposal, bounds) {
                    continue;
                }
                effort.steps += 1;
                if board.unassigned < fewest {
                    fewest = board.unassigned;
                    board.write(child);
                    if fewest == 0 {
                        break;
                    }
                }
            }
            first += ROW;
            if first % LOOK == 0 {
                eta.follow(board.unassigned);
                bounds = eta.bounds();
            }
        }
        board.complete(child);
        Some(effort)
    }
}

/// The number of proposals after which a search checks whether the run was interrupted: some milliseconds.
const STOP_LOOK: u64 = 1 << 20;

/// Makes a proposal, and returns whether it was accepted.
#[inline(always)]
fn step(board: &mut PartialBoard, proposal: Proposal, bounds: [u32; UNITS + 1]) -> bool {
    let (at, rest) = proposal.cell(board.unassigned);
    let cell = board.cell(at);
    let graph = &board.cells.graph;
    let candidate = Proposal::candidate(rest, graph.candidates[usize::from(cell)]);
    let value = graph.values[graph.place(cell, candidate)];
    let in_the_way = board.in_the_way(cell, value);
    let accepted = proposal.acceptance >> 1 < bounds[in_the_way.count()];
    if accepted {
        board.assign(at, value, in_the_way);
    }
    accepted
}

#[cfg(test)]
mod tests;
