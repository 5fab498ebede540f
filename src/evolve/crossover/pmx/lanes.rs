//! Partially matched crossover of sixteen children side by side: the twin of [`Matched::cross`], to the bit.
//!
//! Lanes have no table of places each. In its stead all cells of a unit are compared with the value that comes:
//! as many comparisons as cells, each of sixteen children, where the twin has two stores and a load for one.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

use super::super::super::brood::{Brood, first_sibling};
use super::super::super::lanes::{LANES, load, store};
use super::{Matched, Pmx};
use crate::random::{FirstBlocks, Stage, StageDraws};

/// Values of a unit at most, and units.
pub const MOST: usize = LANES;
/// Bytes of a board of the common sizes at most.
const SMALL: usize = 100;
/// Children of a couple.
pub const SIBLINGS: u32 = 2;
/// Families that children in a row, as many as have their words computed side by side, can be of.
const FAMILIES: usize = FirstBlocks::ROW / SIBLINGS as usize + 1;

/// Overwrites the children of a brood on boards of at most `MOST * MOST` cells.
pub fn cross(pmx: &Pmx, brood: Brood<'_>, children: &mut [u8]) {
    // As few vectors as the board wants: they are cleared for each brood.
    dispatch!(Level::new(), simd => match brood.stride {
        0..=SMALL => cross_at::<_, SMALL>(simd, pmx, brood, children),
        _ => cross_at::<_, { MOST * MOST }>(simd, pmx, brood, children),
    });
}

#[inline(always)]
fn cross_at<S: Simd, const CELLS: usize>(
    simd: S,
    pmx: &Pmx,
    brood: Brood<'_>,
    children: &mut [u8],
) {
    let stride = brood.stride;
    let [mut first, mut second] = [[u8x16::splat(simd, 0); CELLS]; 2];
    let (first, second) = (&mut first[..stride], &mut second[..stride]);
    let draws = brood.seed.of(Stage::Cross);
    let mut cuts = Cuts::none();
    for (part, children) in children.chunks_mut(FirstBlocks::ROW * stride).enumerate() {
        let begin = part * FirstBlocks::ROW;
        let slot = brood.first + begin as u32;
        let elder = first_sibling(slot, SIBLINGS);
        // The first child may be a younger sibling of one that another task breeds.
        let skipped = (slot - elder) as usize;
        let families = (skipped + children.len() / stride).div_ceil(SIBLINGS as usize);
        cuts.draw(pmx, draws, elder, families);
        let mut sibling_of = [0; LANES];
        for lane in 0..LANES {
            sibling_of[lane] = ((lane + skipped) / SIBLINGS as usize) as u8;
        }
        let sibling_of = u8x16::from_slice(simd, &sibling_of);
        for (row, children) in children.chunks_mut(LANES * stride).enumerate() {
            let (from, count) = (begin + row * LANES, children.len() / stride);
            // Lanes of nobody have the first child's parents.
            let mut couples = [brood.couple(from); LANES];
            for lane in 1..count {
                couples[lane] = brood.couple(from + lane);
            }
            load(simd, couples.map(|couple| couple[0]), first);
            load(simd, couples.map(|couple| couple[1]), second);
            let family = row * LANES / SIBLINGS as usize;
            for unit in 0..pmx.units.len() {
                let [from, to] = &cuts.0[unit];
                let from = u8x16::from_slice(simd, &from[family..family + LANES]);
                let to = u8x16::from_slice(simd, &to[family..family + LANES]);
                let from = simd.swizzle_dyn_u8x16(from, sibling_of);
                let to = simd.swizzle_dyn_u8x16(to, sibling_of);
                pmx.units[unit].cross_lanes(simd, first, second, [from, to]);
            }
            store(simd, first, children);
        }
    }
}

/// The two cuts of every unit in each family. As many more as a vector has lanes, so that each may be the first of a
/// vector.
struct Cuts([[[u8; FAMILIES + LANES]; 2]; MOST]);

impl Cuts {
    #[inline(always)]
    fn none() -> Self {
        Self([[[0; FAMILIES + LANES]; 2]; MOST])
    }

    /// Draws those of some families, of which `elder` is the very first child.
    #[inline(always)]
    fn draw(&mut self, pmx: &Pmx, draws: StageDraws<'_>, elder: u32, families: usize) {
        let words = draws.ahead_of_families(elder, families, 2 * pmx.units.len() as u32);
        let Some(words) = words else {
            for family in 0..families {
                let mut draws = draws.of_family(elder + SIBLINGS * family as u32);
                for (unit, [from, to]) in pmx.units.iter().zip(&mut self.0) {
                    [from[family], to[family]] = unit.cuts(&mut draws).map(|cut| cut as u8);
                }
            }
            return;
        };
        let [mut first, mut second] = [[0; FAMILIES]; 2];
        for (number, (unit, [from, to])) in pmx.units.iter().zip(&mut self.0).enumerate() {
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

impl Matched {
    /// Makes the blanks of `first`, the first parents, those of the children.
    #[inline(always)]
    fn cross_lanes<S: Simd>(
        &self,
        simd: S,
        first: &mut [u8x16<S>],
        second: &[u8x16<S>],
        [from, to]: [u8x16<S>; 2],
    ) {
        let blanks = &self.group.blanks[..];
        let nobody = u8x16::splat(simd, 0);
        let mut held = [nobody; MOST];
        let held = &mut held[..blanks.len()];
        for k in 0..blanks.len() {
            held[k] = first[blanks[k]];
        }
        for k in 0..blanks.len() {
            let at = u8x16::splat(simd, k as u8);
            let within = at.simd_ge(from) & at.simd_lt(to);
            // Where the cell is not of the segment a value comes that no cell holds, so that nothing moves.
            let (leaves, comes) = (held[k], within.select(second[blanks[k]], nobody));
            for other in 0..blanks.len() {
                held[other] = held[other].simd_eq(comes).select(leaves, held[other]);
            }
            held[k] = within.select(comes, held[k]);
        }
        if self.restricted {
            let mut allowed = u8x16::splat(simd, u8::MAX);
            for k in 0..blanks.len() {
                let of_value = u8x16::from_slice(simd, &self.allowed[k]);
                allowed &= simd.swizzle_dyn_u8x16(of_value, held[k] - 1);
            }
            let allowed = allowed.simd_gt(nobody);
            for k in 0..blanks.len() {
                held[k] = allowed.select(held[k], first[blanks[k]]);
            }
        }
        for k in 0..blanks.len() {
            first[blanks[k]] = held[k];
        }
    }
}
