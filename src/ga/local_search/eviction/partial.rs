//! A partial board without conflicts: who holds which value in each unit, and which cells are
//! unassigned.
//!
//! Without conflicts a unit has one holder of a value at most. So the peers in the way of a value
//! are found at three places of a table, those of the cell's row, column and box, and an assignment
//! writes three places for each cell that takes or loses a value.
//!
//! Cell 4 is to take a 5 that cell 2 of its row and cell 9 of its column and box hold: its row's 5
//! is held by 2, its column's and its box's by 9. Both are evicted: the 5 of their units is nobody's,
//! and that of cell 4's units is held by 4.

use super::super::candidate_graph::CandidateGraph;
use crate::board::{BLANK, SearchSpace};

/// Units of a cell, and so the most peers that hold a value.
pub const UNITS: usize = 3;
/// Instead of a cell where none holds the value.
const NOBODY: u16 = u16::MAX;

/// The free cells of a puzzle, their candidates and their units.
#[derive(Clone, Debug)]
pub struct FreeCells {
    pub space: CandidateGraph,
    /// Where the holders of the values of each free cell's units start, value 0 left out.
    units: Vec<[u16; UNITS]>,
    /// Length of the table of holders.
    holders: usize,
}

impl FreeCells {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let side = geometry.side();
        let units = |cell: &usize| {
            let mut start = 0;
            geometry.units_with(*cell).map(|unit| {
                let unit = start + unit.index * side;
                start += side * side;
                unit as u16
            })
        };
        Self {
            space: CandidateGraph::new(space, allowed),
            units: space.free.iter().map(units).collect(),
            holders: UNITS * side * side + 1,
        }
    }
}

/// The cells that hold a value in the row, the column and the box of a cell, each once.
#[derive(Clone, Copy, Debug)]
pub struct ConflictingPeers([u16; UNITS]);

impl ConflictingPeers {
    /// How many there are.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.0.iter().map(|cell| usize::from(*cell != NOBODY)).sum()
    }

    /// Ascending, those that are nobody last.
    #[inline(always)]
    fn ascending(self) -> [u16; UNITS] {
        let [a, b, c] = self.0;
        let (a, b) = (a.min(b), a.max(b));
        let (b, c) = (b.min(c), b.max(c));
        [a.min(b), a.max(b), c]
    }
}

/// What a search changes, in working memory that it overwrites at the start.
#[derive(Debug)]
pub struct PartialBoard<'a> {
    pub cells: &'a FreeCells,
    /// For each unit and value the free cell that holds it, or [`NOBODY`].
    holders: &'a mut [u16],
    /// The unassigned cells first: the last of them takes the place of one that leaves, and those
    /// that come are put at the end.
    list: &'a mut [u16],
    unassigned: usize,
}

impl<'a> PartialBoard<'a> {
    /// Words of working memory.
    pub fn words(cells: &FreeCells) -> usize {
        (cells.holders + cells.units.len()).div_ceil(2)
    }

    /// That of `board`, whose cells are assigned in their order where no other one is in the way.
    pub fn new(cells: &'a FreeCells, board: &[u8], words: &'a mut [u32]) -> Self {
        let (holders, list) = bytemuck::cast_slice_mut(words).split_at_mut(cells.holders);
        let mut partial = Self { cells, holders, list, unassigned: 0 };
        partial.fill(board);
        partial
    }

    fn fill(&mut self, board: &[u8]) {
        let FreeCells { space, units, .. } = self.cells;
        self.holders.fill(NOBODY);
        for cell in 0..units.len() as u16 {
            let value = board[usize::from(space.cells[usize::from(cell)])];
            let own = &space.values[space.places(cell)];
            if own.contains(&value) && self.in_the_way(cell, value).count() == 0 {
                self.hold(cell, value, cell);
            } else if !own.is_empty() {
                // Who has no candidate is never assigned, and not waited for.
                self.list[self.unassigned] = cell;
                self.unassigned += 1;
            }
        }
    }

    /// Writes who holds a value in the units of a cell.
    #[inline(always)]
    fn hold(&mut self, cell: u16, value: u8, holder: u16) {
        for start in self.cells.units[usize::from(cell)] {
            self.holders[usize::from(start) + usize::from(value)] = holder;
        }
    }

    /// Number of unassigned cells that have candidates.
    #[inline(always)]
    pub fn unassigned(&self) -> usize {
        self.unassigned
    }

    /// The unassigned cell at `at` in the list.
    #[inline(always)]
    pub fn cell(&self, at: usize) -> u16 {
        self.list[at]
    }

    /// The peers of an unassigned cell that hold `value`.
    #[inline(always)]
    pub fn in_the_way(&self, cell: u16, value: u8) -> ConflictingPeers {
        let [row, column, block] = self.cells.units[usize::from(cell)]
            .map(|start| self.holders[usize::from(start) + usize::from(value)]);
        // A peer of two units is one of them twice.
        let twice = block == row || block == column;
        ConflictingPeers([row, column, if twice { NOBODY } else { block }])
    }

    /// Gives the cell that stands at `at` in the list a value, and evicts who is in the way, in the
    /// order of cells.
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
        let FreeCells { space, units, .. } = self.cells;
        for ((cell, at), [row, ..]) in (0..).zip(&space.cells).zip(units) {
            let own = &space.values[space.places(cell)];
            if !own.is_empty() {
                let holds =
                    |value: &&u8| self.holders[usize::from(*row) + usize::from(**value)] == cell;
                board[usize::from(*at)] = own.iter().find(holds).map_or(BLANK, |value| *value);
            }
        }
    }

    /// Fills the blanks of `board`, cell by cell, with the candidate that the fewest peers hold, of
    /// these the least.
    pub fn complete(&self, board: &mut [u8]) {
        let space = &self.cells.space;
        for (cell, at) in (0..).zip(&space.cells) {
            if board[usize::from(*at)] != BLANK {
                continue;
            }
            let count = |place: &usize| {
                let peers = space.neighbours(*place).iter().map(|peer| space.at(*peer).0);
                let held = peers.map(|peer| board[usize::from(space.cells[usize::from(peer)])]);
                held.filter(|held| *held == space.values[*place]).count()
            };
            // No blank is a cell without candidates: those keep what they had.
            if let Some(place) = space.places(cell).min_by_key(count) {
                board[usize::from(*at)] = space.values[place];
            }
        }
    }
}
