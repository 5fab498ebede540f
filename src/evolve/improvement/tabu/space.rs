//! What a tabu search reads and never writes: cells, their candidates, and where these count.

use crate::board::{BLANK, Geometry, SearchSpace, UnitKind};
use crate::matching::values_of;

/// A value that a free cell may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it counts in the tables: in the cell's row, column and box.
    pub at: [u16; 3],
    /// The value.
    pub value: u8,
}

/// The free cells of a puzzle and their candidates, cell by cell.
#[derive(Clone, Debug)]
pub struct Space {
    geometry: Geometry,
    /// The cell of the board that each free cell is.
    pub cells: Vec<u16>,
    /// Where the candidates of each free cell start; at the end, where those of the last end.
    pub starts: Vec<u32>,
    /// The candidates of all free cells, those of each ascending.
    pub candidates: Vec<Candidate>,
    /// Places in the tables at which fixed cells count.
    pub fixed: Vec<u16>,
}

impl Space {
    /// The free cells of `space`, each of which may hold the values of `allowed`, a set for each
    /// cell of the board.
    pub fn new(space: &SearchSpace, allowed: &[u64]) -> Self {
        let geometry = space.geometry();
        let mut made = Self {
            geometry,
            cells: space.free.iter().map(|cell| *cell as u16).collect(),
            starts: vec![0],
            candidates: Vec::new(),
            fixed: Vec::new(),
        };
        for cell in &space.free {
            for value in values_of(allowed[*cell]) {
                made.candidates.push(Candidate { at: made.places(*cell, value), value });
            }
            made.starts.push(made.candidates.len() as u32);
        }
        for (cell, value) in space.fixed[..geometry.cells()].iter().enumerate() {
            if *value != BLANK {
                made.fixed.extend(made.places(cell, *value));
            }
        }
        made
    }

    /// Values of a unit in the tables: one more than there are, so that values index from 1.
    fn width(&self) -> usize {
        self.geometry.side() + 1
    }

    /// Entries of the tables: one for each value in each unit.
    pub fn entries(&self) -> usize {
        UnitKind::ALL.len() * self.geometry.side() * self.width()
    }

    /// Where `value` in `cell` counts.
    fn places(&self, cell: usize, value: u8) -> [u16; 3] {
        let side = self.geometry.side();
        let mut kind = 0;
        self.geometry.units_with(cell).map(|unit| {
            let place = (kind * side + unit.index) * self.width() + usize::from(value);
            kind += 1;
            place as u16
        })
    }
}
