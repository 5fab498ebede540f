//! Duplicate cells, which are marked on a board that is not solved.
//!
//! In `1 1 | 3 4` the first two cells are duplicates; blanks never are.

use crate::board::{BLANK, Geometry};

/// For every cell, whether another cell of its row, column or box holds the same value. Blanks and
/// values above the side are no values.
pub fn duplicates(geometry: Geometry, cells: &[u8]) -> Vec<bool> {
    let side = geometry.side();
    let cells = &cells[..cells.len().min(geometry.cells())];
    let mut marks = vec![false; geometry.cells()];
    for unit in geometry.units() {
        let mut times = vec![0; side + 1];
        let held = |cell: usize| {
            let value = cells.get(cell).map_or(BLANK, |value| *value).into();
            if value <= side { value } else { usize::from(BLANK) }
        };
        geometry.unit_cells(unit).for_each(|cell| times[held(cell)] += 1);
        times[usize::from(BLANK)] = 0;
        for cell in geometry.unit_cells(unit) {
            marks[cell] |= times[held(cell)] > 1;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_value_in_a_unit_are_marked() {
        let geometry = Geometry::new(2, 2).unwrap();
        let board = [1, 0, 0, 1, 0, 2, 0, 0, 0, 2, 3, 0, 9, 9, 0, 3];
        let marks = duplicates(geometry, &board);
        let found: Vec<usize> = (0..16).filter(|cell| marks[*cell]).collect();
        // The row of the ones, the column of the twos, the box of the threes; 9 is no value.
        assert_eq!(found, [0, 3, 5, 9, 10, 15]);
    }
}
