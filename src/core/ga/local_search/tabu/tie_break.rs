//! The choice among equally good moves: by follow-ups, then by ranks.
//!
//! # Follow-ups
//!
//! Of several equally good moves that do not improve the board, the search prefers the one with the best *follow-up*: the
//! best allowed move of a peer that holds the new value. A follow-up has one of three levels:
//!
//! ```text
//! level   conflicts after both moves   example: cell A goes from 4 to 7, a change of 0; cell B holds 7 without conflict ...
//!     0   fewer than now               ... and can go to 2, which no peer of B holds
//!     1   as many as now               ... and can go to 2, which one peer holds
//!     2   more                         ... and can only go to values that two or more peers hold, or that are tabu for it
//! ```
//!
//! A follow-up counts A at its new value: if B can go to 4, A is not counted there, and the two cells trade their values. A
//! move to a value that more than [`MOST_HOLDERS`] peers hold has level 2. Of moves of the same level the search makes the
//! one with the least rank.
//!
//! Follow-ups cost more than prices. Where the best moves add conflicts there are 96 of them at 49x49 on average, and 3
//! where they add none. So where they add conflicts, only those whose rank is in the lowest eighth of all ranks are followed
//! up, and these go first. No move is followed up where the best moves improve the board, or on a board with [`MANY_PAIRS`]
//! or more: there a search has just begun, and any of the best moves will do.
//!
//! # Ranks
//!
//! A move assigns a candidate to a cell. The number of a move is 64 times the number of the free cell, from 0, plus the
//! number of the candidate among those of the cell, from 0. The rank of a move is a hash of this number and the random word
//! of the step. So the choice does not depend on the order of comparisons: CPU and GPU agree, whatever the number of lanes
//! that share a step, and neither the order of the list of cells nor the layout of candidates in memory changes a run.
//!
//! The hash is a bijection of [`RANK_BITS`] bits, so that different moves have different ranks. It has 21 bits because a
//! rank then fits in one word together with a level and a change of fitness, which is -175 to 175 on the largest board; the
//! largest number of a move has 18 bits.
//!
//! The mixing steps are those of the finaliser of MurmurHash3 (Appleby, public domain), cut to these bits. A shift
//! by more than half of the bits is its own inverse.

use fearless_simd::prelude::*;
use fearless_simd::{Select, Simd, mask32x16, u32x16};

use super::super::candidate_graph::SLOTS;
use super::conflicts::ConflictTable;
use super::evaluate::{FORBIDDEN, Move, Prices, ZERO, change_of, equal};
use crate::board::MAX_SIDE;

/// With as many conflicting pairs no move is followed up. With fewer, a count is at most 29, so that all prices are exact:
/// steps that are priced candidate by candidate follow up nothing.
pub const MANY_PAIRS: i32 = 128;
/// With more holders of its new value a move is not followed up.
pub const MOST_HOLDERS: u8 = 3;
/// If the best move adds conflicts, moves with lower ranks than this are followed up: an eighth.
pub const FOLLOWED_RANKS: u32 = 1 << (RANK_BITS - 3);
/// The level of a move that is not followed up.
pub const NOT_FOLLOWED: u32 = 3;

/// The moves of a step that are equally good, and the first of those considered so far.
#[derive(Debug)]
pub struct TiedMoves {
    /// Their price.
    pub price: u8,
    /// Whether tabu moves with this price are among them.
    pub aspires: bool,
    ranks: TieBreak,
    /// Moves with lower ranks are followed up.
    limit: u32,
    /// The level of the first of the moves that were followed up, above its rank.
    first: u32,
    /// Where not all moves are followed up, the least rank in each lane.
    least: [u32; LANES.len()],
    /// The moves that follow-ups evaluated.
    pub moves: u64,
}

impl TiedMoves {
    /// The moves with this price, on a board with this number of conflicting pairs.
    pub fn new(price: u8, aspires: bool, ranks: TieBreak, pairs: i32) -> Self {
        let limit = match (pairs, change_of(price)) {
            (MANY_PAIRS.., _) | (_, ..0) => 0,
            (_, 0) => 1 << RANK_BITS,
            _ => FOLLOWED_RANKS,
        };
        let least = [u32::MAX; LANES.len()];
        Self { price, aspires, ranks, limit, first: u32::MAX, least, moves: 0 }
    }

    /// A word with the rank of the first move in its lowest bits. Moves that were followed up come before the others.
    // Inlined, it makes a search a tenth slower: the compiler then keeps too much in registers around the follow-ups.
    #[inline(never)]
    pub fn first(&self) -> u32 {
        match self.first {
            u32::MAX => self.least.into_iter().fold(u32::MAX, u32::min),
            first => first,
        }
    }

    /// The lanes of a cell's prices that have this price.
    #[inline(always)]
    pub fn lanes<S: Simd, V: Prices<S>>(&self, simd: S, prices: V) -> u64 {
        let ignored = if self.aspires { FORBIDDEN } else { 0 };
        (prices & !ignored).simd_eq(V::splat(simd, self.price)).to_bitmask()
    }

    /// The lanes of the moves to follow up, of a cell with these prices.
    #[inline(always)]
    pub fn followed<S: Simd, V: Prices<S>>(&mut self, simd: S, cell: u16, prices: V) -> u64 {
        let lanes = self.lanes(simd, prices);
        if self.limit > MASK {
            return lanes;
        }
        let mut least = u32x16::from_slice(simd, &self.least);
        let mut followed = 0;
        for start in (0..V::LEN as u8).step_by(LANES.len()) {
            let tied = mask32x16::from_bitmask(simd, lanes >> start & 0xFFFF);
            let ranks = self.ranks.ranks(simd, cell, start);
            let ranks = tied.select(ranks, u32x16::splat(simd, u32::MAX));
            least = least.min(ranks);
            followed |= ranks.simd_lt(self.limit).to_bitmask() << start;
        }
        self.least = least.into();
        followed
    }

    /// Follows up these moves of a cell.
    #[inline(always)]
    pub fn follow_up<S: Simd, V: Prices<S>>(
        &mut self,
        simd: S,
        closed: &[u8],
        tables: &ConflictTable<'_>,
        cell: u16,
        mut candidates: u64,
    ) {
        while candidates != 0 {
            let candidate = candidates.trailing_zeros() as u8;
            candidates &= candidates - 1;
            let level = self.level::<S, V>(simd, closed, tables, cell, candidate);
            self.first = self.first.min(level << RANK_BITS | self.ranks.rank(cell, candidate));
        }
    }

    /// The level of a move by its follow-up.
    #[inline(always)]
    fn level<S: Simd, V: Prices<S>>(
        &mut self,
        simd: S,
        closed: &[u8],
        tables: &ConflictTable<'_>,
        cell: u16,
        candidate: u8,
    ) -> u32 {
        let (graph, at) = (tables.graph, usize::from(cell));
        let place = at * V::LEN + usize::from(candidate);
        if tables.counts[place] > MOST_HOLDERS {
            return 2;
        }
        let left = graph.values[at * V::LEN + usize::from(tables.held(cell))];
        let taken = graph.values[place];
        let (values, _) = tables.slot_values.as_chunks::<SLOTS>();
        let (cells, _) = graph.slot_cells.as_chunks::<SLOTS>();
        let [in_row, in_col, in_box] = graph.slots[at];
        let holders = [
            equal(simd, &values[usize::from(in_row) / SLOTS], taken),
            equal(simd, &values[usize::from(in_col) / SLOTS], taken),
            equal(simd, &values[usize::from(in_box) / SLOTS], taken) & graph.box_only[at],
        ];
        let mut best = V::splat(simd, u8::MAX);
        for (slot, mut holders) in [in_row, in_col, in_box].into_iter().zip(holders) {
            let cells = &cells[usize::from(slot) / SLOTS];
            while holders != 0 {
                let peer = cells[holders.trailing_zeros() as usize % SLOTS];
                holders &= holders - 1;
                self.moves += u64::from(graph.candidates[usize::from(peer)]) - 1;
                let row = usize::from(peer) * V::LEN;
                let values = V::from_slice(simd, &graph.values[row..][..V::LEN]);
                let counts = &tables.counts[row..][..V::LEN];
                let closed = V::from_slice(simd, &closed[row..][..V::LEN]);
                // The first cell adds one conflict.
                let conflicts = counts[usize::from(tables.held(peer)) % V::LEN] + 1;
                // One less where the value is the one that the first cell leaves.
                let after = V::from_slice(simd, counts) + (values ^ left).min(1) - 1;
                best = best.min((after + ZERO.wrapping_sub(conflicts)) | closed);
            }
        }
        // The price of a follow-up that takes back what the move adds.
        let even = V::splat(simd, 2 * ZERO - self.price);
        2 - u32::from(best.simd_le(even).any_true()) - u32::from(best.simd_lt(even).any_true())
    }
}

/// Bits of a rank.
pub const RANK_BITS: u32 = 21;
/// By how much bits are shifted onto lower ones.
pub const RANK_SHIFT: u32 = 11;
/// What they are multiplied by in between.
pub const RANK_MULTIPLIERS: [u32; 2] = [0x0B_CA6B, 0x12_AE35];
/// Numbers of a cell: as many as it may have candidates.
pub const CELL_NUMBERS: u32 = MAX_SIDE as u32;

/// The numbers of the lanes of a vector of ranks.
const LANES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The bits of a rank.
pub const MASK: u32 = (1 << RANK_BITS) - 1;

/// What undoes the multiplications, the last one first.
pub const INVERSE_MULTIPLIERS: [u32; 2] =
    [inverse(RANK_MULTIPLIERS[1]), inverse(RANK_MULTIPLIERS[0])];

/// The inverse of an odd number, by Newton's method: each step doubles the number of right bits,
/// of which an odd number as its own inverse has three.
const fn inverse(odd: u32) -> u32 {
    let mut inverse = odd;
    let mut bits = 3;
    while bits < u32::BITS {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// The ranks of one step.
#[derive(Clone, Copy, Debug)]
pub struct TieBreak {
    word: u32,
}

impl TieBreak {
    /// Those of a step with this random word.
    #[inline]
    pub fn new(word: u32) -> Self {
        Self { word: word >> (u32::BITS - RANK_BITS) }
    }

    /// The rank of the move that gives a free cell one of its candidates.
    #[inline]
    pub fn rank(self, cell: u16, candidate: u8) -> u32 {
        let mut rank = (u32::from(cell) * CELL_NUMBERS + u32::from(candidate)) ^ self.word;
        for multiplier in RANK_MULTIPLIERS {
            rank ^= rank >> RANK_SHIFT;
            rank = rank.wrapping_mul(multiplier) & MASK;
        }
        rank ^ rank >> RANK_SHIFT
    }

    /// The ranks of 16 candidates of a cell, from `first`.
    #[inline(always)]
    fn ranks<S: Simd>(self, simd: S, cell: u16, first: u8) -> u32x16<S> {
        let number = u32::from(cell) * CELL_NUMBERS + u32::from(first);
        let mut ranks = (u32x16::from_slice(simd, &LANES) + number) ^ self.word;
        for multiplier in RANK_MULTIPLIERS {
            ranks ^= ranks >> RANK_SHIFT;
            ranks = (ranks * multiplier) & MASK;
        }
        ranks ^ (ranks >> RANK_SHIFT)
    }

    /// The move whose rank is in the lowest bits of a word, with this price.
    #[inline]
    pub fn move_of(self, word: u32, price: u8) -> Move {
        let mut number = word & MASK;
        for multiplier in INVERSE_MULTIPLIERS {
            number ^= number >> RANK_SHIFT;
            number = number.wrapping_mul(multiplier) & MASK;
        }
        number ^= number >> RANK_SHIFT;
        number ^= self.word;
        Move {
            cell: (number / CELL_NUMBERS) as u16,
            candidate: (number % CELL_NUMBERS) as u8,
            change: change_of(price),
        }
    }
}
