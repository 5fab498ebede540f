//! The constant data of searches on candidates: the free cells, their candidates, and which of these exclude each other.
//!
//! Every free cell has a row of places, one for each of its candidates in ascending order, and some unused ones. So a place
//! is a number for a candidate of a cell, by which a search indexes its own tables. The *neighbours* of a place are the
//! places of the same value in the rows of the peers of the cell: the entries that a move changes.

use crate::board::matching::values_of;
use crate::board::{BLANK, PeerScan, SearchSpace};

/// Marks a place without a candidate; the others have 0.
pub const FOREIGN: u8 = u8::MAX;
/// Slots of a unit: at least as many as it has cells.
pub const SLOTS: usize = 64;
/// The fewest candidates that are evaluated side by side: the length of the shortest vector.
const FEWEST_LANES: usize = 16;

/// The free cells of a puzzle and their candidates.
#[derive(Clone, Debug)]
pub struct CandidateGraph {
    /// The length of a row: a power of two, and at least as many as a cell has candidates.
    pub lanes: usize,
    /// For each free cell, its number on the board.
    pub cells: Vec<u16>,
    /// The number of candidates of each free cell.
    pub candidates: Vec<u8>,
    /// The value of each place.
    pub values: Vec<u8>,
    /// 0 at the places of candidates, `FOREIGN` elsewhere.
    pub foreign: Vec<u8>,
    /// For each place, the number of fixed peers of the cell that hold its value.
    pub given: Vec<u8>,
    /// For each free cell, its slots in a row, a column and a box: [`SLOTS`] times the unit, plus the place in it.
    pub slots: Vec<[u16; 3]>,
    /// For each free cell, a bit for each place in its box that is neither in its row nor in its column.
    pub box_only: Vec<u64>,
    /// The free cell of each slot.
    pub slot_cells: Vec<u16>,
    /// The index of the first neighbour of each place, and the number of all neighbours at the end.
    starts: Vec<u32>,
    /// The neighbours of each place; a peer that shares two units occurs once.
    neighbours: Vec<u32>,
}

impl CandidateGraph {
    /// The free cells of `space`, with the candidates of `allowed`, a set for each cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let candidates = |cell: &usize| allowed[*cell].count_ones() as u8;
        let most = space.free.iter().map(candidates).max().unwrap_or(0);
        let lanes = usize::from(most).next_power_of_two().max(FEWEST_LANES);
        let places = space.free.len() * lanes;
        let geometry = space.geometry();
        let mut new = Self {
            lanes,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            candidates: space.free.iter().map(candidates).collect(),
            values: vec![BLANK; places],
            foreign: vec![FOREIGN; places],
            given: vec![0; places],
            slots: vec![[0; 3]; space.free.len()],
            box_only: vec![0; space.free.len()],
            slot_cells: vec![0; 3 * geometry.side() * SLOTS],
            starts: Vec::with_capacity(places + 1),
            neighbours: Vec::new(),
        };
        for (start, unit) in (0..).step_by(SLOTS).zip(geometry.units()) {
            for (slot, cell) in (start..).zip(geometry.unit_cells(unit)) {
                if let Ok(free) = space.free.binary_search(&cell) {
                    new.slots[free][unit.kind as usize] = slot as u16;
                    new.slot_cells[slot] = free as u16;
                }
            }
        }
        let sets: Vec<u64> = space.free.iter().map(|cell| allowed[*cell]).collect();
        let mut around = PeerScan::new(space);
        for (row, cell) in space.free.iter().enumerate() {
            around.scan(*cell);
            let [_, _, in_box] = geometry.units_with(*cell);
            let (at_row, at_col) = (geometry.row_of(*cell), geometry.col_of(*cell));
            for (bit, peer) in geometry.unit_cells(in_box).enumerate() {
                let is_apart = geometry.row_of(peer) != at_row && geometry.col_of(peer) != at_col;
                new.box_only[row] |= u64::from(is_apart) << bit;
            }
            for (place, value) in (row * lanes..).zip(values_of(sets[row])) {
                new.values[place] = value;
                new.foreign[place] = 0;
                new.given[place] = around.given[usize::from(value)];
                new.starts.push(new.neighbours.len() as u32);
                let bit = 1 << (value - 1);
                let having = around.free.iter().filter(|peer| sets[**peer] & bit != 0);
                let places = having
                    .map(|peer| (peer * lanes) as u32 + (sets[*peer] & (bit - 1)).count_ones());
                new.neighbours.extend(places);
            }
            new.starts.resize((row + 1) * lanes, new.neighbours.len() as u32);
        }
        new.starts.push(new.neighbours.len() as u32);
        new
    }

    /// The place of a cell's candidate.
    #[inline(always)]
    pub fn place(&self, cell: u16, candidate: u8) -> usize {
        usize::from(cell) * self.lanes + usize::from(candidate)
    }

    /// The places of the candidates of a free cell.
    pub fn places(&self, cell: u16) -> std::ops::Range<usize> {
        let start = self.place(cell, 0);
        start..start + usize::from(self.candidates[usize::from(cell)])
    }

    /// The cell and the candidate of a place.
    #[inline(always)]
    pub fn at(&self, place: u32) -> (u16, u8) {
        let (shift, mask) = (self.lanes.trailing_zeros(), self.lanes as u32 - 1);
        ((place >> shift) as u16, (place & mask) as u8)
    }

    /// The neighbours of a place.
    #[inline]
    pub fn neighbours(&self, place: usize) -> &[u32] {
        &self.neighbours[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}
