//! What a tabu search reads and never writes: free cells, their candidates, and their peers.

use crate::board::{BLANK, Geometry, SearchSpace};

/// At a value that is no candidate of its cell; else 0.
pub const FOREIGN: u8 = u8::MAX;

/// The free cells of a puzzle and their candidates.
#[derive(Clone, Debug)]
pub struct Space {
    /// Values that are priced side by side, at least as many as there are: the length of a row of
    /// `foreign` and of `given`, where a value's number is its place.
    pub lanes: usize,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// Candidates of each free cell, as sets and how many.
    sets: Vec<u64>,
    pub candidates: Vec<u8>,
    /// A row of values for each free cell: 0 at its candidates, `FOREIGN` elsewhere.
    pub foreign: Vec<u8>,
    /// A row of values for each free cell: how many fixed peers hold each.
    pub given: Vec<u8>,
    /// Where the peers of each free cell start; at the end, where those of the last end.
    peer_starts: Vec<u32>,
    /// The free peers of each free cell, each once however many units they share.
    peers: Vec<u16>,
}

impl Space {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let side = geometry.side();
        let lanes = if side <= 32 { side.next_power_of_two().max(16) } else { 64 };
        let row = |cell: &usize| {
            let set = allowed[*cell];
            (0..lanes).map(move |value| if set >> value & 1 == 1 { 0 } else { FOREIGN })
        };
        let mut new = Self {
            lanes,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            sets: space.free.iter().map(|cell| allowed[*cell]).collect(),
            candidates: space.free.iter().map(|cell| allowed[*cell].count_ones() as u8).collect(),
            foreign: space.free.iter().flat_map(row).collect(),
            given: vec![0; space.free.len() * lanes],
            peer_starts: vec![0],
            peers: Vec::new(),
        };
        for (cell, given) in space.free.iter().zip(new.given.chunks_exact_mut(lanes)) {
            for peer in peers(geometry, *cell) {
                if let Ok(free) = space.free.binary_search(&peer) {
                    new.peers.push(free as u16);
                } else if space.fixed[peer] != BLANK {
                    given[usize::from(space.fixed[peer] - 1)] += 1;
                }
            }
            new.peer_starts.push(new.peers.len() as u32);
        }
        new
    }

    /// The values that a cell may hold, less one, ascending.
    pub fn candidates_of(&self, cell: u16) -> impl Iterator<Item = u8> + '_ {
        let row = &self.foreign[usize::from(cell) * self.lanes..][..self.lanes];
        (0..).zip(row).filter(|(_, foreign)| **foreign == 0).map(|(value, _)| value)
    }

    /// The place of a value, less one, among the candidates of a free cell.
    #[inline]
    pub fn place(&self, cell: u16, value: u8) -> u8 {
        (self.sets[usize::from(cell)] & ((1 << value) - 1)).count_ones() as u8
    }

    /// The free peers of a free cell, ascending.
    #[inline]
    pub fn peers(&self, cell: u16) -> &[u16] {
        let cell = usize::from(cell);
        &self.peers[self.peer_starts[cell] as usize..self.peer_starts[cell + 1] as usize]
    }
}

/// The other cells of a cell's row, column and box, ascending.
fn peers(geometry: Geometry, cell: usize) -> Vec<usize> {
    let units = geometry.units_with(cell);
    let mut peers: Vec<usize> =
        units.into_iter().flat_map(|unit| geometry.unit_cells(unit)).collect();
    peers.retain(|peer| *peer != cell);
    peers.sort_unstable();
    peers.dedup();
    peers
}
