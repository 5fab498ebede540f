//! What a tabu search reads and never writes: free cells, their candidates, and where these count.

use crate::board::{BLANK, MAX_SIDE, SearchSpace, Unit, UnitKind};
use crate::matching::values_of;

/// Entries of a unit in the tables, value `v` at `v - 1`. The same for every side, so that an
/// index below it needs no check.
pub const WIDTH: usize = MAX_SIDE;

/// The free cells of a puzzle and their candidates, cell by cell.
#[derive(Clone, Debug)]
pub struct Space {
    side: usize,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// Where the row, the column and the box of each free cell start in the tables.
    pub units: Vec<[u16; 3]>,
    /// Where the candidates of each free cell start; at the end, where those of the last end.
    pub starts: Vec<u32>,
    /// The candidates of all free cells, less one, those of each cell ascending.
    pub candidates: Vec<u8>,
    /// Places in the tables at which fixed cells count.
    pub fixed: Vec<u16>,
}

impl Space {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let units = |cell| geometry.units_with(cell).map(|unit| start(unit, geometry.side()));
        let mut starts = vec![0];
        let mut candidates = Vec::new();
        for cell in &space.free {
            candidates.extend(values_of(allowed[*cell]).map(|value| value - 1));
            starts.push(candidates.len() as u32);
        }
        let fixed = space.fixed[..geometry.cells()].iter().enumerate();
        let fixed = fixed.filter(|(_, value)| **value != BLANK);
        Self {
            side: geometry.side(),
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            units: space.free.iter().map(|cell| units(*cell)).collect(),
            starts,
            candidates,
            fixed: fixed
                .flat_map(|(cell, value)| units(cell).map(|unit| unit + u16::from(value - 1)))
                .collect(),
        }
    }

    /// Entries of the tables: one for each value in each unit.
    pub fn entries(&self) -> usize {
        UnitKind::ALL.len() * self.side * WIDTH
    }

    /// Where a candidate of `cell` counts: in its row, its column and its box.
    #[inline]
    pub fn places(&self, cell: u16, candidate: u32) -> [usize; 3] {
        let value = usize::from(self.candidates[candidate as usize]);
        self.units[usize::from(cell)].map(|unit| usize::from(unit) + value)
    }
}

/// Where a unit starts in the tables: rows come first, then columns, then boxes.
fn start(unit: Unit, side: usize) -> u16 {
    let kind = match unit.kind {
        UnitKind::Row => 0,
        UnitKind::Column => 1,
        UnitKind::Box => 2,
    };
    ((kind * side + unit.index) * WIDTH) as u16
}
