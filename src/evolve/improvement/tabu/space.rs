//! What a tabu search reads and never writes: free cells, their candidates, and their peers.

use crate::board::{BLANK, Geometry, SearchSpace};
use crate::matching::values_of;

/// The free cells of a puzzle and their candidates, cell by cell.
#[derive(Clone, Debug)]
pub struct Space {
    /// Length of a row of `given`: a value's number is its place.
    pub width: usize,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// Where the candidates of each free cell start; at the end, where those of the last end.
    pub starts: Vec<u32>,
    /// The candidates of all free cells, less one, those of each cell ascending.
    pub candidates: Vec<u8>,
    /// Where the peers of each free cell start; at the end, where those of the last end.
    peer_starts: Vec<u32>,
    /// The free peers of each free cell, each once however many units they share.
    peers: Vec<u16>,
    /// For each free cell and value, the fixed peers that hold it.
    pub given: Vec<u8>,
}

impl Space {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let width = geometry.side();
        let mut new = Self {
            width,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            starts: vec![0],
            candidates: Vec::new(),
            peer_starts: vec![0],
            peers: Vec::new(),
            given: vec![0; space.free.len() * width],
        };
        for (cell, given) in space.free.iter().zip(new.given.chunks_exact_mut(width)) {
            new.candidates.extend(values_of(allowed[*cell]).map(|value| value - 1));
            new.starts.push(new.candidates.len() as u32);
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

    /// The free peers of a free cell.
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
