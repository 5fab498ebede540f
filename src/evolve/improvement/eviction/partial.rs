//! A partial board without conflicts: what each free cell holds, how many peers are in the way of each
//! candidate, and which cells are unassigned.
//!
//! Every place, a free cell's candidate, has a byte: the number of assigned peers that hold its
//! value, 3 at most, and whether the cell holds it. So an assignment reads and writes the bytes of
//! the place's neighbours alone: each counts one more, and those that are held are in the way.
//!
//! Where two peers of a cell hold a 5, its 5 has 2. When it takes the 5, both are evicted: its 5 has
//! 0 then, and theirs have 1.

use super::super::space::Space;
use crate::board::BLANK;

/// At a place whose cell holds it.
const HELD: u8 = 0x80;
/// Peers that may hold a value and none of which is in conflict: one of each kind of unit.
pub const MOST_IN_THE_WAY: usize = 3;

/// What a search changes, in working memory that it overwrites at the start.
#[derive(Debug)]
pub struct PartialBoard<'a> {
    pub space: &'a Space,
    /// For each place how many assigned peers hold its value, and [`HELD`].
    around: &'a mut [u8],
    /// The unassigned cells first: the last of them takes the place of one that leaves, and those
    /// that come are put at the end.
    list: &'a mut [u16],
    unassigned: usize,
}

impl<'a> PartialBoard<'a> {
    /// Words of working memory.
    pub fn words(space: &Space) -> usize {
        space.given.len() / 4 + space.cells.len().div_ceil(2)
    }

    /// That of `board`, whose cells are assigned in their order where no other one is in the way.
    pub fn new(space: &'a Space, board: &[u8], words: &'a mut [u32]) -> Self {
        let (around, list) = words.split_at_mut(space.given.len() / 4);
        let list = &mut bytemuck::cast_slice_mut(list)[..space.cells.len()];
        let around = bytemuck::cast_slice_mut(around);
        let mut partial = Self { space, around, list, unassigned: 0 };
        partial.fill(board);
        partial
    }

    fn fill(&mut self, board: &[u8]) {
        let space = self.space;
        self.around.fill(0);
        self.unassigned = 0;
        for cell in 0..space.cells.len() as u16 {
            let value = board[usize::from(space.cells[usize::from(cell)])];
            match space.places(cell).find(|place| space.values[*place] == value) {
                Some(place) if self.around[place] == 0 => self.hold(place),
                _ => self.leave(cell),
            }
        }
    }

    /// Adds a cell to the unassigned ones, unless it has no candidate.
    #[inline(always)]
    fn leave(&mut self, cell: u16) {
        if self.space.candidates[usize::from(cell)] > 0 {
            self.list[self.unassigned] = cell;
            self.unassigned += 1;
        }
    }

    /// Gives a cell a value.
    fn hold(&mut self, place: usize) {
        self.around[place] |= HELD;
        for peer in self.space.neighbours(place) {
            self.around[*peer as usize] += 1;
        }
    }

    /// Number of unassigned cells that have candidates.
    #[inline(always)]
    pub fn unassigned(&self) -> usize {
        self.unassigned
    }

    /// The unassigned cell at `at` in the list.
    #[inline(always)]
    pub fn cell(&self, at: usize) -> u16 {
        self.list[at]
    }

    /// Peers that hold the value of a place of an unassigned cell.
    #[inline(always)]
    pub fn in_the_way(&self, place: usize) -> usize {
        usize::from(self.around[place]) & MOST_IN_THE_WAY
    }

    /// Gives the cell that stands at `at` in the list one of its places, and evicts who is in the
    /// way, in the order of cells.
    #[inline]
    pub fn assign(&mut self, at: usize, place: usize) {
        let space = self.space;
        let mut evicted = [0; MOST_IN_THE_WAY];
        let mut count = 0;
        for peer in space.neighbours(place) {
            let around = &mut self.around[*peer as usize];
            if *around >= HELD {
                evicted[count & MOST_IN_THE_WAY] = *peer;
                count += 1;
            }
            *around += 1;
        }
        self.around[place] |= HELD;
        self.unassigned -= 1;
        self.list[at] = self.list[self.unassigned];
        for held in &evicted[..count] {
            self.around[*held as usize] &= !HELD;
            for peer in space.neighbours(*held as usize) {
                self.around[*peer as usize] -= 1;
            }
            self.list[self.unassigned] = space.at(*held).0;
            self.unassigned += 1;
        }
    }

    /// Writes the free cells into `board`, the unassigned ones as blanks.
    pub fn write(&self, board: &mut [u8]) {
        let space = self.space;
        for (cell, at) in (0..).zip(&space.cells) {
            let places = space.places(cell);
            if places.is_empty() {
                continue;
            }
            let held = places.into_iter().find(|place| self.around[*place] >= HELD);
            board[usize::from(*at)] = held.map_or(BLANK, |place| space.values[place]);
        }
    }

    /// Fills the blanks of `board`, cell by cell, with the candidate that the fewest peers hold, of
    /// these the least.
    pub fn complete(&mut self, board: &mut [u8]) {
        let space = self.space;
        self.fill(board);
        for at in 0..self.unassigned {
            let cell = self.list[at];
            // Never empty: who has no candidate is not in the list.
            if let Some(place) = space.places(cell).min_by_key(|place| self.around[*place]) {
                board[usize::from(space.cells[usize::from(cell)])] = space.values[place];
                for peer in space.neighbours(place) {
                    self.around[*peer as usize] = (self.around[*peer as usize] + 1) & !HELD;
                }
            }
        }
    }
}
