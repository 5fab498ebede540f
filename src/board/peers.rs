//! The peers of free cells: which of them are free, and how often the fixed ones hold each value.
//!
//! It is computed once for each free cell of a puzzle; a list of puzzles needs it tens of thousands of times a second.

use super::SearchSpace;

/// Marks a cell that is fixed.
const FIXED: u16 = u16::MAX;

/// Scans the peers of one cell after another.
#[derive(Clone, Debug)]
pub(crate) struct PeerScan<'a> {
    space: &'a SearchSpace,
    /// The number of each cell among the free cells, or [`FIXED`].
    rows: Vec<u16>,
    /// The free peers of the last cell scanned, as numbers among the free cells, ascending.
    pub free: Vec<usize>,
    /// How many fixed peers of that cell hold each value.
    given: Vec<u8>,
}

impl<'a> PeerScan<'a> {
    /// No cell is scanned yet.
    pub fn new(space: &'a SearchSpace) -> Self {
        let geometry = space.geometry();
        let mut rows = vec![FIXED; geometry.cells()];
        for (row, cell) in space.free.iter().enumerate() {
            rows[*cell] = row as u16;
        }
        Self { space, rows, free: Vec::new(), given: vec![0; geometry.side() + 1] }
    }

    /// Scans the peers of a cell.
    pub fn scan(&mut self, cell: usize) {
        self.free.clear();
        self.given.fill(0);
        for peer in self.space.geometry().peers(cell) {
            match self.rows[peer] {
                FIXED => self.given[usize::from(self.space.fixed[peer])] += 1,
                row => self.free.push(row.into()),
            }
        }
    }

    /// How many fixed peers of the last cell scanned hold `value`.
    pub fn given(&self, value: u8) -> u8 {
        self.given[usize::from(value)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::format;

    #[test]
    fn free_peers_and_fixed_ones_are_all_peers() {
        for name in ["easter-monster", "003-6x6"] {
            let puzzle = format::load(name, None).unwrap().puzzle;
            let space = presolve(&puzzle, Presolve::None).unwrap();
            let (geometry, mut around) = (space.geometry(), PeerScan::new(&space));
            for cell in &space.free {
                around.scan(*cell);
                let shared = |peer: &usize| {
                    let units = geometry.units_with(*cell);
                    peer != cell
                        && units.iter().any(|unit| geometry.units_with(*peer).contains(unit))
                };
                let peers: Vec<usize> = (0..geometry.cells()).filter(shared).collect();
                let free = peers.iter().filter_map(|peer| space.free.binary_search(peer).ok());
                assert!(around.free.iter().copied().eq(free), "{name} {cell}");
                for value in 1..=geometry.side() as u8 {
                    let given = peers.iter().filter(|peer| space.fixed[**peer] == value).count();
                    assert_eq!(usize::from(around.given(value)), given, "{name} {cell} {value}");
                }
            }
        }
    }
}
