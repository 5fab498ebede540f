//! A partial board without conflicts: a table of the cell that holds each value in each unit, and a list of the unassigned
//! cells.
//!
//! Without conflicts at most one cell of a unit holds a value. So three entries of the table, those of the row, the column
//! and the box, give the conflicting peers of a value, and an assignment writes three entries for each cell that takes
//! or loses a value.
//!
//! Cell 4 is to take a 5 that cell 2 of its row and cell 9 of its column and box hold. The 5 of its row has the holder 2, the
//! 5 of its column and of its box the holder 9. Both cells are evicted: the 5 of their units has no holder, and the 5
//! of the units of cell 4 has the holder 4.

use super::super::candidate_graph::CandidateGraph;
use crate::board::{BLANK, SearchSpace};

/// The units of a cell, and so the most conflicting peers of a value.
pub const UNITS: usize = 3;
/// Marks a value without a holder.
const NOBODY: u16 = u16::MAX;

/// The free cells of a puzzle, their candidates and their units.
#[derive(Clone, Debug)]
pub struct FreeCells {
    pub graph: CandidateGraph,
    /// For each free cell, the index of its units in the table of holders, minus one because values begin at 1.
    units: Vec<[u16; UNITS]>,
    /// The length of the table of holders.
    holders: usize,
}

impl FreeCells {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let side = geometry.side();
        let units = |cell: &usize| {
            let units = geometry.units_with(*cell);
            std::array::from_fn(|kind| ((kind * side + units[kind].index) * side) as u16)
        };
        Self {
            graph: CandidateGraph::new(space, allowed),
            units: space.free.iter().map(units).collect(),
            holders: UNITS * side * side + 1,
        }
    }
}

/// The cells that hold a value in the row, the column and the box of a cell, each once.
#[derive(Clone, Copy, Debug)]
pub struct ConflictingPeers([u16; UNITS]);

impl ConflictingPeers {
    /// Returns the number of peers.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.0.iter().map(|cell| usize::from(*cell != NOBODY)).sum()
    }

    /// Returns the peers in ascending order, then [`NOBODY`].
    #[inline(always)]
    fn ascending(self) -> [u16; UNITS] {
        let [a, b, c] = self.0;
        let (a, b) = (a.min(b), a.max(b));
        let (b, c) = (b.min(c), b.max(c));
        [a.min(b), a.max(b), c]
    }
}

/// The data that a search changes, in working memory that it first overwrites.
#[derive(Debug)]
pub struct PartialBoard<'a> {
    pub cells: &'a FreeCells,
    /// For each unit and value the free cell that holds the value, or [`NOBODY`].
    holders: &'a mut [u16],
    /// The unassigned cells first. When one is assigned, the last one takes its place; evicted cells are appended.
    list: &'a mut [u16],
    /// The number of unassigned cells that have candidates.
    pub unassigned: usize,
}

impl<'a> PartialBoard<'a> {
    /// Words of working memory.
    pub fn words(cells: &FreeCells) -> usize {
        (cells.holders + cells.units.len()).div_ceil(2)
    }

    /// Assigns the cells of `board` in their order, except those that conflict with an earlier one.
    pub fn new(cells: &'a FreeCells, board: &[u8], words: &'a mut [u32]) -> Self {
        let (holders, list) = bytemuck::cast_slice_mut(words).split_at_mut(cells.holders);
        let mut partial = Self { cells, holders, list, unassigned: 0 };
        partial.fill(board);
        partial
    }

    fn fill(&mut self, board: &[u8]) {
        let FreeCells { graph, units, .. } = self.cells;
        self.holders.fill(NOBODY);
        for cell in 0..units.len() as u16 {
            let value = board[usize::from(graph.cells[usize::from(cell)])];
            let own = &graph.values[graph.places(cell)];
            if own.contains(&value) && self.in_the_way(cell, value).count() == 0 {
                self.hold(cell, value, cell);
            } else if !own.is_empty() {
                // A cell without candidates is never assigned, and does not count.
                self.list[self.unassigned] = cell;
                self.unassigned += 1;
            }
        }
    }

    /// Writes the holder of a value in the units of a cell.
    #[inline(always)]
    fn hold(&mut self, cell: u16, value: u8, holder: u16) {
        for start in self.cells.units[usize::from(cell)] {
            self.holders[usize::from(start) + usize::from(value)] = holder;
        }
    }

    /// The unassigned cell at index `at` of the list.
    #[inline(always)]
    pub fn cell(&self, at: usize) -> u16 {
        self.list[at]
    }

    /// The peers of an unassigned cell that hold `value`.
    #[inline(always)]
    pub fn in_the_way(&self, cell: u16, value: u8) -> ConflictingPeers {
        let [row, column, block] = self.cells.units[usize::from(cell)]
            .map(|start| self.holders[usize::from(start) + usize::from(value)]);
        // A peer that shares two units occurs twice.
        let twice = block == row || block == column;
        ConflictingPeers([row, column, if twice { NOBODY } else { block }])
    }

    /// Assigns a value to the cell at index `at` of the list, and evicts the conflicting peers in ascending order.
    #[inline(always)]
    pub fn assign(&mut self, at: usize, value: u8, in_the_way: ConflictingPeers) {
        let cell = self.list[at];
        self.unassigned -= 1;
        self.list[at] = self.list[self.unassigned];
        for evicted in in_the_way.ascending() {
            if evicted == NOBODY {
                break;
            }
            self.hold(evicted, value, NOBODY);
            self.list[self.unassigned] = evicted;
            self.unassigned += 1;
        }
        self.hold(cell, value, cell);
    }

    /// Writes the free cells into `board`, the unassigned ones as blanks.
    pub fn write(&self, board: &mut [u8]) {
        let FreeCells { graph, units, .. } = self.cells;
        for ((cell, at), [row, ..]) in (0..).zip(&graph.cells).zip(units) {
            let own = &graph.values[graph.places(cell)];
            if !own.is_empty() {
                let holds =
                    |value: &&u8| self.holders[usize::from(*row) + usize::from(**value)] == cell;
                board[usize::from(*at)] = own.iter().find(holds).map_or(BLANK, |value| *value);
            }
        }
    }

    /// Fills the blanks of `board` one by one with the candidate that the fewest peers hold, of several the least.
    pub fn complete(&self, board: &mut [u8]) {
        let graph = &self.cells.graph;
        for (cell, at) in (0..).zip(&graph.cells) {
            if board[usize::from(*at)] != BLANK {
                continue;
            }
            let count = |place: &usize| {
                let peers = graph.neighbours(*place).iter().map(|peer| graph.at(*peer).0);
                let held = peers.map(|peer| board[usize::from(graph.cells[usize::from(peer)])]);
                held.filter(|held| *held == graph.values[*place]).count()
            };
            // A cell without candidates keeps its value and is no blank.
            if let Some(place) = graph.places(cell).min_by_key(count) {
                board[usize::from(*at)] = graph.values[place];
            }
        }
    }
}
