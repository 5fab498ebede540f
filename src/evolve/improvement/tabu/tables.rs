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

use super::space::{Space, WIDTH};

/// Where a cell stands that is not in the list.
const NOWHERE: u16 = u16::MAX;

/// How often each value stands in the row, the column and the box of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a>([&'a [u8; WIDTH]; 3]);

impl Around<'_> {
    /// Cells that hold the value `candidate + 1`, counted in each of the three.
    #[inline]
    pub fn of(self, candidate: u8) -> i32 {
        self.0.iter().map(|unit| i32::from(unit[usize::from(candidate) % WIDTH])).sum()
    }
}

/// What a search changes, in working memory that it overwrites at the start.
#[derive(Debug)]
pub struct Tables<'a> {
    space: &'a Space,
    /// The candidate that each free cell holds.
    pub held: &'a mut [u32],
    /// At each place, how many cells hold the value in the unit.
    pub counts: &'a mut [u8],
    /// At each place, the exclusive or of these cells' numbers plus one; fixed cells are 0.
    holders: &'a mut [u16],
    /// Where each free cell stands in `list`, or [`NOWHERE`].
    places: &'a mut [u16],
    /// The free cells in conflict, the last of which takes the place of one that leaves.
    list: &'a mut [u16],
    listed: usize,
    /// Pairs of cells that hold the same value, counted in each unit that they share.
    pub pairs: i32,
}

impl<'a> Tables<'a> {
    /// Words of working memory.
    pub fn words(space: &Space) -> usize {
        let cells = space.cells.len();
        cells + (2 * cells + space.entries()).div_ceil(2) + space.entries().div_ceil(4)
    }

    /// The tables of `board`, whose free cells hold candidates of theirs.
    pub fn new(space: &'a Space, board: &[u8], words: &'a mut [u32]) -> Self {
        let (cells, entries) = (space.cells.len(), space.entries());
        let (held, words) = words.split_at_mut(cells);
        let (halves, words) = words.split_at_mut((2 * cells + entries).div_ceil(2));
        let halves: &mut [u16] = bytemuck::cast_slice_mut(halves);
        let (places, halves) = halves.split_at_mut(cells);
        let (list, halves) = halves.split_at_mut(cells);
        let holders = &mut halves[..entries];
        let counts = &mut bytemuck::cast_slice_mut(words)[..entries];
        let mut tables = Self { space, held, counts, holders, places, list, listed: 0, pairs: 0 };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &[u8]) {
        self.counts.fill(0);
        self.holders.fill(0);
        self.places.fill(NOWHERE);
        for place in &self.space.fixed {
            self.pairs += i32::from(self.counts[usize::from(*place)]);
            self.counts[usize::from(*place)] += 1;
        }
        for (cell, starts) in self.space.starts.windows(2).enumerate() {
            let value = board[usize::from(self.space.cells[cell])];
            let own = &self.space.candidates[starts[0] as usize..starts[1] as usize];
            let rank = own.iter().position(|own| *own + 1 == value).unwrap_or(0);
            self.held[cell] = starts[0] + rank as u32;
            for place in self.space.places(cell as u16, self.held[cell]) {
                self.pairs += i32::from(self.counts[place]);
                self.counts[place] += 1;
                self.holders[place] ^= cell as u16 + 1;
            }
        }
        for cell in 0..self.held.len() as u16 {
            self.list_if_conflicting(cell);
        }
    }

    /// The free cells in conflict.
    #[inline]
    pub fn conflicting(&self) -> &[u16] {
        &self.list[..self.listed]
    }

    /// The counts of all values in a cell's row, column and box.
    #[inline]
    pub fn counts_around(&self, cell: u16) -> Around<'_> {
        let (units, _) = self.counts.as_chunks::<WIDTH>();
        Around(self.space.units[usize::from(cell)].map(|unit| &units[usize::from(unit) / WIDTH]))
    }

    /// The conflicts of a free cell: the others that hold its value, counted in each unit.
    #[inline]
    pub fn conflicts(&self, cell: u16) -> i32 {
        let held = self.held[usize::from(cell)];
        self.counts_around(cell).of(self.space.candidates[held as usize]) - 3
    }

    /// Gives `cell` another candidate, by which `pairs` changes by `change`.
    pub fn make(&mut self, cell: u16, candidate: u32, change: i32) {
        let left = self.space.places(cell, self.held[usize::from(cell)]);
        let taken = self.space.places(cell, candidate);
        self.held[usize::from(cell)] = candidate;
        self.pairs += change;
        for place in left {
            self.counts[place] -= 1;
            self.holders[place] ^= cell + 1;
            if self.counts[place] == 1 && self.holders[place] != 0 {
                let other = self.holders[place] - 1;
                if self.conflicts(other) == 0 {
                    self.unlist(other);
                }
            }
        }
        for place in taken {
            if self.counts[place] == 1 && self.holders[place] != 0 {
                self.list(self.holders[place] - 1);
            }
            self.counts[place] += 1;
            self.holders[place] ^= cell + 1;
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
        }
    }

    /// Writes the free cells into `board`.
    pub fn write(&self, board: &mut [u8]) {
        for (cell, held) in self.space.cells.iter().zip(&*self.held) {
            board[usize::from(*cell)] = self.space.candidates[*held as usize] + 1;
        }
    }
}
