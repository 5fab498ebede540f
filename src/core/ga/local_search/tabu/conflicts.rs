//! The board of a tabu search: for each cell and candidate the number of peers that hold its value, and a list of the cells
//! in conflict.
//!
//! Each cell has a row of counts. The count of a candidate is the number of peers of the cell that hold its value. A
//! conflict is a pair of peers that hold the same value. It counts once, even if the two cells share two units. So the count
//! of the value that a cell holds is its number of conflicts, and the price of a move is the difference of two counts in
//! one row. In return a move updates the counts of the peers that have the old or the new value as a candidate.
//!
//! A cell holds 5, and so do two of its peers: it has 2 conflicts. One peer holds 7. If the cell takes 7 it has 1 conflict, a
//! change of -1; each peer then counts one 5 less and one 7 more.
//!
//! A cell of the largest board has 175 peers, so that a count fits in a byte.

use super::super::candidate_graph::CandidateGraph;

/// The place of a cell that is not in the list.
const NOWHERE: u16 = u16::MAX;

/// The data that a search changes, in working memory that it first overwrites.
#[derive(Debug)]
pub struct ConflictTable<'a> {
    pub space: &'a CandidateGraph,
    /// For each place, the number of peers of the cell that hold its value.
    pub counts: &'a mut [u8],
    /// The candidate that each free cell holds.
    pub held: &'a mut [u8],
    /// The place of each free cell in `list`, or [`NOWHERE`].
    places: &'a mut [u16],
    /// The free cells in conflict. When one leaves, the last one takes its place.
    list: &'a mut [u16],
    listed: usize,
    /// The number of candidates of all cells in the list.
    candidates: u64,
    /// Pairs of peers that hold the same value.
    pub pairs: i32,
}

impl<'a> ConflictTable<'a> {
    /// Words of working memory.
    pub fn words(space: &CandidateGraph) -> usize {
        space.given.len() / 4 + space.cells.len() + space.cells.len().div_ceil(4)
    }

    /// The tables of `board`, in which each free cell holds one of its candidates.
    pub fn new(space: &'a CandidateGraph, board: &[u8], words: &'a mut [u32]) -> Self {
        let free = space.cells.len();
        let (counts, words) = words.split_at_mut(space.given.len() / 4);
        let (places, held) = words.split_at_mut(free);
        let (places, list) = bytemuck::cast_slice_mut(places).split_at_mut(free);
        let mut tables = Self {
            space,
            counts: bytemuck::cast_slice_mut(counts),
            held: &mut bytemuck::cast_slice_mut(held)[..free],
            places,
            list,
            listed: 0,
            candidates: 0,
            pairs: 0,
        };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &[u8]) {
        let space = self.space;
        self.counts.copy_from_slice(&space.given);
        self.places.fill(NOWHERE);
        for cell in 0..self.held.len() as u16 {
            let value = board[usize::from(space.cells[usize::from(cell)])];
            let own = &space.values[space.places(cell)];
            let held = (0..).zip(own).find(|(_, own)| **own == value).map_or(0, |(held, _)| held);
            self.held[usize::from(cell)] = held;
            // Later cells are not counted yet, so that each pair counts once.
            self.pairs += i32::from(self.conflicts(cell));
            for place in space.neighbours(space.place(cell, held)) {
                self.counts[*place as usize] += 1;
            }
        }
        for cell in 0..self.held.len() as u16 {
            self.list_if_conflicting(cell);
        }
    }

    /// The free cells in conflict.
    #[inline]
    pub fn conflicting(&self) -> &[u16] {
        &self.list[..self.listed]
    }

    /// The number of moves of the conflicting cells, without those to the value that a cell holds.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.candidates - self.listed as u64
    }

    /// For each candidate of a free cell, the number of peers that hold its value.
    #[inline(always)]
    pub fn counts_around(&self, cell: u16) -> &[u8] {
        &self.counts[usize::from(cell) * self.space.lanes..][..self.space.lanes]
    }

    /// The conflicts of a free cell: its peers that hold its value.
    #[inline(always)]
    pub fn conflicts(&self, cell: u16) -> u8 {
        self.counts_around(cell)[usize::from(self.held[usize::from(cell)])]
    }

    /// Assigns another candidate to `cell`, which changes `pairs` by `change`.
    #[inline]
    pub fn make(&mut self, cell: u16, taken: u8, change: i32) {
        let space = self.space;
        let left = std::mem::replace(&mut self.held[usize::from(cell)], taken);
        self.pairs += change;
        for place in space.neighbours(space.place(cell, left)) {
            let count = &mut self.counts[*place as usize];
            *count -= 1;
            let (peer, candidate) = space.at(*place);
            if (*count == 0) & (self.held[usize::from(peer)] == candidate) {
                self.unlist(peer);
            }
        }
        for place in space.neighbours(space.place(cell, taken)) {
            self.counts[*place as usize] += 1;
            let (peer, candidate) = space.at(*place);
            if self.held[usize::from(peer)] == candidate {
                self.list(peer);
            }
        }
        self.list_if_conflicting(cell);
    }

    #[inline]
    fn list_if_conflicting(&mut self, cell: u16) {
        if self.conflicts(cell) > 0 {
            self.list(cell);
        } else {
            self.unlist(cell);
        }
    }

    #[inline]
    fn list(&mut self, cell: u16) {
        if self.places[usize::from(cell)] == NOWHERE {
            self.places[usize::from(cell)] = self.listed as u16;
            self.list[self.listed] = cell;
            self.listed += 1;
            self.candidates += u64::from(self.space.candidates[usize::from(cell)]);
        }
    }

    #[inline]
    fn unlist(&mut self, cell: u16) {
        let place = self.places[usize::from(cell)];
        if place != NOWHERE {
            self.listed -= 1;
            let last = self.list[self.listed];
            self.list[usize::from(place)] = last;
            self.places[usize::from(last)] = place;
            self.places[usize::from(cell)] = NOWHERE;
            self.candidates -= u64::from(self.space.candidates[usize::from(cell)]);
        }
    }

    /// Writes the free cells into `board`.
    pub fn write(&self, board: &mut [u8]) {
        let rows = self.space.values.chunks_exact(self.space.lanes);
        for ((cell, row), held) in self.space.cells.iter().zip(rows).zip(&*self.held) {
            board[usize::from(*cell)] = row[usize::from(*held)];
        }
    }
}
