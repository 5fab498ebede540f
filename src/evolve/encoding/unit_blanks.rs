//! The blanks of one unit, which an encoding permutes.

use crate::board::{BLANK, SearchSpace, Unit};

/// The blanks of a unit and what they may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitBlanks {
    /// The unit.
    pub unit: Unit,
    /// Its free cells, ascending.
    pub blanks: Vec<usize>,
    /// What each blank may hold: its candidates among the values that the unit lacks.
    pub candidates: Vec<u64>,
}

impl UnitBlanks {
    /// The blanks of `unit`.
    pub fn new(space: &SearchSpace, unit: Unit) -> Self {
        let cells = space.geometry().unit_cells(unit);
        let is_free = |cell: &usize| space.fixed[*cell] == BLANK;
        let held = cells
            .clone()
            .filter(|cell| !is_free(cell))
            .fold(0, |held, cell| held | space.candidates[cell]);
        let blanks: Vec<usize> = cells.filter(is_free).collect();
        let candidates = blanks.iter().map(|cell| space.candidates[*cell] & !held).collect();
        Self { unit, blanks, candidates }
    }

    /// Copies what the blanks hold from one board to another.
    #[inline]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        for cell in &self.blanks {
            to[*cell] = from[*cell];
        }
    }
}
