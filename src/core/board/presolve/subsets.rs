//! Subsets: a candidate remains if some assignment of different values to the unit's cells uses it.
//!
//! If `k` cells of a unit have `k` candidates between them, no other cell of it holds one of
//! these values (a naked subset); if `k` values have `k` places between them, these cells hold nothing
//! else (a hidden one). Both are found for every `k` at once, by [`all_different`] over the unit's
//! cells and their candidates.

use crate::board::candidate_grid::{CandidateGrid, CellValue, Worklist};
use crate::board::matching::{all_different, members};
use crate::board::{Contradiction, MAX_SIDE};

/// Removes the candidates that no assignment uses, until nothing changes.
pub fn subsets(grid: &mut CandidateGrid, units: &mut Worklist) -> Result<(), Contradiction> {
    while let Some(unit) = units.take(grid, |gone| grid.units_with(gone.cell.into())) {
        let domains = domains(grid, unit);
        let side = grid.geometry.side();
        let used = all_different(&domains[..side]).ok_or_else(|| no_matching(grid, unit))?;
        for place in 0..side {
            let cell = usize::from(grid.unit_cells(unit)[place]);
            for value in members(domains[place] & !used[place]) {
                grid.remove_checked(CellValue::new(cell, value))?;
            }
        }
        grid.propagate_checked()?;
    }
    Ok(())
}

/// Checks that the cells of every unit can hold different values.
pub fn check(grid: &CandidateGrid) -> Result<(), Contradiction> {
    let side = grid.geometry.side();
    let holds = |unit: &usize| all_different(&domains(grid, *unit)[..side]).is_some();
    (0..3 * side).find(|unit| !holds(unit)).map_or(Ok(()), |unit| Err(no_matching(grid, unit)))
}

fn domains(grid: &CandidateGrid, unit: usize) -> [u64; MAX_SIDE] {
    let mut domains = [0; MAX_SIDE];
    for (domain, cell) in domains.iter_mut().zip(grid.unit_cells(unit)) {
        *domain = grid.candidates()[usize::from(*cell)];
    }
    domains
}

fn no_matching(grid: &CandidateGrid, unit: usize) -> Contradiction {
    Contradiction::NoMatching { unit: grid.geometry.unit(unit) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::candidate_grid::Singles;
    use crate::board::{Unit, UnitKind};

    /// The candidates of row 1 of a blank 9x9 board in which three of its cells are restricted to `set`.
    fn triple(set: u64) -> Result<Vec<u64>, Contradiction> {
        let mut grid = CandidateGrid::new("3x3".parse().unwrap(), Singles::Hidden);
        for (cell, value) in [1, 4, 8].into_iter().flat_map(|cell| (0..9).map(move |v| (cell, v))) {
            if set >> value & 1 == 0 {
                grid.remove_checked(CellValue::new(cell, value))?;
            }
        }
        subsets(&mut grid, &mut Worklist::new(27))?;
        Ok(grid.candidates()[..9].to_vec())
    }

    #[test]
    fn three_cells_with_three_candidates_exclude_them_from_others() {
        let row = triple(0b000_101_010).unwrap();
        for (cell, set) in row.iter().enumerate() {
            let own = [1, 4, 8].contains(&cell);
            assert_eq!(*set, if own { 0b000_101_010 } else { 0b111_010_101 }, "cell {cell}");
        }
    }

    #[test]
    fn three_cells_with_two_candidates_contradict() {
        let unit = Unit { kind: UnitKind::Row, index: 0 };
        assert_eq!(triple(0b11).unwrap_err(), Contradiction::NoMatching { unit });
    }

    #[test]
    fn a_unit_that_cannot_hold_its_values_is_named() {
        let mut grid = CandidateGrid::new("3x3".parse().unwrap(), Singles::Hidden);
        assert!(check(&grid).is_ok());
        // Three cells of the last box, no two of them in one row or column, have two candidates between them.
        for cell in [60, 70, 80] {
            (2..9).for_each(|value| grid.remove_checked(CellValue::new(cell, value)).unwrap());
        }
        let unit = Unit { kind: UnitKind::Box, index: 8 };
        assert_eq!(check(&grid), Err(Contradiction::NoMatching { unit }));
    }
}
