//! Candidates of cells and places of values, kept consistent, with a trail that undoes changes.
//!
//! Two views of one matrix: for each cell the set of values that it may hold, and for each unit
//! and value the set of the unit's cells that may hold it. A cell with one candidate is a naked
//! single, a value with one place a hidden single; each is found as soon as the last alternative is
//! removed, without a scan, and at a cost proportional to the number of changes.
//!
//! The trail lists the removals in order; undoing restores them in reverse (as in the
//! backtracking of constraint solvers; Aggoun & Beldiceanu, *Time stamps techniques for the
//! trailed data in constraint logic programming systems*, 1990).

use super::matching::members;
use super::{BLANK, CellPos, Contradiction, Geometry, MAX_SIDE};

/// Which singles are propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singles {
    /// Cells with one candidate.
    Naked,
    /// Cells with one candidate, and values with one place in a unit.
    Hidden,
}

/// A candidate: a cell and one of its values, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellValue {
    /// The cell.
    pub cell: u16,
    /// The value, from 0.
    pub value: u8,
}

impl CellValue {
    /// The candidate `value`, from 0, of `cell`.
    pub fn new(cell: usize, value: usize) -> Self {
        Self { cell: cell as u16, value: value as u8 }
    }
}

/// The position of a cell in one of its units.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The unit's first entry in the tables: its number times the side.
    base: u16,
    /// The cell's position among the unit's cells.
    place: u8,
}

/// The candidates of one board.
#[derive(Clone, Debug)]
pub struct CandidateGrid {
    /// The shape of the board.
    pub geometry: Geometry,
    /// Which singles are propagated.
    propagated: Singles,
    /// Each cell's positions in its row, column and box.
    links: Vec<[Link; 3]>,
    /// Cells by unit and place.
    cells: Vec<u16>,
    /// Values by cell.
    candidates: Vec<u64>,
    /// Places by unit and value.
    places: Vec<u64>,
    trail: Vec<CellValue>,
    /// Singles that are not propagated yet.
    singles: Vec<CellValue>,
}

impl CandidateGrid {
    /// The grid of a blank board, which propagates the singles named by `propagated`.
    pub fn new(geometry: Geometry, propagated: Singles) -> Self {
        let side = geometry.side();
        let mut links = vec![[Link { base: 0, place: 0 }; 3]; geometry.cells()];
        let mut cells = Vec::with_capacity(3 * geometry.cells());
        for (number, unit) in geometry.units().enumerate() {
            for (place, cell) in geometry.unit_cells(unit).enumerate() {
                links[cell][number / side] =
                    Link { base: (number * side) as u16, place: place as u8 };
                cells.push(cell as u16);
            }
        }
        let all = geometry.all_values();
        let (candidates, places) = (vec![all; links.len()], vec![all; cells.len()]);
        let (trail, singles) = (Vec::new(), Vec::new());
        Self { geometry, propagated, candidates, places, links, cells, trail, singles }
    }

    /// Loads a puzzle, one value a cell, and queues all its singles; false when a
    /// cell is left without a candidate or a unit without a place for a value.
    ///
    /// The grid is built at once, since removing the candidates that the givens exclude one by one would cost
    /// more than the search of most puzzles.
    pub fn load(&mut self, givens: &[u8]) -> bool {
        self.trail.clear();
        self.singles.clear();
        self.places.fill(0);
        if givens.len() != self.geometry.cells() {
            return false;
        }
        let Some(used) = self.used(givens) else { return false };
        let side = self.geometry.side();
        for (cell, links) in self.links.iter().enumerate() {
            let given = givens[cell];
            let taken = links.iter().fold(0, |all, link| all | used[usize::from(link.base) / side]);
            let set = match given {
                BLANK => self.geometry.all_values() & !taken,
                value => 1 << (value - 1),
            };
            self.candidates[cell] = set;
            if set == 0 {
                return false;
            }
            if given == BLANK && set.is_power_of_two() {
                self.singles.push(CellValue::new(cell, set.trailing_zeros() as usize));
            }
            for value in members(set) {
                for link in links {
                    self.places[usize::from(link.base) + value] |= 1 << link.place;
                }
            }
        }
        for (entry, places) in self.places.iter().enumerate() {
            if *places == 0 {
                return false;
            }
            if places.is_power_of_two() && self.propagated == Singles::Hidden {
                let (base, value) = (entry / side * side, entry % side);
                let cell = usize::from(self.cells[base + places.trailing_zeros() as usize]);
                if !self.candidates[cell].is_power_of_two() {
                    self.singles.push(CellValue::new(cell, value));
                }
            }
        }
        true
    }

    /// The values that each unit holds, or `None` if one holds a value twice.
    fn used(&self, givens: &[u8]) -> Option<[u64; 3 * MAX_SIDE]> {
        let side = self.geometry.side();
        let mut used = [0u64; 3 * MAX_SIDE];
        for (links, value) in self.links.iter().zip(givens).filter(|(_, value)| **value != BLANK) {
            if usize::from(*value) > side {
                return None;
            }
            for link in links {
                let unit = &mut used[usize::from(link.base) / side];
                if *unit >> (value - 1) & 1 == 1 {
                    return None;
                }
                *unit |= 1 << (value - 1);
            }
        }
        Some(used)
    }

    /// The values that each cell may hold, value `v` as bit `v - 1`.
    pub fn candidates(&self) -> &[u64] {
        &self.candidates
    }

    /// The cells of a unit, by its number: rows come before columns, columns before boxes.
    pub fn unit_cells(&self, unit: usize) -> &[u16] {
        let side = self.geometry.side();
        &self.cells[unit * side..][..side]
    }

    /// The places of a value, from 0, among the cells of a unit.
    pub fn places(&self, unit: usize, value: usize) -> u64 {
        self.places[unit * self.geometry.side() + value]
    }

    /// The numbers of a cell's units.
    pub fn units_with(&self, cell: usize) -> [usize; 3] {
        self.links[cell].map(|link| usize::from(link.base) / self.geometry.side())
    }

    /// The candidates removed since [`CandidateGrid::mark`] returned `mark`.
    pub fn removed_since(&self, mark: usize) -> &[CellValue] {
        self.trail.get(mark..).unwrap_or_default()
    }

    /// The contradiction, after a method here reported one: a cell without candidates, else a value
    /// without a place.
    pub fn contradiction(&self) -> Contradiction {
        if let Some(cell) = self.candidates.iter().position(|set| *set == 0) {
            return Contradiction::NoCandidate { place: CellPos::of(self.geometry, cell) };
        }
        let side = self.geometry.side();
        let entry = self.places.iter().position(|places| *places == 0).unwrap_or_default();
        let unit = self.geometry.unit(entry / side);
        Contradiction::NoPlace { unit, value: (entry % side) as u8 + 1 }
    }

    /// Loads a puzzle and propagates its singles.
    ///
    /// # Errors
    /// The contradiction.
    pub fn load_and_propagate(&mut self, givens: &[u8]) -> Result<(), Contradiction> {
        if self.load(givens) { self.propagate_checked() } else { Err(self.contradiction()) }
    }

    /// [`CandidateGrid::propagate`] with the contradiction as its error.
    ///
    /// # Errors
    /// The contradiction.
    pub fn propagate_checked(&mut self) -> Result<(), Contradiction> {
        if self.propagate() { Ok(()) } else { Err(self.contradiction()) }
    }

    /// [`CandidateGrid::remove`] with the contradiction as its error.
    ///
    /// # Errors
    /// The contradiction.
    pub fn remove_checked(&mut self, gone: CellValue) -> Result<(), Contradiction> {
        if self.remove(gone) { Ok(()) } else { Err(self.contradiction()) }
    }

    /// The length of the trail, to which [`CandidateGrid::undo`] can return.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Restores everything removed since `mark`.
    pub fn undo(&mut self, mark: usize) {
        self.singles.clear();
        for gone in self.trail.drain(mark..).rev() {
            let (cell, value) = (usize::from(gone.cell), usize::from(gone.value));
            self.candidates[cell] |= 1 << value;
            for link in self.links[cell] {
                self.places[usize::from(link.base) + value] |= 1 << link.place;
            }
        }
    }

    /// Queues a candidate as the only one of its cell.
    pub fn enqueue(&mut self, single: CellValue) {
        self.singles.push(single);
    }

    /// Propagates all queued singles; false on a contradiction.
    pub fn propagate(&mut self) -> bool {
        while let Some(single) = self.singles.pop() {
            if !self.assign(single) {
                return false;
            }
        }
        true
    }

    /// Assigns a single: removes the cell's other candidates, and the value from all its peers.
    fn assign(&mut self, single: CellValue) -> bool {
        let (cell, value) = (usize::from(single.cell), usize::from(single.value));
        let bit = 1u64 << value;
        if self.candidates[cell] & bit == 0 {
            return false;
        }
        for other in members(self.candidates[cell] & !bit) {
            self.candidates[cell] &= !(1 << other);
            if !self.remove_places(cell, other) {
                return false;
            }
        }
        for link in self.links[cell] {
            let base = usize::from(link.base);
            for place in members(self.places[base + value] & !(1 << link.place)) {
                let peer = usize::from(self.cells[base + place]);
                if !self.remove(CellValue::new(peer, value)) {
                    return false;
                }
            }
        }
        true
    }

    /// Removes a candidate and queues the singles that result; false when its cell or its value in a
    /// unit has no alternative left.
    pub fn remove(&mut self, gone: CellValue) -> bool {
        let (cell, value) = (usize::from(gone.cell), usize::from(gone.value));
        let left = self.candidates[cell] & !(1 << value);
        self.candidates[cell] = left;
        if left & left.wrapping_sub(1) == 0 && left != 0 {
            self.singles.push(CellValue::new(cell, left.trailing_zeros() as usize));
        }
        self.remove_places(cell, value) && left != 0
    }

    /// Removes the places of the value (the other view), with an entry in the trail.
    fn remove_places(&mut self, cell: usize, value: usize) -> bool {
        // The trail comes first, before anything can fail, so that undoing restores all three places.
        self.trail.push(CellValue::new(cell, value));
        for link in self.links[cell] {
            let base = usize::from(link.base);
            let left = self.places[base + value] & !(1 << link.place);
            self.places[base + value] = left;
            if left & left.wrapping_sub(1) == 0 {
                if left == 0 {
                    return false;
                }
                if self.propagated == Singles::Naked {
                    continue;
                }
                let place = usize::from(self.cells[base + left.trailing_zeros() as usize]);
                // A cell with one candidate is already queued or propagated.
                if !self.candidates[place].is_power_of_two() {
                    self.singles.push(CellValue::new(place, value));
                }
            }
        }
        true
    }

    /// The lowest candidate of the cell with the fewest candidates, but more than one (*minimum remaining
    /// values*); ties go to the
    /// lowest cell. `None` when every cell has one.
    pub fn mrv(&self) -> Option<CellValue> {
        let mut best: Option<(u32, usize)> = None;
        for (cell, set) in self.candidates.iter().enumerate() {
            let rest = set & (set - 1);
            if rest == 0 {
                continue;
            }
            if rest & (rest - 1) == 0 {
                best = Some((2, cell));
                break;
            }
            let count = set.count_ones();
            if best.is_none_or(|(fewest, _)| count < fewest) {
                best = Some((count, cell));
            }
        }
        best.map(|(_, cell)| CellValue::new(cell, self.candidates[cell].trailing_zeros() as usize))
    }

    /// The board of single candidates, one value a cell.
    pub fn board(&self) -> Vec<u8> {
        self.candidates.iter().map(|set| set.trailing_zeros() as u8 + 1).collect()
    }
}

/// Parts that changed since they were examined. They are taken in turn, so that a part that changes
/// again and again does not delay the others; at first all are listed.
#[derive(Clone, Debug)]
pub struct Worklist {
    parts: Vec<bool>,
    /// The part to examine next.
    next: usize,
    /// The number of removals that were read from the trail.
    mark: usize,
}

impl Worklist {
    /// A list of `parts` parts, all to be examined.
    pub fn new(parts: usize) -> Self {
        Self { parts: vec![true; parts], next: 0, mark: 0 }
    }

    /// The next part to examine, if any; `touched` returns the parts that a removal changes.
    pub fn take<const N: usize>(
        &mut self,
        grid: &CandidateGrid,
        touched: impl Fn(CellValue) -> [usize; N],
    ) -> Option<usize> {
        for gone in grid.removed_since(self.mark) {
            for part in touched(*gone) {
                self.parts[part] = true;
            }
        }
        self.mark = grid.mark();
        let (before, after) = self.parts.split_at(self.next);
        let found = after.iter().position(|stale| *stale).map(|part| part + self.next);
        let part = found.or_else(|| before.iter().position(|stale| *stale))?;
        self.parts[part] = false;
        self.next = part + 1;
        Some(part)
    }
}
