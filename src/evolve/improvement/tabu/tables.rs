//! The board of a tabu search: counts of each value in each unit, and the cells in conflict.
//!
//! Beside each count stands the exclusive or of the cells that make it up. When a count falls to
//! one, that is the cell that is left; when it was one, the cell that a newcomer meets. So the
//! list of conflicting cells follows a move in constant time, except that a newcomer to two or
//! more finds all of them in the list already.
//!
//! A row in which cells 4, 7 and 9 hold a 5 counts 3 there, with 4^7^9. Cells 7 and 9 move away:
//! the count is 1, the exclusive or 4, and cell 4 leaves the list unless its column or box keeps
//! it there.
//!
//! Units and values have places for as many as an index of theirs can say, so that none is checked.

use bytemuck::{Pod, Zeroable};

use super::space::Space;
use crate::board::MAX_SIDE;

/// Where a cell stands that is not in the list.
const NOWHERE: u16 = u16::MAX;
/// Units that there are places for.
const UNITS: usize = 1 << u8::BITS;

/// A number for each value.
type Row<T> = [T; MAX_SIDE];

/// A free cell.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Cell {
    /// Its row, its column and its box.
    pub units: [u8; 3],
    /// The value that it holds, less one.
    pub held: u8,
}

/// In each unit, how many cells hold each value.
pub type Counts = [Row<u8>; UNITS];

/// Cells that hold the value `value + 1`, counted in the row, the column and the box of a cell.
#[inline(always)]
pub fn count(counts: &Counts, cell: Cell, value: u8) -> u8 {
    let value = usize::from(value) % MAX_SIDE;
    let [row, column, block] = cell.units.map(|unit| counts[usize::from(unit)][value]);
    row + column + block
}

/// What a search changes, in working memory that it overwrites at the start.
#[derive(Debug)]
pub struct Tables<'a> {
    space: &'a Space,
    /// The free cells.
    pub cells: &'a mut [Cell],
    /// How many cells hold each value in each unit.
    pub counts: &'a mut Counts,
    /// The exclusive or of these cells' numbers plus one; fixed cells are 0.
    holders: &'a mut [Row<u16>; UNITS],
    /// Where each free cell stands in `list`, or [`NOWHERE`].
    places: &'a mut [u16],
    /// The free cells in conflict, the last of which takes the place of one that leaves.
    list: &'a mut [u16],
    listed: usize,
    /// Candidates of the cells in the list.
    candidates: u64,
    /// Pairs of cells that hold the same value, counted in each unit that they share.
    pub pairs: i32,
}

impl<'a> Tables<'a> {
    /// Words of working memory.
    pub fn words(space: &Space) -> usize {
        UNITS * MAX_SIDE * 3 / 4 + 2 * space.cells.len()
    }

    /// The tables of `board`, whose free cells hold candidates of theirs.
    pub fn new(space: &'a Space, board: &[u8], words: &'a mut [u32]) -> Self {
        let free = space.cells.len();
        let (counts, words) = words.split_at_mut(UNITS * MAX_SIDE / 4);
        let (holders, words) = words.split_at_mut(UNITS * MAX_SIDE / 2);
        let (cells, words) = words.split_at_mut(free);
        let (places, list) = bytemuck::cast_slice_mut(&mut words[..free]).split_at_mut(free);
        let mut tables = Self {
            space,
            cells: bytemuck::cast_slice_mut(cells),
            counts: bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(counts)),
            holders: bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(holders)),
            places,
            list,
            listed: 0,
            candidates: 0,
            pairs: 0,
        };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &[u8]) {
        self.counts[..self.space.units].as_flattened_mut().fill(0);
        self.holders[..self.space.units].as_flattened_mut().fill(0);
        self.places.fill(NOWHERE);
        for (unit, value) in &self.space.fixed {
            let count = &mut self.counts[usize::from(*unit)][usize::from(*value) % MAX_SIDE];
            self.pairs += i32::from(*count);
            *count += 1;
        }
        for (cell, units) in (0..).zip(&self.space.around) {
            let value = board[usize::from(self.space.cells[usize::from(cell)])];
            let mut own = self.space.candidates_of(cell);
            let first = own.next().unwrap_or(0);
            let held = own.find(|own| *own + 1 == value).unwrap_or(first);
            self.cells[usize::from(cell)] = Cell { units: *units, held };
            for unit in units {
                let (unit, held) = (usize::from(*unit), usize::from(held) % MAX_SIDE);
                self.pairs += i32::from(self.counts[unit][held]);
                self.counts[unit][held] += 1;
                self.holders[unit][held] ^= cell + 1;
            }
        }
        for cell in 0..self.cells.len() as u16 {
            self.list_if_conflicting(cell);
        }
    }

    /// The free cells in conflict.
    #[inline]
    pub fn conflicting(&self) -> &[u16] {
        &self.list[..self.listed]
    }

    /// Changes of the conflicting cells, those that change nothing left out.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.candidates - self.listed as u64
    }

    /// The conflicts of a free cell: the others that hold its value, counted in each unit.
    #[inline]
    pub fn conflicts(&self, cell: u16) -> u8 {
        let cell = self.cells[usize::from(cell)];
        count(self.counts, cell, cell.held) - 3
    }

    /// Gives `cell` another value, by which `pairs` changes by `change`.
    #[inline]
    pub fn make(&mut self, cell: u16, value: u8, change: i32) {
        let Cell { units, held } = self.cells[usize::from(cell)];
        let (left, taken) = (usize::from(held) % MAX_SIDE, usize::from(value) % MAX_SIDE);
        self.cells[usize::from(cell)].held = value;
        self.pairs += change;
        for unit in units.map(usize::from) {
            self.counts[unit][left] -= 1;
            self.holders[unit][left] ^= cell + 1;
            if self.counts[unit][left] == 1 && self.holders[unit][left] != 0 {
                let other = self.holders[unit][left] - 1;
                if self.conflicts(other) == 0 {
                    self.unlist(other);
                }
            }
        }
        for unit in units.map(usize::from) {
            if self.counts[unit][taken] == 1 && self.holders[unit][taken] != 0 {
                self.list(self.holders[unit][taken] - 1);
            }
            self.counts[unit][taken] += 1;
            self.holders[unit][taken] ^= cell + 1;
        }
        self.list_if_conflicting(cell);
    }

    #[inline]
    fn list_if_conflicting(&mut self, cell: u16) {
        if self.conflicts(cell) > 0 {
            self.list(cell);
        } else {
            self.unlist(cell);
        }
    }

    #[inline]
    fn list(&mut self, cell: u16) {
        if self.places[usize::from(cell)] == NOWHERE {
            self.places[usize::from(cell)] = self.listed as u16;
            self.list[self.listed] = cell;
            self.listed += 1;
            self.candidates += u64::from(self.space.candidates[usize::from(cell)]);
        }
    }

    #[inline]
    fn unlist(&mut self, cell: u16) {
        let place = self.places[usize::from(cell)];
        if place != NOWHERE {
            self.listed -= 1;
            let last = self.list[self.listed];
            self.list[usize::from(place)] = last;
            self.places[usize::from(last)] = place;
            self.places[usize::from(cell)] = NOWHERE;
            self.candidates -= u64::from(self.space.candidates[usize::from(cell)]);
        }
    }

    /// Writes the free cells into `board`.
    pub fn write(&self, board: &mut [u8]) {
        for (cell, held) in self.space.cells.iter().zip(&*self.cells) {
            board[usize::from(*cell)] = held.held + 1;
        }
    }
}
