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
use crate::board::BLANK;

/// The place of a cell that is not in the list.
const NOWHERE: u16 = u16::MAX;

/// The data that a search changes, in working memory that it first overwrites.
#[derive(Debug)]
pub struct ConflictTable<'a> {
    pub graph: &'a CandidateGraph,
    /// For each place, the number of peers of the cell that hold its value.
    pub counts: &'a mut [u8],
    /// For each free cell the candidate that it holds, and its bit in `stale`. They are read together.
    cells: &'a mut [[u8; 2]],
    /// The value that the free cell of each slot holds, or [`BLANK`].
    pub slot_values: &'a mut [u8],
    /// The place of each free cell in `list`, or [`NOWHERE`].
    places: &'a mut [u16],
    /// The best prices of the listed cells, in blocks.
    pub prices: &'a mut [PriceBlock],
    /// The listed cells whose prices may have changed: bit `i` stands for the places `i`, `i + 63` and so on. The last bit
    /// has no meaning. It is that of the cells that are not listed, which are marked like the others, without a branch.
    pub stale: u64,
    /// The free cells in conflict. When one leaves, the last one takes its place.
    list: &'a mut [u16],
    listed: usize,
    /// The number of candidates of all cells in the list.
    candidates: u64,
    /// Pairs of peers that hold the same value.
    pub pairs: i32,
}

/// Bits that mark stale places, and the bit of cells that have no place.
pub const CLASSES: usize = 63;
const UNLISTED: u8 = 63;

/// Cells whose prices are compared at once.
pub const BLOCK: usize = 64;

/// For each cell of a block its best price that is not tabu, its best tabu price, and 255 less its conflicts; 255 where
/// no cell is listed.
pub type PriceBlock = [[u8; BLOCK]; 3];

/// Words of the prices of this number of free cells.
fn price_words(free: usize) -> usize {
    free.div_ceil(BLOCK) * size_of::<PriceBlock>() / size_of::<u32>()
}

impl<'a> ConflictTable<'a> {
    /// Words of working memory.
    pub fn words(graph: &CandidateGraph) -> usize {
        let free = graph.cells.len();
        let counts = (graph.given.len() + graph.slot_cells.len()) / 4;
        price_words(free) + counts + 3 * free.div_ceil(2)
    }

    /// The tables of `board`, in which each free cell holds one of its candidates.
    pub fn new(graph: &'a CandidateGraph, board: &[u8], words: &'a mut [u32]) -> Self {
        let free = graph.cells.len();
        let (prices, words) = words.split_at_mut(price_words(free));
        let (counts, words) = words.split_at_mut(graph.given.len() / 4);
        let (slot_values, words) = words.split_at_mut(graph.slot_cells.len() / 4);
        let (cells, words) = words.split_at_mut(free.div_ceil(2));
        let (places, list) = words.split_at_mut(free.div_ceil(2));
        let mut tables = Self {
            graph,
            counts: bytemuck::cast_slice_mut(counts),
            cells: &mut bytemuck::cast_slice_mut(cells)[..free],
            slot_values: bytemuck::cast_slice_mut(slot_values),
            places: bytemuck::cast_slice_mut(places),
            prices: bytemuck::cast_slice_mut(prices),
            stale: 0,
            list: bytemuck::cast_slice_mut(list),
            listed: 0,
            candidates: 0,
            pairs: 0,
        };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &[u8]) {
        let graph = self.graph;
        self.counts.copy_from_slice(&graph.given);
        self.slot_values.fill(BLANK);
        self.places.fill(NOWHERE);
        self.prices.fill([[u8::MAX; BLOCK]; 3]);
        for cell in 0..self.cells.len() as u16 {
            let value = board[usize::from(graph.cells[usize::from(cell)])];
            let own = &graph.values[graph.places(cell)];
            let held = (0..).zip(own).find(|(_, own)| **own == value).map_or(0, |(held, _)| held);
            self.cells[usize::from(cell)] = [held, UNLISTED];
            self.hold(cell, held);
            // Later cells are not counted yet, so that each pair counts once.
            self.pairs += i32::from(self.conflicts(cell));
            for place in graph.neighbours(graph.place(cell, held)) {
                self.counts[*place as usize] += 1;
            }
        }
        for cell in 0..self.cells.len() as u16 {
            self.list_if_conflicting(cell);
        }
    }

    /// The free cells in conflict.
    #[inline]
    pub fn conflicting(&self) -> &[u16] {
        &self.list[..self.listed]
    }

    /// The prices of these cells.
    #[inline]
    pub fn blocks(&self) -> &[PriceBlock] {
        &self.prices[..self.listed.div_ceil(BLOCK)]
    }

    /// The number of moves of the conflicting cells, without those to the value that a cell holds.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.candidates - self.listed as u64
    }

    /// For each candidate of a free cell, the number of peers that hold its value.
    #[inline(always)]
    pub fn counts_around(&self, cell: u16) -> &[u8] {
        &self.counts[usize::from(cell) * self.graph.lanes..][..self.graph.lanes]
    }

    /// The conflicts of a free cell: its peers that hold its value.
    #[inline(always)]
    pub fn conflicts(&self, cell: u16) -> u8 {
        self.counts_around(cell)[usize::from(self.held(cell))]
    }

    /// The candidate that a free cell holds.
    #[inline(always)]
    pub fn held(&self, cell: u16) -> u8 {
        self.cells[usize::from(cell)][0]
    }

    /// Assigns another candidate to `cell`, which changes `pairs` by `change`.
    #[inline]
    pub fn make<const KEPT: bool>(&mut self, cell: u16, taken: u8, change: i32) {
        let graph = self.graph;
        let left = self.held(cell);
        self.hold(cell, taken);
        self.pairs += change;
        let mut stale = 0;
        for place in graph.neighbours(graph.place(cell, left)) {
            let count = &mut self.counts[*place as usize];
            *count -= 1;
            let (peer, candidate) = graph.at(*place);
            let [held, mark] = self.cells[usize::from(peer)];
            if KEPT {
                stale |= 1 << mark;
            }
            if (*count == 0) & (held == candidate) {
                self.unlist(peer);
            }
        }
        for place in graph.neighbours(graph.place(cell, taken)) {
            self.counts[*place as usize] += 1;
            let (peer, candidate) = graph.at(*place);
            let [held, mark] = self.cells[usize::from(peer)];
            if KEPT {
                stale |= 1 << mark;
            }
            if held == candidate {
                self.list(peer);
            }
        }
        self.stale |= stale;
        self.list_if_conflicting(cell);
    }

    #[inline]
    fn hold(&mut self, cell: u16, taken: u8) {
        self.cells[usize::from(cell)][0] = taken;
        let value = self.graph.values[self.graph.place(cell, taken)];
        for slot in self.graph.slots[usize::from(cell)] {
            self.slot_values[usize::from(slot)] = value;
        }
    }

    /// Marks the prices of a free cell as stale, if it is listed.
    #[inline(always)]
    pub fn mark(&mut self, cell: u16) {
        self.stale |= 1 << self.cells[usize::from(cell)][1];
    }

    #[inline]
    fn list_if_conflicting(&mut self, cell: u16) {
        if self.conflicts(cell) > 0 {
            self.mark(cell);
            self.list(cell);
        } else {
            self.unlist(cell);
        }
    }

    #[inline]
    fn list(&mut self, cell: u16) {
        if self.places[usize::from(cell)] == NOWHERE {
            self.put(cell, self.listed);
            self.listed += 1;
            self.candidates += u64::from(self.graph.candidates[usize::from(cell)]);
        }
    }

    #[inline]
    fn unlist(&mut self, cell: u16) {
        let place = self.places[usize::from(cell)];
        if place != NOWHERE {
            self.listed -= 1;
            self.put(self.list[self.listed], place.into());
            self.places[usize::from(cell)] = NOWHERE;
            self.cells[usize::from(cell)][1] = UNLISTED;
            let block = &mut self.prices[self.listed / BLOCK];
            block.iter_mut().for_each(|prices| prices[self.listed % BLOCK] = u8::MAX);
            self.candidates -= u64::from(self.graph.candidates[usize::from(cell)]);
        }
    }

    /// Lists a cell at a place; its prices there are stale.
    #[inline]
    fn put(&mut self, cell: u16, place: usize) {
        self.list[place] = cell;
        self.places[usize::from(cell)] = place as u16;
        let mark = (place % CLASSES) as u8;
        self.cells[usize::from(cell)][1] = mark;
        self.stale |= 1 << mark;
    }

    /// Writes the free cells into `board`.
    pub fn write(&self, board: &mut [u8]) {
        let rows = self.graph.values.chunks_exact(self.graph.lanes);
        for ((cell, row), [held, _]) in self.graph.cells.iter().zip(rows).zip(&*self.cells) {
            board[usize::from(*cell)] = row[usize::from(*held)];
        }
    }
}
