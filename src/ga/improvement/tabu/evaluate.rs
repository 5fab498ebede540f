//! Pricing the changes of all conflicting cells, the candidates of a cell side by side.
//!
//! A lane of a cell's vector prices one of its candidates: the peers that hold that value, less
//! those that hold the value of the cell, plus [`ZERO`], in seven bits. The eighth says that the
//! candidate is forbidden, and [`FOREIGN`] that there is none, so that the least lane of all
//! vectors is the best allowed change, and the least with the eighth bit turned the best forbidden
//! one. A second pass finds the lanes that are equal to it.
//!
//! Prices that seven bits do not hold are those of boards that no search comes near: a step whose
//! best change might be one of them is priced candidate by candidate.

use fearless_simd::prelude::*;
use fearless_simd::u8x16;

use super::super::candidate_graph::{CandidateGraph, FOREIGN};
use super::conflicts::ConflictTable;
use super::tie_break::TieBreak;

/// At a candidate that is forbidden to its cell, or that it holds.
pub const FORBIDDEN: u8 = 0x80;
/// The price of a change that changes nothing.
const ZERO: u8 = 64;
/// Counts are priced up to this one: the highest price is below `FORBIDDEN`.
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
    /// What this adds to the conflicting pairs.
    pub change: i32,
}

/// The candidates that are closed to each cell, and the prices of a step.
#[derive(Debug)]
pub struct MoveEvaluator<'a> {
    lanes: usize,
    /// For each place 0, [`FORBIDDEN`] or [`FOREIGN`].
    pub closed: &'a mut [u8],
    /// The prices of the conflicting cells, in the order of their list.
    prices: &'a mut [u8],
    /// Where in the list cells stand that have one of the best changes.
    tied: &'a mut [u16],
}

impl<'a> MoveEvaluator<'a> {
    /// Words of working memory.
    pub fn words(space: &CandidateGraph) -> usize {
        space.foreign.len() / 2 + space.cells.len().div_ceil(2)
    }

    /// None forbidden but those that cells hold.
    pub fn new(space: &CandidateGraph, tables: &ConflictTable<'_>, words: &'a mut [u32]) -> Self {
        let (closed, words) = words.split_at_mut(space.foreign.len() / 4);
        let (prices, tied) = words.split_at_mut(space.foreign.len() / 4);
        let closed: &mut [u8] = bytemuck::cast_slice_mut(closed);
        closed.copy_from_slice(&space.foreign);
        for (held, closed) in tables.held.iter().zip(closed.chunks_exact_mut(space.lanes)) {
            closed[usize::from(*held)] = FORBIDDEN;
        }
        Self {
            lanes: space.lanes,
            closed,
            prices: bytemuck::cast_slice_mut(prices),
            tied: bytemuck::cast_slice_mut(tied),
        }
    }

    /// The best move of a conflicting cell that is not forbidden or changes pairs by less than
    /// `new_best`, which is 0 at most; of several the one that `ties` ranks least; nothing if there
    /// is none.
    #[inline(always)]
    pub fn choose<S: Simd, V: Prices<S>>(
        &mut self,
        simd: S,
        tables: &ConflictTable<'_>,
        new_best: i32,
        ties: TieBreak,
    ) -> Option<Move> {
        let mut allowed = V::splat(simd, u8::MAX);
        let mut forbidden = V::splat(simd, u8::MAX);
        let mut most = 0;
        let list = tables.conflicting();
        let prices = &mut self.prices[..list.len() * V::LEN];
        let (closed, held, counts) = (&*self.closed, &*tables.held, &*tables.counts);
        for (cell, prices) in list.iter().zip(prices.chunks_exact_mut(V::LEN)) {
            let row = usize::from(*cell) * V::LEN;
            let counts = &counts[row..][..V::LEN];
            let conflicts = counts[usize::from(held[usize::from(*cell)]) % V::LEN];
            most = conflicts.max(most);
            let counts = V::from_slice(simd, counts);
            let price = counts.min(MOST) + ZERO.wrapping_sub(conflicts);
            let price = price | V::from_slice(simd, &closed[row..][..V::LEN]);
            allowed = allowed.min(price);
            forbidden = forbidden.min(price ^ FORBIDDEN);
            price.store_slice(prices);
        }
        let (allowed, forbidden) = (least(simd, allowed), least(simd, forbidden));
        let aspires = i32::from(forbidden) < new_best + i32::from(ZERO);
        let best = if aspires { allowed.min(forbidden) } else { allowed };
        // What counts above `MOST` cost, where the most conflicts are given up, is at least this.
        let Some(unknown) = ZERO.checked_sub(most).map(|added| MOST + added) else {
            return self.choose_plainly(tables, new_best, ties);
        };
        if best >= FORBIDDEN {
            return None;
        }
        if best >= unknown {
            return self.choose_plainly(tables, new_best, ties);
        }
        let ignored = if aspires { FORBIDDEN } else { 0 };
        // Written whether it has one or not: no branch tells, for that would be a guess a cell.
        let mut count = 0;
        for (place, prices) in (0..).zip(self.prices[..list.len() * V::LEN].chunks_exact(V::LEN)) {
            self.tied[count] = place;
            count += usize::from(equal::<S, V>(simd, prices, best, ignored) != 0);
        }
        let mut found: Option<(u32, u16, u8)> = None;
        for place in &self.tied[..count] {
            let cell = list[usize::from(*place)];
            let prices = &self.prices[usize::from(*place) * V::LEN..][..V::LEN];
            let mut candidates = equal::<S, V>(simd, prices, best, ignored);
            while candidates != 0 {
                let candidate = candidates.trailing_zeros() as u8;
                candidates &= candidates - 1;
                let rank = ties.rank(cell, candidate);
                if found.is_none_or(|(least, ..)| rank < least) {
                    found = Some((rank, cell, candidate));
                }
            }
        }
        let change = i32::from(best) - i32::from(ZERO);
        found.map(|(_, cell, candidate)| Move { cell, candidate, change })
    }

    /// The same candidate by candidate.
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
            let closed = &self.closed[usize::from(*cell) * self.lanes..][..self.lanes];
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

/// The lanes of a cell's prices that are `price`, whether or not they have the bits of `ignored`.
#[inline(always)]
fn equal<S: Simd, V: Prices<S>>(simd: S, prices: &[u8], price: u8, ignored: u8) -> u64 {
    let prices = V::from_slice(simd, prices) & V::splat(simd, !ignored);
    prices.simd_eq(V::splat(simd, price)).to_bitmask()
}

/// The least of all lanes.
#[inline(always)]
fn least<S: Simd, V: Prices<S>>(simd: S, prices: V) -> u8 {
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
