//! What a tabu search reads and never writes: free cells, their candidates, and where these count.

use crate::board::{BLANK, SearchSpace, Unit, UnitKind};

/// At a value that is no candidate of its cell; else 0.
pub const FOREIGN: u8 = u8::MAX;

/// The free cells of a puzzle and their candidates.
#[derive(Clone, Debug)]
pub struct Space {
    /// Values that are priced side by side, at least as many as there are: the length of a row of
    /// `foreign`.
    pub lanes: usize,
    /// Units of the board.
    pub units: usize,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// The row, the column and the box of each free cell.
    pub around: Vec<[u8; 3]>,
    /// Candidates of each free cell.
    pub candidates: Vec<u8>,
    /// A row of values for each free cell: 0 at its candidates, `FOREIGN` elsewhere.
    pub foreign: Vec<u8>,
    /// Units and values that fixed cells count for.
    pub fixed: Vec<(u8, u8)>,
}

impl Space {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let side = geometry.side();
        let lanes = if side <= 32 { side.next_power_of_two().max(16) } else { 64 };
        let around = |cell| geometry.units_with(cell).map(|unit| number(unit, side));
        let row = |cell: &usize| {
            let set = allowed[*cell];
            (0..lanes).map(move |value| if set >> value & 1 == 1 { 0 } else { FOREIGN })
        };
        let fixed = space.fixed[..geometry.cells()].iter().enumerate();
        let fixed = fixed.filter(|(_, value)| **value != BLANK);
        Self {
            lanes,
            units: UnitKind::ALL.len() * side,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            around: space.free.iter().map(|cell| around(*cell)).collect(),
            candidates: space.free.iter().map(|cell| allowed[*cell].count_ones() as u8).collect(),
            foreign: space.free.iter().flat_map(row).collect(),
            fixed: fixed
                .flat_map(|(cell, value)| around(cell).map(|unit| (unit, value - 1)))
                .collect(),
        }
    }

    /// The values that a cell may hold, less one, ascending.
    pub fn candidates_of(&self, cell: u16) -> impl Iterator<Item = u8> + '_ {
        let row = &self.foreign[usize::from(cell) * self.lanes..][..self.lanes];
        (0..).zip(row).filter(|(_, foreign)| **foreign == 0).map(|(value, _)| value)
    }
}

/// The number of a unit: rows come first, then columns, then boxes.
fn number(unit: Unit, side: usize) -> u8 {
    let kind = match unit.kind {
        UnitKind::Row => 0,
        UnitKind::Column => 1,
        UnitKind::Box => 2,
    };
    (kind * side + unit.index) as u8
}
