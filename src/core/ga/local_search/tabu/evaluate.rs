//! The evaluation of the moves of all conflicting cells, with the candidates of a cell side by side.
//!
//! Each candidate of a cell has a lane of a vector, and each lane a price: the number of peers that hold the candidate,
//! minus the number of peers that hold the value of the cell, plus [`ZERO`]. The price has seven bits. The eighth bit is
//! set if the candidate is tabu, and a lane without a candidate is [`FOREIGN`]. So the least lane of all vectors is the best
//! move that is not tabu, and the least lane with the eighth bit flipped is the best tabu move. A second pass finds all
//! lanes that are equal to it.
//!
//! # Kept prices
//!
//! A step changes the prices of few cells: those of the cell that moves, and of its peers that have one of the two values
//! as a candidate. So on large boards each listed cell keeps its two best prices, and a step computes only those that are
//! marked as stale. At 49x49 these are 4 of 44 listed cells, and 6 have a move that is as good as the best.
//!
//! ```text
//! place in the list            0     1     2     3    4 to 63
//! best price                  66    64    65    65    255
//! best tabu price             64    70   127    63    255
//! 255 less the conflicts     254   253   254   254    255
//! stale                        -     -     x     -
//! ```
//!
//! Here the cell at place 2 is priced again; then one pass over each row of 64 bytes finds the least price, and a second
//! one the cells that have it. Small boards price all cells in each step: there a move changes the prices of many of the
//! few cells in conflict.
//!
//! # One vector of prices
//!
//! A cell has the candidates 1, 4, 5 and 8. It holds 4, which one peer holds too, so its move away saves one pair. The
//! peers hold 1 three times, 5 never and 8 twice. Candidate 5 is tabu.
//!
//! ```text
//! lane                      0     1     2     3     4 to 15
//! candidate                 1     4     5     8     none
//! peers that hold it        3     1     0     2     0
//! plus ZERO (64), less 1    66    64    63    65    63
//! closed                    0     0x80  0x80  0     0xFF
//! price: both, by OR        66    192   191   65    255
//! price with bit 8 turned   194   64    63    193   127
//! ```
//!
//! The least price is 65: the best allowed move is to 8, a change of 65 - 64 = +1. The least of the last row is 63:
//! the best forbidden move is to 5, a change of -1. It is made if -1 is below `new_best` (the aspiration criterion):
//! with `new_best` 0 it is, with `new_best` -1 it is not, and the cell takes 8. The value that the cell holds costs 64
//! in the last row, which is never below `new_best + 64`, so no move leaves a cell as it is; neither is 127.
//!
//! # The bound
//!
//! Counts above [`MOST`] (62) are priced as 62. Let `m` be the most conflicts of a listed cell. If `m > 64`, the step is
//! priced candidate by candidate. Otherwise each cell has `0 <= c <= m <= 64` conflicts, and:
//!
//! - A price is `min(count, 62) + 64 - c`, so it is at least 0 and at most 126: seven bits hold it, and it differs from
//!   the 127 of a lane without a candidate.
//! - A price that was cut off is `62 + 64 - c >= 126 - m`, and the true one is higher. So if the best price is below
//!   `126 - m`, no price that was cut off is as good, the lanes that equal it are exact, and the move is the right one.
//! - If the best price is not below `126 - m`, the step is priced candidate by candidate.
//!
//! On a board of 9 by 9 a cell has 20 peers: counts are at most 20 and prices at most 84, below 126 - 20 = 106, so the
//! slow way is never taken there. On larger boards it takes a board that no search comes near.

use fearless_simd::prelude::*;
use fearless_simd::{u8x16, u8x64};

use super::super::candidate_graph::{CandidateGraph, FOREIGN};
use super::conflicts::{BLOCK, CLASSES, ConflictTable, PriceBlock};
use super::tie_break::{TieBreak, TiedMoves};

/// Marks a candidate that is tabu for its cell, or that the cell holds.
pub const FORBIDDEN: u8 = 0x80;
/// The price of a move that does not change the number of conflicts.
pub const ZERO: u8 = 64;
/// Higher counts are priced as this one, so that the highest price is below `FORBIDDEN`.
const MOST: u8 = 62;

/// A vector of prices.
pub trait Prices<S: Simd>: SimdInt<S, Element = u8> {}

impl<S: Simd, V: SimdInt<S, Element = u8>> Prices<S> for V {}

/// A change of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The free cell.
    pub cell: u16,
    /// The candidate that it is given.
    pub candidate: u8,
    /// Change of the number of conflicting pairs.
    pub change: i32,
}

/// The candidates that each cell may not take, and the working memory of a step.
#[derive(Debug)]
pub struct MoveEvaluator<'a> {
    /// For each place 0, [`FORBIDDEN`] or [`FOREIGN`].
    pub closed: &'a mut [u8],
    /// The prices of the conflicting cells, in the order of their list. Where cells keep their prices: the lanes to follow
    /// up of each cell in `tied`, a bit each, in 8 bytes.
    prices: &'a mut [u8],
    /// The cells that have one of the best changes: their indices in the list, or themselves where cells keep their prices.
    tied: &'a mut [u16],
}

impl<'a> MoveEvaluator<'a> {
    /// Words of working memory.
    pub fn words(graph: &CandidateGraph) -> usize {
        graph.foreign.len() / 2 + graph.cells.len().div_ceil(2)
    }

    /// No candidate is tabu; cells may not take the candidates that they hold.
    pub fn new(graph: &CandidateGraph, tables: &ConflictTable<'_>, words: &'a mut [u32]) -> Self {
        let (closed, words) = words.split_at_mut(graph.foreign.len() / 4);
        let (prices, tied) = words.split_at_mut(graph.foreign.len() / 4);
        let closed: &mut [u8] = bytemuck::cast_slice_mut(closed);
        closed.copy_from_slice(&graph.foreign);
        for (cell, closed) in (0..).zip(closed.chunks_exact_mut(graph.lanes)) {
            closed[usize::from(tables.held(cell))] = FORBIDDEN;
        }
        Self {
            closed,
            prices: bytemuck::cast_slice_mut(prices),
            tied: bytemuck::cast_slice_mut(tied),
        }
    }

    /// The best move of a conflicting cell that is not tabu or changes the number of pairs by less than `new_best`, which
    /// is at most 0. Of equally good moves the first by follow-up and rank; `None` if there is no move. Adds to `moves`
    /// those that follow-ups evaluate. With `KEPT` the cells keep their prices from step to step.
    #[inline(always)]
    pub fn choose<S: Simd, V: Prices<S>, const KEPT: bool>(
        &mut self,
        simd: S,
        tables: &mut ConflictTable<'_>,
        new_best: i32,
        ties: TieBreak,
        moves: &mut u64,
    ) -> Option<Move> {
        let [allowed, forbidden, fewest] = if KEPT {
            self.refresh::<S, V>(simd, tables);
            least_kept(simd, tables.blocks())
        } else {
            self.price_all::<S, V>(simd, tables)
        };
        let aspires = i32::from(forbidden) < new_best + i32::from(ZERO);
        let best = if aspires { allowed.min(forbidden) } else { allowed };
        // Every price that was cut off at `MOST` is at least this; 0 if all may be.
        let unknown = ZERO.checked_sub(!fewest).map_or(0, |added| MOST + added);
        if best >= FORBIDDEN && unknown > 0 {
            return None;
        }
        if best >= unknown {
            return self.choose_plainly(tables, new_best, ties);
        }
        let mut tied = TiedMoves::new(best, aspires, ties, tables.pairs);
        match KEPT {
            true => self.consider_kept::<S, V>(simd, tables, &mut tied),
            false => self.consider_all::<S, V>(simd, tables, &mut tied),
        }
        *moves += tied.moves;
        Some(ties.move_of(tied.first(), best))
    }

    /// Computes all prices. The least one, the least one that is tabu, and 255 less the most conflicts of a cell.
    #[inline(always)]
    fn price_all<S: Simd, V: Prices<S>>(&mut self, simd: S, tables: &ConflictTable<'_>) -> [u8; 3] {
        let (mut allowed, mut forbidden) = (V::splat(simd, u8::MAX), V::splat(simd, u8::MAX));
        let mut most = 0;
        let rows = self.prices.chunks_exact_mut(V::LEN);
        for (cell, prices) in tables.conflicting().iter().zip(rows) {
            let (row, conflicts) = row::<S, V>(simd, self.closed, tables, *cell);
            most = conflicts.max(most);
            allowed = allowed.min(row);
            forbidden = forbidden.min(row ^ FORBIDDEN);
            row.store_slice(prices);
        }
        [least(simd, allowed), least(simd, forbidden), !most]
    }

    /// Considers the tied moves, after [`price_all`](Self::price_all).
    #[inline(always)]
    fn consider_all<S: Simd, V: Prices<S>>(
        &mut self,
        simd: S,
        tables: &ConflictTable<'_>,
        tied: &mut TiedMoves,
    ) {
        let list = tables.conflicting();
        // Every cell is written, and kept only if it has such a move: a branch would be mispredicted often.
        let mut count = 0;
        for (place, prices) in (0..).zip(self.prices[..list.len() * V::LEN].chunks_exact(V::LEN)) {
            self.tied[count] = place;
            count += usize::from(tied.lanes(simd, V::from_slice(simd, prices)) != 0);
        }
        for place in self.tied[..count].iter().map(|place| usize::from(*place)) {
            let row = V::from_slice(simd, &self.prices[place * V::LEN..][..V::LEN]);
            let followed = tied.followed(simd, list[place], row);
            tied.follow_up::<S, V>(simd, self.closed, tables, list[place], followed);
        }
    }

    /// Considers the tied moves of cells that keep their prices.
    #[inline(always)]
    fn consider_kept<S: Simd, V: Prices<S>>(
        &mut self,
        simd: S,
        tables: &ConflictTable<'_>,
        tied: &mut TiedMoves,
    ) {
        // No cell has the other one. Without a branch: around it the compiler takes masks apart, byte by byte.
        let tabu_price = if tied.aspires { tied.price } else { u8::MAX - 1 };
        // All ranks are computed before the first follow-up, which then does not wait for them.
        let (followed, _) = self.prices.as_chunks_mut();
        let mut count = 0;
        for (block, cells) in tables.blocks().iter().zip(tables.conflicting().chunks(BLOCK)) {
            let mut places =
                equal(simd, &block[0], tied.price) | equal(simd, &block[1], tabu_price);
            while places != 0 {
                let cell = cells[places.trailing_zeros() as usize];
                places &= places - 1;
                let row = row::<S, V>(simd, self.closed, tables, cell).0;
                let lanes = tied.followed(simd, cell, row);
                (self.tied[count], followed[count]) = (cell, lanes.to_ne_bytes());
                count += usize::from(lanes != 0);
            }
        }
        for (cell, lanes) in self.tied[..count].iter().zip(followed) {
            let lanes = u64::from_ne_bytes(*lanes);
            tied.follow_up::<S, V>(simd, self.closed, tables, *cell, lanes);
        }
    }

    /// Computes the prices of the listed cells that may have changed.
    #[inline(always)]
    fn refresh<S: Simd, V: Prices<S>>(&self, simd: S, tables: &mut ConflictTable<'_>) {
        let mut stale = std::mem::take(&mut tables.stale) & !(1 << CLASSES);
        while stale != 0 {
            let first = stale.trailing_zeros() as usize;
            stale &= stale - 1;
            for place in (first..tables.conflicting().len()).step_by(CLASSES) {
                let cell = tables.conflicting()[place];
                let (row, conflicts) = row::<S, V>(simd, self.closed, tables, cell);
                let [allowed, forbidden, fewest] = &mut tables.prices[place / BLOCK];
                allowed[place % BLOCK] = least(simd, row);
                forbidden[place % BLOCK] = least(simd, row ^ FORBIDDEN);
                fewest[place % BLOCK] = !conflicts;
            }
        }
    }

    /// As [`choose`](Self::choose), candidate by candidate.
    #[cold]
    #[inline(never)]
    pub fn choose_plainly(
        &self,
        tables: &ConflictTable<'_>,
        new_best: i32,
        ties: TieBreak,
    ) -> Option<Move> {
        let moves = tables.conflicting().iter().flat_map(|cell| {
            let conflicts = i32::from(tables.conflicts(*cell));
            let lanes = tables.graph.lanes;
            let closed = &self.closed[usize::from(*cell) * lanes..][..lanes];
            let candidates = (0..).zip(tables.counts_around(*cell)).zip(closed);
            let candidates = candidates.filter(|(_, closed)| **closed != FOREIGN);
            candidates.filter_map(move |((candidate, count), closed)| {
                let change = i32::from(*count) - conflicts;
                let allowed = *closed == 0 || change < new_best;
                allowed.then_some(Move { cell: *cell, candidate, change })
            })
        });
        moves.min_by_key(|found| (found.change, ties.rank(found.cell, found.candidate)))
    }
}

/// The change that a price stands for.
pub fn change_of(price: u8) -> i32 {
    i32::from(price) - i32::from(ZERO)
}

/// The prices of a cell, a lane for each candidate, and its conflicts.
#[inline(always)]
fn row<S: Simd, V: Prices<S>>(
    simd: S,
    closed: &[u8],
    tables: &ConflictTable<'_>,
    cell: u16,
) -> (V, u8) {
    let row = usize::from(cell) * V::LEN;
    let counts = &tables.counts[row..][..V::LEN];
    let conflicts = counts[usize::from(tables.held(cell)) % V::LEN];
    let price = V::from_slice(simd, counts).min(MOST) + ZERO.wrapping_sub(conflicts);
    (price | V::from_slice(simd, &closed[row..][..V::LEN]), conflicts)
}

/// The least of each of the three parts of blocks.
#[inline(always)]
fn least_kept<S: Simd>(simd: S, blocks: &[PriceBlock]) -> [u8; 3] {
    // An array of vectors would be kept in memory.
    let all = u8x64::splat(simd, u8::MAX);
    let (mut allowed, mut forbidden, mut fewest) = (all, all, all);
    for block in blocks {
        allowed = allowed.min(u8x64::from_slice(simd, &block[0]));
        forbidden = forbidden.min(u8x64::from_slice(simd, &block[1]));
        fewest = fewest.min(u8x64::from_slice(simd, &block[2]));
    }
    [least(simd, allowed), least(simd, forbidden), least(simd, fewest)]
}

/// Which of 64 bytes are this one.
#[inline(always)]
pub fn equal<S: Simd>(simd: S, bytes: &[u8], wanted: u8) -> u64 {
    u8x64::from_slice(simd, bytes).simd_eq(u8x64::splat(simd, wanted)).to_bitmask()
}

/// The least of all lanes.
#[inline(always)]
pub fn least<S: Simd, V: Prices<S>>(simd: S, prices: V) -> u8 {
    let mut least = u8x16::splat(simd, u8::MAX);
    for block in prices.as_slice().chunks_exact(16) {
        least = least.min(u8x16::from_slice(simd, block));
    }
    least = least.min(least.slide::<8>(least));
    least = least.min(least.slide::<4>(least));
    least = least.min(least.slide::<2>(least));
    least = least.min(least.slide::<1>(least));
    least[0]
}
