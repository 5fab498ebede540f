//! Fish: a place of a value remains if some assignment of the value to all rows, columns and boxes uses it.
//!
//! A value occurs once in each row and once in each column: its rows and columns are matched. If in
//! `k` rows its places lie in `k` columns, it has no other place in these columns (an X-wing for
//! 2, a swordfish for 3). [`all_different`] over rows and their columns finds this for every `k`,
//! and likewise with rows and columns exchanged.
//!
//! The value occurs once in each row of a band and once in each of the band's boxes, and a
//! band has as many rows as boxes: these are matched as well, and so are the columns and boxes of a
//! stack. If in `k` rows of a band its places lie in `k` boxes, it has no other place in these
//! boxes; `k = 1` is known as locked candidates.

use crate::board::candidate_grid::{CandidateGrid, CellValue, Worklist};
use crate::board::matching::{all_different, members};
use crate::board::{Contradiction, MAX_SIDE, Region};

/// Removes the places that no assignment of the value uses, until nothing changes.
pub fn fish(grid: &mut CandidateGrid, values: &mut Worklist) -> Result<(), Contradiction> {
    while let Some(value) = values.take(grid, |gone| [usize::from(gone.value)]) {
        let geometry = grid.geometry;
        let (side, rows, columns) = (geometry.side(), geometry.box_rows(), geometry.box_cols());
        let board = LineSet { first: 0, count: side, run: 1, area: Region::Board };
        filter(grid, value, board)?;
        for band in 0..geometry.bands() {
            let area = Region::Band(band);
            filter(grid, value, LineSet { first: band * rows, count: rows, run: columns, area })?;
        }
        for stack in 0..geometry.stacks() {
            let area = Region::Stack(stack);
            let first = side + stack * columns;
            filter(grid, value, LineSet { first, count: columns, run: rows, area })?;
        }
    }
    Ok(())
}

/// Adjacent lines, each divided into as many segments as there are lines.
struct LineSet {
    /// The number of the first unit.
    first: usize,
    /// The number of lines, and of segments of each.
    count: usize,
    /// Cells of a segment.
    run: usize,
    /// The region that they form.
    area: Region,
}

/// Removes the value's places in the segments that no assignment uses.
fn filter(grid: &mut CandidateGrid, value: usize, lines: LineSet) -> Result<(), Contradiction> {
    let mut domains = [0u64; MAX_SIDE];
    let run = u64::MAX >> (64 - lines.run);
    for (line, domain) in domains[..lines.count].iter_mut().enumerate() {
        let places = grid.places(lines.first + line, value);
        for index in 0..lines.count {
            *domain |= u64::from(places >> (index * lines.run) & run != 0) << index;
        }
    }
    let none = Contradiction::NoArrangement { area: lines.area, value: value as u8 + 1 };
    let used = all_different(&domains[..lines.count]).ok_or(none)?;
    for line in 0..lines.count {
        let unit = lines.first + line;
        for index in members(domains[line] & !used[line]) {
            let run = run << (index * lines.run);
            for place in members(grid.places(unit, value) & run) {
                let cell = usize::from(grid.unit_cells(unit)[place]);
                grid.remove_checked(CellValue::new(cell, value))?;
            }
        }
    }
    grid.propagate_checked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::candidate_grid::Singles;

    /// Restricts value 1 on a blank board to the given places of some units, each by the number of
    /// the unit and its places; returns how many places fish leaves to the value in each unit.
    fn left(shape: &str, kept: &[(usize, &[usize])]) -> Result<Vec<u32>, Contradiction> {
        let mut grid = CandidateGrid::new(shape.parse().unwrap(), Singles::Hidden);
        for (unit, places) in kept {
            for place in (0..grid.geometry.side()).filter(|place| !places.contains(place)) {
                let cell = usize::from(grid.unit_cells(*unit)[place]);
                if grid.candidates()[cell] & 1 == 1 {
                    grid.remove_checked(CellValue::new(cell, 0))?;
                }
            }
        }
        let side = grid.geometry.side();
        fish(&mut grid, &mut Worklist::new(side))?;
        Ok((0..3 * side).map(|unit| grid.places(unit, 0).count_ones()).collect())
    }

    #[test]
    fn two_rows_with_places_in_two_columns_clear_these() {
        let left = left("3x3", &[(0, &[1, 5]), (4, &[1, 5])]).unwrap();
        assert_eq!(left[9..18], [7, 2, 7, 7, 7, 2, 7, 7, 7]);
    }

    #[test]
    fn a_row_with_places_in_one_box_clears_it() {
        let left = left("2x3", &[(0, &[0, 2])]).unwrap();
        assert_eq!(left[..6], [2, 3, 6, 6, 6, 6]);
        assert_eq!(left[12..], [2, 3, 6, 6, 6, 6]);
    }

    #[test]
    fn two_columns_with_places_in_two_boxes_clear_them() {
        // Columns 1 and 2 of a 9x9 board have none in the lowest band: column 3 has all of its.
        let upper: &[usize] = &[0, 1, 2, 3, 4, 5];
        let left = left("3x3", &[(9, upper), (10, upper)]).unwrap();
        assert_eq!(left[9..12], [6, 6, 3]);
    }

    #[test]
    fn more_rows_than_columns_or_boxes_contradict() {
        let pair: &[usize] = &[1, 5];
        let found = left("3x3", &[(0, pair), (4, pair), (8, pair)]).unwrap_err();
        assert_eq!(found, Contradiction::NoArrangement { area: Region::Board, value: 1 });
        assert_eq!(found.to_string(), "1 cannot be placed in all rows and columns");
        let first_box: &[usize] = &[0, 1, 2];
        let found = left("3x3", &[(0, first_box), (1, first_box)]).unwrap_err();
        assert_eq!(found.to_string(), "1 cannot be placed in all rows and boxes of band 1");
    }
}
