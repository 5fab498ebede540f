//! Masks of cells: sets of cells whose values a child takes from its second parent, a vector at a time.
//!
//! A plane has a byte for every cell of the board. Where one set at a time is taken, each set has a plane, with all ones for its
//! cells. Where any of them are taken together, eight sets share a plane, with a bit each, so that a union of sets takes as
//! long as any other. A child is put together as a whole: its cell is that of the second parent where a plane has a bit of a
//! wanted set, else that of the first. The last vector of a board ends with the board and overlaps the one before it:
//! writing a value twice changes nothing.
//!
//! The sets are the boxes of 9x9, packed: cell 0, in the first box, has the byte 1 in plane 0, and cell 80, in the ninth,
//! the byte 1 in plane 1.

// Index loops keep vectors out of closures and iterator adaptors, which may be compiled without the level's
// instructions.
#![allow(clippy::needless_range_loop)]

use fearless_simd::prelude::*;
use fearless_simd::{Level, Select, Simd, dispatch, u8x16};

use crate::ga::offspring_batch::{OffspringBatch, first_sibling};
use crate::random::{Draws, StreamStage, below};

/// Sets that share a plane.
const PLANE_SETS: usize = u8::BITS as usize;
/// Planes of all sets that are taken together: on boards of common sizes, and at most.
const FEW_PLANES: usize = 2;
const MOST_PLANES: usize = 8;

/// Sets of cells, which may overlap.
#[derive(Clone, Debug)]
pub struct CellMasks {
    /// The number of sets.
    pub count: u32,
    /// The planes one after the other.
    planes: Vec<u8>,
}

impl CellMasks {
    /// The masks of sets of cells on a board of `stride` bytes, of which one at a time is taken.
    pub fn new(sets: impl Iterator<Item = impl Iterator<Item = usize>>, stride: usize) -> Self {
        let (mut count, mut planes) = (0, Vec::new());
        for cells in sets {
            let plane = planes.len();
            planes.resize(plane + stride, 0);
            cells.for_each(|cell| planes[plane + cell] = u8::MAX);
            count += 1;
        }
        Self { count, planes }
    }

    /// The masks of at most 64 sets of cells on a board of `stride` bytes, of which any are taken together.
    pub fn packed(sets: impl Iterator<Item = impl Iterator<Item = usize>>, stride: usize) -> Self {
        let (mut count, mut planes) = (0, vec![0; MOST_PLANES * stride]);
        for cells in sets {
            let plane = count / PLANE_SETS * stride;
            cells.for_each(|cell| planes[plane + cell] |= 1 << (count % PLANE_SETS));
            count += 1;
        }
        Self { count: count as u32, planes }
    }

    /// Overwrites a child with the first parent, and the cells of a random set with the second.
    #[inline(always)]
    pub fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let set = draws.below(self.count);
        dispatch!(Level::new(), simd => self.take_one(simd, set, parents, child));
    }

    /// Does the same for the children of a batch, of which `children_per_couple` have the same set.
    pub fn cross_batch(
        &self,
        children_per_couple: u32,
        batch: OffspringBatch<'_>,
        children: &mut [u8],
    ) {
        dispatch!(Level::new(), simd => {
            let draws = batch.seed.stage(StreamStage::Cross);
            for (at, (slot, child)) in batch.slots(children).enumerate() {
                let word = draws.first_word(first_sibling(slot, children_per_couple));
                self.take_one(simd, below(word, self.count), batch.couple(at), child);
            }
        });
    }

    #[inline(always)]
    fn take_one<S: Simd>(&self, simd: S, set: u32, parents: [&[u8]; 2], child: &mut [u8]) {
        let plane = &self.planes[set as usize * child.len()..];
        take(simd, [plane], [u8::MAX], parents, child);
    }

    /// Overwrites a child with the first parent, and the cells of some packed sets with the second: set `k` is bit `k` of
    /// `sets`.
    #[inline(always)]
    pub fn take_any<S: Simd>(&self, simd: S, sets: u64, parents: [&[u8]; 2], child: &mut [u8]) {
        let (bits, stride) = (sets.to_le_bytes(), child.len());
        let plane = |number: usize| &self.planes[number * stride..];
        if self.count as usize <= FEW_PLANES * PLANE_SETS {
            take(simd, [plane(0), plane(1)], [bits[0], bits[1]], parents, child);
        } else {
            let planes: [&[u8]; MOST_PLANES] = std::array::from_fn(plane);
            take(simd, planes, bits, parents, child);
        }
    }
}

/// Overwrites a child with the second parent where a plane and the bits for it have a 1 in common, else with the first.
#[inline(always)]
fn take<S: Simd, const N: usize>(
    simd: S,
    planes: [&[u8]; N],
    bits: [u8; N],
    parents: [&[u8]; 2],
    child: &mut [u8],
) {
    match child.len() < S::u8s::LEN {
        true => take_by::<S, u8x16<S>, N>(simd, planes, bits, parents, child),
        false => take_by::<S, S::u8s, N>(simd, planes, bits, parents, child),
    }
}

/// Does the same by vectors that are no longer than the board.
#[inline(always)]
fn take_by<S: Simd, V: SimdInt<S, Element = u8>, const N: usize>(
    simd: S,
    planes: [&[u8]; N],
    bits: [u8; N],
    [first, second]: [&[u8]; 2],
    child: &mut [u8],
) where
    V::Mask: Select<V>,
{
    let stride = child.len();
    for start in (0..stride).step_by(V::LEN) {
        let start = start.min(stride - V::LEN);
        let cells = start..start + V::LEN;
        let mut taken = V::splat(simd, 0);
        for plane in 0..N {
            let plane_cells = V::from_slice(simd, &planes[plane][cells.clone()]);
            taken |= plane_cells & V::splat(simd, bits[plane]);
        }
        let [first, second] = [first, second].map(|from| V::from_slice(simd, &from[cells.clone()]));
        taken.simd_eq(0).select(first, second).store_slice(&mut child[cells]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, MAX_SIDE, MIN_SIDE, Unit, UnitKind};

    /// The board of a parent that has this value in every cell.
    fn parents(geometry: Geometry) -> [Vec<u8>; 2] {
        [1, 2].map(|value| vec![value; geometry.stride()])
    }

    #[test]
    fn the_cells_of_one_set_are_taken_and_no_others() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let cells = geometry.units().map(|unit| geometry.unit_cells(unit));
            let masks = CellMasks::new(cells, geometry.stride());
            assert_eq!(masks.count as usize, geometry.units().count());
            let [first, second] = parents(geometry);
            for (set, unit) in (0..).zip(geometry.units()) {
                let (mut expected, mut child) = (first.clone(), vec![9; geometry.stride()]);
                geometry.unit_cells(unit).for_each(|cell| expected[cell] = 2);
                let parents: [&[u8]; 2] = [&first, &second];
                dispatch!(Level::new(), simd => masks.take_one(simd, set, parents, &mut child));
                assert_eq!(child, expected, "{geometry} {set}");
            }
        }
    }

    #[test]
    fn the_cells_of_any_sets_are_taken_together() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let side = geometry.side();
            // Boxes without their first cell, which is given.
            let cells = |index| geometry.unit_cells(Unit { kind: UnitKind::Box, index }).skip(1);
            let masks = CellMasks::packed((0..side).map(cells), geometry.stride());
            let [first, second] = parents(geometry);
            for sets in
                [0, 1, 0x5A5A, 0x8001, u64::MAX].map(|sets| sets & (u64::MAX >> (64 - side)))
            {
                let (mut expected, mut child) = (first.clone(), vec![9; geometry.stride()]);
                let taken = (0..side).filter(|unit| sets >> unit & 1 == 1);
                taken.flat_map(cells).for_each(|cell| expected[cell] = 2);
                let parents: [&[u8]; 2] = [&first, &second];
                dispatch!(Level::new(), simd => masks.take_any(simd, sets, parents, &mut child));
                assert_eq!(child, expected, "{geometry} {sets:x}");
            }
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let geometry = Geometry::new(3, 3).unwrap();
        let boxes = geometry.units_of(UnitKind::Box).map(|unit| geometry.unit_cells(unit));
        let CellMasks { count, planes } = CellMasks::packed(boxes, geometry.stride());
        assert_eq!((count, planes[0], planes[84 + 80]), (9, 1, 1));
    }
}
