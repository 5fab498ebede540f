//! Partially matched crossover (PMX) in each unit.
//!
//! The blanks of a unit hold a permutation of its missing values. Two cut points are drawn for each unit.
//! Between them the child takes the second parent's values; outside it keeps the
//! first parent's value, unless the second's segment holds it already: then it takes the value
//! that the first parent has where the second has that one, as often as needed.
//!
//! First 9 8 4|5 6 7|1 3 2, second 8 7 1|2 3 9|5 4 6: the segment 2 3 9 comes from the second.
//! The first's 9 becomes 7 (where the second has 9 the first has 7), its 3 becomes 6, its 2
//! becomes 5: 7 8 4|2 3 9|1 6 5.
//!
//! # Why sequential exchanges are enough
//!
//! The definition follows a chain of values for each cell outside of the segment. The code makes one exchange for each
//! cell of the segment instead: it finds the value that the second parent has there in the child, and exchanges the two.
//! Five cells, first 1 2 3 4 5, second 2 3 5 1 4, segment of the first two cells:
//!
//! ```text
//! definition                               exchanges
//! cells 0, 1   the segment: 2 3            start                     1 2 3 4 5
//! cell 2       3 is in it, so 2 (cell 1);  cell 0 takes 2 (cell 1)   2 1 3 4 5
//!              2 is in it, so 1 (cell 0)   cell 1 takes 3 (cell 2)   2 3 1 4 5
//! cells 3, 4   4 and 5 stay
//! child        2 3 1 4 5                                             2 3 1 4 5
//! ```
//!
//! By induction over the segment's cells: after some of them, every other cell holds the value at the end of its
//! chain, where a chain continues only through the cells done so far. The next cell `c` of the segment adds one link, from
//! its second parent's value `s` to its first parent's. The chain that ended in `s` (there is one: `s` is in no cell done
//! before, as the second parent has it once) now continues to the end of the chain of `c`, which is what the child holds
//! at `c`. All other chains stay. That is an exchange of `s` and the value at `c`; if `c` holds `s` already, nothing
//! changes. A unit stays a permutation because every step is an exchange.
//!
//! Units with fewer than two blanks are copied from the first parent, and so is a unit in which a cell would get a value
//! that is no candidate after presolve. Both children of a couple are kept.
//!
//! # Children side by side
//!
//! Boards of common sizes are crossed with as many children side by side as a vector has lanes, with the same result. Lanes
//! have no table of the cell of each value. Instead all cells of a unit are compared with the value that comes:
//! as many comparisons as cells, each of 16 to 64 children, instead of two stores and a load for one child.
//!
//! Source: Goldberg & Lingle, *Alleles, loci, and the traveling salesman problem*, 1985; document
//! 004 of the project.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use std::cell::RefCell;
use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u8x16};

use super::{
    BuildContext, ConfigError, CrossoverOperator, FromContext, OffspringBatch, first_sibling,
};
use crate::board::MAX_SIDE;
use crate::ga::encoding::PermutationGroup;
use crate::ga::transpose::{LANES, LaneVec, SQUARE, load, store};
use crate::random::{BlockCache, Draws, StageDraws, StreamStage};

/// Children of a couple.
const SIBLINGS: u32 = 2;
/// The most units, and the most values of one, of boards that are crossed side by side.
const MOST_UNITS: usize = SQUARE;
/// The most families of children side by side: the first and the last child may be without their siblings.
const FAMILIES: usize = LANES / SIBLINGS as usize + 1;
const _: () =
    assert!(BlockCache::ROW == LANES, "the cache has words for as many children as lanes");

/// Partially matched permutations.
#[derive(Clone, Debug)]
pub struct Pmx {
    /// The units with at least two blanks.
    units: Vec<UnitPmx>,
    /// Whether children are crossed side by side.
    in_lanes: bool,
}

/// A unit that is matched.
#[derive(Clone, Debug)]
struct UnitPmx {
    group: PermutationGroup,
    /// Whether a blank may not hold a value of the others.
    restricted: bool,
    /// For each blank and value, from value 1 on, whether the blank may hold it, as all ones or none; of boards that are
    /// crossed side by side.
    allowed: Vec<[u8; MOST_UNITS]>,
}

/// The cell of each value. Its length is a power of two, so that no value needs a check.
type PositionTable = [u16; POSITIONS];
const POSITIONS: usize = (MAX_SIDE + 1).next_power_of_two();

/// The two cuts of each unit for each family. Either byte of a number is the cut of one sibling.
type FamilyCuts = [[[u16; FAMILIES]; 2]; MOST_UNITS];

thread_local! {
    /// A cell of each board in lanes, for the first parents, which become the children, and the second. It is never cleared.
    static PARENTS: RefCell<[Vec<LaneVec>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

impl FromContext for Pmx {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover pmx")?;
        let groups = context.groups.iter().filter(|group| group.blanks.len() >= 2);
        let in_lanes = context.space.geometry().side() <= MOST_UNITS;
        Ok(Self { units: groups.cloned().map(UnitPmx::new).collect(), in_lanes })
    }
}

impl CrossoverOperator for Pmx {
    #[inline(always)]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        let mut positions = [0; POSITIONS];
        for unit in &self.units {
            let cuts = unit.draw_cuts(draws);
            unit.cross([first, second], child, cuts, &mut positions);
        }
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        if !self.in_lanes {
            return self.cross_each(batch, children);
        }
        PARENTS.with_borrow_mut(|parents| {
            let parents = parents.each_mut().map(|cells| {
                cells.resize(cells.len().max(batch.stride), LaneVec([0; LANES]));
                &mut cells[..batch.stride]
            });
            dispatch!(Level::new(), simd => self.cross_rows(simd, batch, parents, children));
        });
    }

    fn children_per_couple(&self) -> u32 {
        SIBLINGS
    }

    fn words(&self) -> u32 {
        2 * self.units.len() as u32
    }
}

impl Pmx {
    /// Overwrites the children of a batch, as many at a time as there are lanes.
    #[inline(always)]
    fn cross_rows<S: Simd>(
        &self,
        simd: S,
        batch: OffspringBatch<'_>,
        [first, second]: [&mut [LaneVec]; 2],
        children: &mut [u8],
    ) {
        for (row, children) in children.chunks_mut(LANES * batch.stride).enumerate() {
            let (begin, count) = (row * LANES, children.len() / batch.stride);
            for lane in (0..count).step_by(SQUARE) {
                // Unused lanes have the parents of a child.
                let mut couples = [batch.couple(begin + lane); SQUARE];
                for child in 1..SQUARE.min(count - lane) {
                    couples[child] = batch.couple(begin + lane + child);
                }
                load(simd, couples.map(|couple| couple[0]), first, lane..lane + SQUARE);
                load(simd, couples.map(|couple| couple[1]), second, lane..lane + SQUARE);
            }
            let slot = batch.first + begin as u32;
            let elder = first_sibling(slot, SIBLINGS);
            // The first child may be the younger sibling of one that another task breeds.
            let skipped = (slot - elder) as usize;
            let families = (skipped + count).div_ceil(SIBLINGS as usize);
            let cuts = self.draw_cuts(batch.seed.stage(StreamStage::Cross), elder, families);
            for lane in (0..count).step_by(S::u8s::LEN) {
                for unit in 0..self.units.len() {
                    let mut lane_cuts = [S::u8s::splat(simd, 0); 2];
                    for end in 0..2 {
                        let siblings: &[u8] = bytemuck::cast_slice(&cuts[unit][end]);
                        let siblings = &siblings[lane + skipped..][..S::u8s::LEN];
                        lane_cuts[end] = S::u8s::from_slice(simd, siblings);
                    }
                    let lanes = lane..lane + S::u8s::LEN;
                    self.units[unit].cross_lanes(simd, first, second, lanes, lane_cuts);
                }
            }
            for (square, children) in children.chunks_mut(SQUARE * batch.stride).enumerate() {
                let lane = square * SQUARE;
                store(simd, first, lane..lane + SQUARE, children);
            }
        }
    }

    /// Draws the cuts of families, of which `elder` is the first child.
    #[inline(always)]
    fn draw_cuts(&self, draws: StageDraws<'_>, elder: u32, families: usize) -> FamilyCuts {
        let both = |cut: u32| cut as u16 * 0x0101;
        let mut cuts: FamilyCuts = [[[0; FAMILIES]; 2]; MOST_UNITS];
        let Some(words) = draws.cached_families(elder, families, self.words()) else {
            for family in 0..families {
                let mut draws = draws.family_draws(elder + SIBLINGS * family as u32);
                for (unit, [from, to]) in self.units.iter().zip(&mut cuts) {
                    [from[family], to[family]] = unit.draw_cuts(&mut draws).map(both);
                }
            }
            return cuts;
        };
        let [mut first, mut second] = [[0; FAMILIES]; 2];
        for (number, (unit, [from, to])) in self.units.iter().zip(&mut cuts).enumerate() {
            let bound = unit.group.blanks.len() as u32 + 1;
            words.below(2 * number, bound, &mut first);
            words.below(2 * number + 1, bound - 1, &mut second);
            let drawn = first.iter().zip(&second);
            for ((from, to), (first, second)) in from.iter_mut().zip(to).zip(drawn) {
                // As `UnitPmx::draw_cuts`.
                let second = second + u32::from(second >= first);
                (*from, *to) = (both(second.min(*first)), both(second.max(*first)));
            }
        }
        cuts
    }
}

impl UnitPmx {
    fn new(group: PermutationGroup) -> Self {
        let restricted = group.candidates.iter().any(|set| *set != group.candidates[0]);
        let of_value = |set: &u64| {
            std::array::from_fn(|value| if set >> value & 1 == 1 { u8::MAX } else { 0 })
        };
        let allowed = group.candidates.iter().map(of_value).collect();
        Self { group, restricted, allowed }
    }

    /// Draws two different cut points, the lower first.
    #[inline(always)]
    fn draw_cuts(&self, draws: &mut Draws) -> [u32; 2] {
        let (one, other) = draws.two_distinct(self.group.blanks.len() as u32 + 1);
        [one.min(other), one.max(other)]
    }

    /// Turns the blanks of `child`, which hold the first parent's values, into the matched permutation, with the second
    /// parent's values from the first cut up to the second, unless a candidate forbids it. The content of `positions`
    /// does not matter.
    #[inline(always)]
    fn cross(
        &self,
        [first, second]: [&[u8]; 2],
        child: &mut [u8],
        cuts: [u32; 2],
        positions: &mut PositionTable,
    ) {
        let PermutationGroup { blanks, candidates } = &self.group;
        for cell in blanks {
            positions[usize::from(first[*cell]) % POSITIONS] = *cell as u16;
        }
        for cell in &blanks[cuts[0] as usize..cuts[1] as usize] {
            let (leaves, comes) = (child[*cell], second[*cell]);
            let from = positions[usize::from(comes) % POSITIONS];
            child[usize::from(from)] = leaves;
            positions[usize::from(leaves) % POSITIONS] = from;
            child[*cell] = comes;
        }
        let allowed =
            || blanks.iter().zip(candidates).all(|(cell, set)| set >> (child[*cell] - 1) & 1 == 1);
        if self.restricted && !allowed() {
            blanks.iter().for_each(|cell| child[*cell] = first[*cell]);
        }
    }

    /// Does the same in some lanes, as many as a vector has; `first` has the first parents, which become the children.
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
        let zero = S::u8s::splat(simd, 0);
        let mut values = [zero; MOST_UNITS];
        let values = &mut values[..blanks.len()];
        for k in 0..blanks.len() {
            values[k] = S::u8s::from_slice(simd, &first[blanks[k]].0[lanes.clone()]);
        }
        for k in 0..blanks.len() {
            let place = S::u8s::splat(simd, k as u8);
            let is_within = place.simd_ge(from) & place.simd_lt(to);
            // Outside of the segment 0 comes, which no cell holds, so that nothing moves.
            let comes = S::u8s::from_slice(simd, &second[blanks[k]].0[lanes.clone()]);
            let (leaves, comes) = (values[k], is_within.select(comes, zero));
            for other in 0..blanks.len() {
                values[other] = values[other].simd_eq(comes).select(leaves, values[other]);
            }
            values[k] = is_within.select(comes, values[k]);
        }
        if self.restricted {
            let mut allowed = S::u8s::splat(simd, u8::MAX);
            for k in 0..blanks.len() {
                let of_value = S::u8s::block_splat(u8x16::from_slice(simd, &self.allowed[k]));
                allowed &= of_value.swizzle_dyn_within_blocks(values[k] - 1);
            }
            let allowed = allowed.simd_gt(zero);
            for k in 0..blanks.len() {
                let old = S::u8s::from_slice(simd, &first[blanks[k]].0[lanes.clone()]);
                values[k] = allowed.select(values[k], old);
            }
        }
        for k in 0..blanks.len() {
            values[k].store_slice(&mut first[blanks[k]].0[lanes.clone()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child<const N: usize>(first: [u8; N], second: [u8; N], cuts: [u32; 2]) -> [u8; N] {
        let unit = PermutationGroup { blanks: (0..N).collect(), candidates: vec![0x1FF; N] };
        let mut child = first;
        UnitPmx::new(unit).cross([&first, &second], &mut child, cuts, &mut [0; POSITIONS]);
        child
    }

    #[test]
    fn the_textbook_example() {
        // Eiben & Smith 2015, section 4.5.1, figures 4.9 to 4.11: the segment 4 5 6 7.
        let segment_from = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let rest_from = [9, 3, 7, 8, 2, 6, 5, 1, 4];
        assert_eq!(child(rest_from, segment_from, [3, 7]), [9, 3, 2, 4, 5, 6, 7, 1, 8]);
    }

    #[test]
    fn the_example_of_the_module() {
        let (first, second) = ([9, 8, 4, 5, 6, 7, 1, 3, 2], [8, 7, 1, 2, 3, 9, 5, 4, 6]);
        assert_eq!(child(first, second, [3, 6]), [7, 8, 4, 2, 3, 9, 1, 6, 5]);
        assert_eq!(child(first, second, [0, 9]), second);
        let (first, second) = ([1, 2, 3, 4, 5], [2, 3, 5, 1, 4]);
        assert_eq!(child(first, second, [0, 1]), [2, 1, 3, 4, 5]);
        assert_eq!(child(first, second, [0, 2]), [2, 3, 1, 4, 5]);
    }

    #[test]
    fn a_unit_that_a_candidate_forbids_is_copied_from_the_first_parent() {
        let unit = PermutationGroup { blanks: vec![0, 1], candidates: vec![0b01, 0b11] };
        let mut child = [1, 2];
        UnitPmx::new(unit).cross([&[1, 2], &[2, 1]], &mut child, [0, 2], &mut [0; POSITIONS]);
        assert_eq!(child, [1, 2]);
    }

    #[test]
    fn a_unit_that_candidates_allow_is_the_matched_permutation() {
        let unit =
            PermutationGroup { blanks: vec![0, 1, 2], candidates: vec![0b111, 0b111, 0b110] };
        let mut child = [1, 2, 3];
        let parents: [&[u8]; 2] = [&[1, 2, 3], &[2, 1, 3]];
        UnitPmx::new(unit).cross(parents, &mut child, [0, 2], &mut [0; POSITIONS]);
        assert_eq!(child, [2, 1, 3]);
    }
}
