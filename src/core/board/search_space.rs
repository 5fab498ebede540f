//! The search space after presolve: the fixed cells, and the candidates of each free cell.

use super::{BLANK, Geometry, Puzzle};

/// A puzzle after presolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpace {
    /// The original puzzle.
    pub puzzle: Puzzle,
    /// The givens and the cells that presolve fixed: one packed board, `stride` bytes.
    pub fixed: Vec<u8>,
    /// Values that each cell may hold, value `v` as bit `v - 1`; one bit where it is fixed.
    pub candidates: Vec<u64>,
    /// Cells that are not fixed, ascending.
    pub free: Vec<usize>,
}

impl SearchSpace {
    /// The space of a blank board, without presolve.
    pub fn blank(geometry: Geometry) -> Self {
        Self::new(Puzzle::blank(geometry), vec![geometry.all_values(); geometry.cells()])
    }

    /// The space of a board with these candidates; a cell with a single candidate is
    /// fixed.
    pub(crate) fn new(puzzle: Puzzle, candidates: Vec<u64>) -> Self {
        let value = |set: &u64| match set.is_power_of_two() {
            true => set.trailing_zeros() as u8 + 1,
            false => BLANK,
        };
        let mut fixed: Vec<u8> = candidates.iter().map(value).collect();
        let free = (0..fixed.len()).filter(|cell| fixed[*cell] == BLANK).collect();
        fixed.resize(puzzle.geometry.stride(), 0);
        Self { puzzle, fixed, candidates, free }
    }

    /// The shape of the board.
    pub fn geometry(&self) -> Geometry {
        self.puzzle.geometry
    }

    /// The number of candidates of all free cells together.
    pub fn candidate_count(&self) -> u64 {
        self.free.iter().map(|cell| u64::from(self.candidates[*cell].count_ones())).sum()
    }

    /// Whether `cell` may hold `value`.
    pub fn allows(&self, cell: usize, value: u8) -> bool {
        value != BLANK && self.candidates[cell] >> (value - 1) & 1 == 1
    }
}

/// Marks a cell that is fixed.
const FIXED: u16 = u16::MAX;

/// Scans the peers of one free cell after another: which of them are free, and how often the fixed ones
/// hold each value. It is computed once for each free cell of a puzzle; a list of puzzles needs it tens of
/// thousands of times a second.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct PeerScan<'a> {
    space: &'a SearchSpace,
    /// The number of each cell among the free cells, or [`FIXED`].
    rows: Vec<u16>,
    /// The free peers of the last cell scanned, as numbers among the free cells, ascending.
    pub free: Vec<usize>,
    /// How many fixed peers of that cell hold each value, from 0.
    pub given: Vec<u8>,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::format::shipped;

    #[test]
    fn free_peers_and_fixed_ones_are_all_peers() {
        for name in ["easter-monster", "003-6x6"] {
            let puzzle = shipped::puzzle(name);
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
                    assert_eq!(
                        usize::from(around.given[usize::from(value)]),
                        given,
                        "{name} {cell} {value}"
                    );
                }
            }
        }
    }
}
