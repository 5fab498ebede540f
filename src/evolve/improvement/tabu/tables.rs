//! The board of a tabu search: for each cell and value the peers that hold it, and the cells in
//! conflict.
//!
//! A cell has a row of counts, one for each value: how many of its peers hold it. A conflict is a
//! pair of peers that hold the same value, once, also where they share their box and a row or a
//! column. So the count of the value that a cell holds is the number of its conflicts, and a change
//! of value is priced by the difference of two counts in one row. A move pays for that: it changes
//! two counts of each peer.
//!
//! A cell that holds a 5 as two of its peers do has 2 conflicts; where one peer holds a 7, taking 7
//! leaves 1, a change of -1. All its peers then count one 5 less and one 7 more.

use super::space::Space;

/// Where a cell stands that is not in the list.
const NOWHERE: u16 = u16::MAX;

/// What a search changes, in working memory that it overwrites at the start.
#[derive(Debug)]
pub struct Tables<'a> {
    space: &'a Space,
    /// The candidate that each free cell holds.
    pub held: &'a mut [u32],
    /// The value of this candidate, less one.
    values: &'a mut [u8],
    /// A row for each free cell: of each value, how many peers hold it.
    counts: &'a mut [u8],
    /// Where each free cell stands in `list`, or [`NOWHERE`].
    places: &'a mut [u16],
    /// The free cells in conflict, the last of which takes the place of one that leaves.
    list: &'a mut [u16],
    listed: usize,
    /// Pairs of peers that hold the same value.
    pub pairs: i32,
}

impl<'a> Tables<'a> {
    /// Words of working memory.
    pub fn words(space: &Space) -> usize {
        2 * space.cells.len() + (space.cells.len() + space.given.len()).div_ceil(4)
    }

    /// The tables of `board`, whose free cells hold candidates of theirs.
    pub fn new(space: &'a Space, board: &[u8], words: &'a mut [u32]) -> Self {
        let cells = space.cells.len();
        let (held, words) = words.split_at_mut(cells);
        let (places, words) = words.split_at_mut(cells);
        let (places, list) = bytemuck::cast_slice_mut(places).split_at_mut(cells);
        let (values, counts) = bytemuck::cast_slice_mut(words).split_at_mut(cells);
        let counts = &mut counts[..space.given.len()];
        let mut tables = Self { space, held, values, counts, places, list, listed: 0, pairs: 0 };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &[u8]) {
        self.counts.copy_from_slice(&self.space.given);
        self.places.fill(NOWHERE);
        for (cell, starts) in self.space.starts.windows(2).enumerate() {
            let value = board[usize::from(self.space.cells[cell])];
            let own = &self.space.candidates[starts[0] as usize..starts[1] as usize];
            let rank = own.iter().position(|own| *own + 1 == value).unwrap_or(0);
            self.held[cell] = starts[0] + rank as u32;
            self.values[cell] = own[rank];
            // Cells that come later are not counted yet: each pair counts once.
            self.pairs += self.conflicts(cell as u16);
            for peer in self.space.peers(cell as u16) {
                self.counts[usize::from(*peer) * self.space.width + usize::from(own[rank])] += 1;
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

    /// Of each value, how many peers of a free cell hold it.
    #[inline]
    pub fn counts_around(&self, cell: u16) -> &[u8] {
        &self.counts[usize::from(cell) * self.space.width..][..self.space.width]
    }

    /// The conflicts of a free cell: its peers that hold its value.
    #[inline]
    pub fn conflicts(&self, cell: u16) -> i32 {
        self.counts_around(cell)[usize::from(self.values[usize::from(cell)])].into()
    }

    /// Gives `cell` another candidate, by which `pairs` changes by `change`.
    pub fn make(&mut self, cell: u16, candidate: u32, change: i32) {
        let (space, width) = (self.space, self.space.width);
        let left = self.values[usize::from(cell)];
        let taken = space.candidates[candidate as usize];
        self.held[usize::from(cell)] = candidate;
        self.values[usize::from(cell)] = taken;
        self.pairs += change;
        for peer in space.peers(cell) {
            let row = &mut self.counts[usize::from(*peer) * width..][..width];
            row[usize::from(left)] -= 1;
            row[usize::from(taken)] += 1;
            let value = self.values[usize::from(*peer)];
            if value == left && row[usize::from(left)] == 0 {
                self.unlist(*peer);
            } else if value == taken {
                self.list(*peer);
            }
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
        for (cell, value) in self.space.cells.iter().zip(&*self.values) {
            board[usize::from(*cell)] = value + 1;
        }
    }
}
