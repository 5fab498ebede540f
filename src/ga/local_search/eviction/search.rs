//! One child's search.

use super::partial::{PartialBoard, UNITS};
use super::proposals::{Proposal, Proposals, ROW};
use super::schedule::{AcceptanceRate, CoolingSchedule, LOOK};
use crate::ga::local_search::Effort;

/// Proposals between two looks at whether the run was ended: some milliseconds.
const STOP_LOOK: u64 = 1 << 20;

/// Searches for so many `proposals`, whose words are those of `key`, and leaves the board with the
/// fewest unassigned cells in `child`, completed. Nothing when `stop` said so in between.
pub fn run(
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
pub fn step(board: &mut PartialBoard, proposal: Proposal, bounds: [u32; UNITS + 1]) -> bool {
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
