//! Eviction search: unassigned cells are given values, and the cells in their way lose theirs.
//!
//! Most free cells of a board hold one of their candidates, without conflicts among them; the others
//! are *unassigned*. A *proposal* draws one of the unassigned cells and one of its candidates. The
//! cell takes it, and those peers that hold the value are *evicted*: they become unassigned. This
//! happens always where at most one peer is in the way, and with probability eta for each further
//! one, of which there are two at most: a peer of its row, of its column and of its box. The
//! search ends when no cell is unassigned.
//!
//! A cell is to hold 5, which one peer of its row and another one of its box hold: with probability
//! eta it takes the 5 from both, and there is one unassigned cell more than before. Had one of
//! them held it, there would be as many as before; had none, one less.
//!
//! **Eta** is what the temperature is in annealing. At a certain value, which depends on the
//! puzzle, boards melt: a little above it several times more cells are unassigned than a little
//! below, and it is below that boards come into order, the faster the nearer. No eta is right for
//! all puzzles; so it falls as long as more than a share of the free cells are unassigned, and
//! rises slowly where the board is frozen (`schedule`).
//!
//! **State.** The child's free cells take their values in the order of the board; one that conflicts
//! with a cell before it, and one whose value is no candidate, is unassigned. The child becomes the
//! board with the fewest unassigned cells, the first of these. There they are given, one by one in
//! the order of the board, the candidate that the fewest peers hold, of these the least. Nothing
//! else is left of a search when it ends.
//!
//! **Draws**: a key of two words, under which the proposals of the search have Philox words by their
//! number (`proposals`).
//!
//! Sources: values that take the place of others are those of iterative forward search (Müller,
//! Barták & Rudová, *Conflict-based statistics*, 2004) and of partial colourings (Blöchliger &
//! Zufferey, *A graph coloring heuristic using partial solutions and a reactive tabu scheme*,
//! Computers & Operations Research 2008); acceptance is that of annealing (Kirkpatrick, Gelatt &
//! Vecchi, *Optimization by simulated annealing*, Science 1983), with the number of unassigned cells
//! as energy.

mod partial;
mod proposals;
mod schedule;

pub(crate) use proposals::ROW;
#[cfg(feature = "gpu")]
pub(crate) use schedule::{ALWAYS, MOST as MOST_ETA};
pub(crate) use schedule::{CoolingSchedule, LOOK};

use super::super::encoding::Candidates;
use super::{BuildContext, ConfigError, Effort, FromContext, LocalSearchOperator};
use crate::board::{BLANK, SearchSpace};
use crate::random::Draws;
use partial::{FreeCells, PartialBoard, UNITS};
use proposals::{Proposal, Proposals};
use schedule::AcceptanceRate;

/// Partial boards without conflicts, annealed by evictions.
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
        let sets = exclude_givens(context.space, Candidates::build(context)?.sets());
        let cells = FreeCells::new(context.space, &sets);
        Ok(Self {
            schedule: CoolingSchedule::of(cells.space.cells.len(), config),
            cells,
            proposals: config.proposals,
        })
    }
}

/// The values of `sets` that no fixed peer of a free cell holds: nothing evicts what is fixed.
pub(crate) fn exclude_givens(space: &SearchSpace, sets: &[u64]) -> Vec<u64> {
    let geometry = space.geometry();
    let mut sets = sets.to_vec();
    for cell in &space.free {
        for unit in geometry.units_with(*cell) {
            let fixed = geometry.unit_cells(unit).map(|peer| space.fixed[peer]);
            fixed
                .filter(|value| *value != BLANK)
                .for_each(|value| sets[*cell] &= !(1 << (value - 1)));
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
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let key = [draws.word(), draws.word()];
        let board = PartialBoard::new(&self.cells, child, scratch);
        run(board, self.schedule, self.proposals, key, child, stop)
    }
}

/// Proposals between two looks at whether the run was ended: some milliseconds.
const STOP_LOOK: u64 = 1 << 20;

/// Searches for so many `proposals`, whose words are those of `key`, and leaves the board with the
/// fewest unassigned cells in `child`, completed. Nothing when `stop` said so in between.
fn run(
    mut board: PartialBoard,
    schedule: CoolingSchedule,
    proposals: u64,
    key: [u32; 2],
    child: &mut [u8],
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Effort> {
    let mut words = Proposals::new(key);
    let mut eta = AcceptanceRate::new(schedule);
    let mut bounds = eta.bounds();
    let mut effort = Effort::default();
    let mut fewest = board.unassigned();
    board.write(child);
    let mut first = 0;
    while board.unassigned() > 0 && first < proposals {
        if first % STOP_LOOK == STOP_LOOK - ROW && stop() {
            return None;
        }
        let row = (proposals - first).min(ROW) as usize;
        for proposal in words.row(first).take(row) {
            effort.moves += 1;
            if !step(&mut board, proposal, bounds) {
                continue;
            }
            effort.steps += 1;
            if board.unassigned() < fewest {
                fewest = board.unassigned();
                board.write(child);
                if fewest == 0 {
                    break;
                }
            }
        }
        first += ROW;
        if first % LOOK == 0 {
            eta.follow(board.unassigned());
            bounds = eta.bounds();
        }
    }
    board.complete(child);
    Some(effort)
}

/// Makes a proposal; whether it was accepted.
#[inline(always)]
fn step(board: &mut PartialBoard, proposal: Proposal, bounds: [u32; UNITS + 1]) -> bool {
    let (at, rest) = proposal.cell(board.unassigned());
    let cell = board.cell(at);
    let space = &board.cells.space;
    let candidate = Proposal::candidate(rest, space.candidates[usize::from(cell)]);
    let value = space.values[space.place(cell, candidate)];
    let in_the_way = board.in_the_way(cell, value);
    let accepted = proposal.acceptance >> 1 < bounds[in_the_way.count()];
    if accepted {
        board.assign(at, value, in_the_way);
    }
    accepted
}

#[cfg(test)]
mod tests;
