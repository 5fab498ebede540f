//! What searches on candidates read and never write: free cells, their candidates, and which of
//! these exclude each other.
//!
//! Every free cell has a row of places, one for each of its candidates in ascending order, and some
//! that are left over. A place is the number of a cell's candidate among all: what a search keeps
//! of candidates lies there. The *neighbours* of a place are those of the cell's peers with the
//! same value: what a move changes, and few where cells have few candidates.

use crate::board::matching::values_of;
use crate::board::{BLANK, PeerScan, SearchSpace};

/// At a place that no candidate has; else 0.
pub const FOREIGN: u8 = u8::MAX;
/// Candidates are priced this many side by side at least: the shortest vector.
const FEWEST_LANES: usize = 16;

/// The free cells of a puzzle and their candidates.
#[derive(Clone, Debug)]
pub struct CandidateGraph {
    /// Candidates that are priced side by side, a power of two and at least as many as a cell has:
    /// the length of a row.
    pub lanes: usize,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// Candidates of each free cell.
    pub candidates: Vec<u8>,
    /// The value of each place.
    pub values: Vec<u8>,
    /// 0 at the places of candidates, `FOREIGN` elsewhere.
    pub foreign: Vec<u8>,
    /// How many fixed peers of the cell hold the value of each place.
    pub given: Vec<u8>,
    /// Where the neighbours of each place start; at the end, where those of the last end.
    starts: Vec<u32>,
    /// The neighbours of each place, each once however many units they share.
    neighbours: Vec<u32>,
}

impl CandidateGraph {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let candidates = |cell: &usize| allowed[*cell].count_ones() as u8;
        let most = space.free.iter().map(candidates).max().unwrap_or(0);
        let lanes = usize::from(most).next_power_of_two().max(FEWEST_LANES);
        let places = space.free.len() * lanes;
        let mut new = Self {
            lanes,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            candidates: space.free.iter().map(candidates).collect(),
            values: vec![BLANK; places],
            foreign: vec![FOREIGN; places],
            given: vec![0; places],
            starts: Vec::with_capacity(places + 1),
            neighbours: Vec::new(),
        };
        let sets: Vec<u64> = space.free.iter().map(|cell| allowed[*cell]).collect();
        let mut around = PeerScan::new(space);
        for (row, cell) in space.free.iter().enumerate() {
            around.scan(*cell);
            for (place, value) in (row * lanes..).zip(values_of(sets[row])) {
                new.values[place] = value;
                new.foreign[place] = 0;
                new.given[place] = around.given(value);
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
