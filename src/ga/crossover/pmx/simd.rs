//! Partially matched crossover of children side by side, as many as a vector has lanes: the twin of
//! [`UnitPmx::cross`], to the bit.
//!
//! Lanes have no table of places each. In its stead all cells of a unit are compared with the value that comes:
//! as many comparisons as cells, each of 16 to 64 children, where the twin has two stores and a load for one.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use std::cell::RefCell;
use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

use super::super::super::offspring_batch::{OffspringBatch, first_sibling};
use super::super::super::transpose::{LANES, LaneVec, SQUARE, load, store};
use super::{Pmx, UnitPmx};
use crate::random::{BlockCache, StageDraws, StreamStage};

/// Values of a unit at most, and units.
pub const MOST: usize = SQUARE;
/// Children of a couple.
pub const SIBLINGS: u32 = 2;
/// Families that children in a row, as many as have their words computed side by side, can be of.
const FAMILIES: usize = BlockCache::ROW / SIBLINGS as usize + 1;
const _: () = assert!(BlockCache::ROW == LANES, "a row is as many children as there are lanes");

thread_local! {
    static ROW: RefCell<PmxBatch> = const { RefCell::new(PmxBatch::new()) };
}

/// What a row of children is made from, which nobody clears.
struct PmxBatch {
    /// The parents, which become the children.
    first: Vec<LaneVec>,
    second: Vec<LaneVec>,
    /// The two cuts of every unit for each child, and for each family. Of these there are as many more as a square has
    /// lanes, so that each may be the first of a square.
    cuts: [[LaneVec; 2]; MOST],
    of_families: [[[u8; FAMILIES + SQUARE]; 2]; MOST],
}

/// Overwrites the children of a batch on boards of at most `MOST * MOST` cells.
pub fn cross(pmx: &Pmx, batch: OffspringBatch<'_>, children: &mut [u8]) {
    ROW.with_borrow_mut(|row| {
        let cells = row.first.len().max(batch.stride);
        row.first.resize(cells, LaneVec([0; LANES]));
        row.second.resize(cells, LaneVec([0; LANES]));
        dispatch!(Level::new(), simd => {
            for (at, children) in children.chunks_mut(LANES * batch.stride).enumerate() {
                row.cross(simd, pmx, batch, at * LANES, children);
            }
        });
    });
}

impl PmxBatch {
    const fn new() -> Self {
        Self {
            first: Vec::new(),
            second: Vec::new(),
            cuts: [[LaneVec([0; LANES]); 2]; MOST],
            of_families: [[[0; FAMILIES + SQUARE]; 2]; MOST],
        }
    }

    /// Overwrites children, the first of which is at the place `begin` of the batch.
    #[inline(always)]
    fn cross<S: Simd>(
        &mut self,
        simd: S,
        pmx: &Pmx,
        batch: OffspringBatch<'_>,
        begin: usize,
        children: &mut [u8],
    ) {
        let (count, squares) = (children.len() / batch.stride, SQUARE * batch.stride);
        self.draw(simd, pmx, batch, batch.first + begin as u32, count);
        let [first, second] =
            [&mut self.first, &mut self.second].map(|cells| &mut cells[..batch.stride]);
        for lane in (0..count).step_by(SQUARE) {
            // Lanes of nobody have the first child's parents.
            let mut couples = [batch.couple(begin + lane); SQUARE];
            for child in 1..SQUARE.min(count - lane) {
                couples[child] = batch.couple(begin + lane + child);
            }
            load(simd, couples.map(|couple| couple[0]), first, lane..lane + SQUARE);
            load(simd, couples.map(|couple| couple[1]), second, lane..lane + SQUARE);
        }
        for lane in (0..count).step_by(S::u8s::LEN) {
            for unit in 0..pmx.units.len() {
                let lanes = lane..lane + S::u8s::LEN;
                let [from, to] = &self.cuts[unit];
                let cuts = [from, to].map(|cuts| S::u8s::from_slice(simd, &cuts.0[lanes.clone()]));
                pmx.units[unit].cross_lanes(simd, first, second, lanes, cuts);
            }
        }
        for (square, children) in children.chunks_mut(squares).enumerate() {
            let lane = square * SQUARE;
            store(simd, first, lane..lane + SQUARE, children);
        }
    }

    /// Draws the cuts of `count` children from `slot` on.
    #[inline(always)]
    fn draw<S: Simd>(
        &mut self,
        simd: S,
        pmx: &Pmx,
        batch: OffspringBatch<'_>,
        slot: u32,
        count: usize,
    ) {
        let elder = first_sibling(slot, SIBLINGS);
        // The first child may be a younger sibling of one that another task breeds.
        let skipped = (slot - elder) as usize;
        let families = (skipped + count).div_ceil(SIBLINGS as usize);
        self.draw_families(pmx, batch.seed.of(StreamStage::Cross), elder, families);
        let mut sibling_of = [0; SQUARE];
        for lane in 0..SQUARE {
            sibling_of[lane] = ((lane + skipped) / SIBLINGS as usize) as u8;
        }
        let sibling_of = u8x16::from_slice(simd, &sibling_of);
        for unit in 0..pmx.units.len() {
            for end in 0..2 {
                for lane in (0..LANES).step_by(SQUARE) {
                    let family = lane / SIBLINGS as usize;
                    let each = &self.of_families[unit][end][family..family + SQUARE];
                    let each = simd.swizzle_dyn_u8x16(u8x16::from_slice(simd, each), sibling_of);
                    each.store_slice(&mut self.cuts[unit][end].0[lane..lane + SQUARE]);
                }
            }
        }
    }

    /// Draws those of some families, of which `elder` is the very first child.
    #[inline(always)]
    fn draw_families(&mut self, pmx: &Pmx, draws: StageDraws<'_>, elder: u32, families: usize) {
        let words = draws.batch_families(elder, families, 2 * pmx.units.len() as u32);
        let Some(words) = words else {
            for family in 0..families {
                let mut draws = draws.family_draws(elder + SIBLINGS * family as u32);
                for (unit, [from, to]) in pmx.units.iter().zip(&mut self.of_families) {
                    [from[family], to[family]] = unit.cuts(&mut draws).map(|cut| cut as u8);
                }
            }
            return;
        };
        let [mut first, mut second] = [[0; FAMILIES]; 2];
        for (number, (unit, [from, to])) in pmx.units.iter().zip(&mut self.of_families).enumerate()
        {
            let bound = unit.group.blanks.len() as u32 + 1;
            words.below(2 * number, bound, &mut first);
            words.below(2 * number + 1, bound - 1, &mut second);
            let drawn = first.iter().zip(&second);
            for ((from, to), (first, second)) in from.iter_mut().zip(to).zip(drawn) {
                // Different ones, as of a pair below the bound, in order.
                let second = second + u32::from(second >= first);
                (*from, *to) = (second.min(*first) as u8, second.max(*first) as u8);
            }
        }
    }
}

impl UnitPmx {
    /// Makes the blanks of `first`, the first parents, those of the children: a vector of them from a lane on.
    #[inline(always)]
    fn cross_lanes<S: Simd>(
        &self,
        simd: S,
        first: &mut [LaneVec],
        second: &[LaneVec],
        lanes: Range<usize>,
        [from, to]: [S::u8s; 2],
    ) {
        let blanks = &self.group.blanks[..];
        let nobody = S::u8s::splat(simd, 0);
        let mut held = [nobody; MOST];
        let held = &mut held[..blanks.len()];
        for k in 0..blanks.len() {
            held[k] = S::u8s::from_slice(simd, &first[blanks[k]].0[lanes.clone()]);
        }
        for k in 0..blanks.len() {
            let at = S::u8s::splat(simd, k as u8);
            let within = at.simd_ge(from) & at.simd_lt(to);
            // Where the cell is not of the segment a value comes that no cell holds, so that nothing moves.
            let comes = S::u8s::from_slice(simd, &second[blanks[k]].0[lanes.clone()]);
            let (leaves, comes) = (held[k], within.select(comes, nobody));
            for other in 0..blanks.len() {
                held[other] = held[other].simd_eq(comes).select(leaves, held[other]);
            }
            held[k] = within.select(comes, held[k]);
        }
        if self.restricted {
            let mut allowed = S::u8s::splat(simd, u8::MAX);
            for k in 0..blanks.len() {
                let of_value = S::u8s::block_splat(u8x16::from_slice(simd, &self.allowed[k]));
                allowed &= of_value.swizzle_dyn_within_blocks(held[k] - 1);
            }
            let allowed = allowed.simd_gt(nobody);
            for k in 0..blanks.len() {
                let kept = S::u8s::from_slice(simd, &first[blanks[k]].0[lanes.clone()]);
                held[k] = allowed.select(held[k], kept);
            }
        }
        for k in 0..blanks.len() {
            held[k].store_slice(&mut first[blanks[k]].0[lanes.clone()]);
        }
    }
}
