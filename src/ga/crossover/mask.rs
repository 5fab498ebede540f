//! A set of cells as bytes of ones, so that a parent's values are taken a vector at a time.
//!
//! A board of a common size is put together as a whole. Of others, and where a few cells are copied, the blocks of
//! sixteen cells are looked at that hold one of the set. The last begins where it ends with the
//! board, so that blocks may overlap: taking a value twice changes nothing.
//!
//! The first box of 9x9 is cells 0 to 2, 9 to 11 and 18 to 20: two blocks, from cell 0 and from cell 16.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Select, Simd, dispatch, u8x16};

use crate::ga::offspring_batch::{OffspringBatch, copy_board, first_sibling};
use crate::ga::operator::BuildContext;
use crate::random::{Draws, StreamStage, below};

/// Cells of a block: what the narrowest vectors hold. No board has fewer.
const BLOCK: usize = 16;
/// Bytes of a board that is put together as a whole, at most: of a larger one a unit is a small share.
const WHOLE: usize = 256;

/// Cells that are taken together.
#[derive(Clone, Debug)]
pub struct CellMask {
    /// All ones for each cell of the board that is taken.
    taken: Vec<u8>,
    /// Where a block begins that holds such a cell.
    blocks: Vec<usize>,
}

impl CellMask {
    /// The mask of `cells`, which lie on a board of `stride` bytes.
    pub fn new(cells: impl IntoIterator<Item = usize>, stride: usize) -> Self {
        let mut taken = vec![0; stride];
        cells.into_iter().for_each(|cell| taken[cell] = u8::MAX);
        let starts = (0..stride).step_by(BLOCK).map(|start| start.min(stride - BLOCK));
        let is_taken = |start: &usize| taken[*start..*start + BLOCK].iter().any(|byte| *byte > 0);
        let blocks = starts.filter(is_taken).collect();
        Self { taken, blocks }
    }

    /// The masks of units, as sets of cells. All have as many blocks, so that how many a random one has
    /// is foreseen.
    pub fn of_units(units: impl Iterator<Item = Vec<usize>>, stride: usize) -> Vec<Self> {
        let mut masks: Vec<Self> = units.map(|cells| Self::new(cells, stride)).collect();
        let most = masks.iter().map(|mask| mask.blocks.len()).max().unwrap_or(0);
        for Self { blocks, .. } in &mut masks {
            // A block that is taken again changes nothing.
            let again = blocks.last().copied().unwrap_or(0);
            blocks.resize(most, again);
        }
        masks
    }

    /// The masks of the blanks of each unit that the encoding permutes.
    pub fn of_groups(context: &BuildContext) -> Vec<Self> {
        let blanks = context.groups.iter().map(|group| group.blanks.clone());
        Self::of_units(blanks, context.space.geometry().stride())
    }

    /// Copies what the cells hold from one board to another.
    #[inline]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        for start in &self.blocks {
            let block = *start..*start + BLOCK;
            let (mask, from) = (&self.taken[block.clone()], &from[block.clone()]);
            for ((to, from), mask) in to[block].iter_mut().zip(from).zip(mask) {
                *to ^= (*to ^ *from) & mask;
            }
        }
    }

    /// Overwrites a child with the first parent, and the cells with the second. A copy of the first is not read: a
    /// load of what two of its stores wrote would wait for both.
    #[inline(always)]
    pub fn take<S: Simd>(&self, simd: S, parents: [&[u8]; 2], child: &mut [u8]) {
        let stride = child.len();
        if stride < S::u8s::LEN {
            for start in (0..stride).step_by(BLOCK) {
                let start = start.min(stride - BLOCK);
                take_at::<S, u8x16<S>>(simd, start, &self.taken, parents, child);
            }
        } else if stride <= WHOLE {
            for start in (0..stride).step_by(S::u8s::LEN) {
                let start = start.min(stride - S::u8s::LEN);
                take_at::<S, S::u8s>(simd, start, &self.taken, parents, child);
            }
        } else {
            copy_board(parents[0], child);
            for start in &self.blocks {
                take_at::<S, u8x16<S>>(simd, *start, &self.taken, parents, child);
            }
        }
    }
}

/// Overwrites a vector of cells with those of the second parent where they are taken, else of the first.
#[inline(always)]
fn take_at<S: Simd, V: SimdInt<S, Element = u8>>(
    simd: S,
    start: usize,
    taken: &[u8],
    [first, second]: [&[u8]; 2],
    child: &mut [u8],
) where
    V::Mask: Select<V>,
{
    let cells = start..start + V::LEN;
    let [taken, first, second] =
        [taken, first, second].map(|from| V::from_slice(simd, &from[cells.clone()]));
    taken.simd_eq(0).select(first, second).store_slice(&mut child[cells]);
}

/// Overwrites a child with the first parent, and the cells of one of some masks with the second.
#[inline(always)]
pub fn cross(masks: &[CellMask], parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
    let mask = &masks[draws.below(masks.len() as u32) as usize];
    dispatch!(Level::new(), simd => mask.take(simd, parents, child));
}

/// The same with the children of a batch, of which `children_per_couple` have the same mask.
pub fn cross_batch(
    masks: &[CellMask],
    children_per_couple: u32,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    dispatch!(Level::new(), simd => {
        let draws = batch.seed.of(StreamStage::Cross);
        for (at, (slot, child)) in batch.slots(children).enumerate() {
            let word = draws.first_word(first_sibling(slot, children_per_couple));
            let mask = &masks[below(word, masks.len() as u32) as usize];
            mask.take(simd, batch.couple(at), child);
        }
    });
}

/// Any set of a few units: which of them a cell is of, as a bit, so that a set of units is taken with as many
/// instructions as any other, whatever is in it.
#[derive(Clone, Debug)]
pub struct UnitMask {
    /// The bits of each cell, low bytes and high bytes; none for cells that are given.
    bits: [Vec<u8>; 2],
}

impl UnitMask {
    /// Units that it has bits for.
    pub const MOST: usize = u16::BITS as usize;

    /// Those of units that share no cell, as sets of cells; there are at most [`MOST`](Self::MOST).
    pub fn of_units<'a>(units: impl Iterator<Item = &'a [usize]>, stride: usize) -> Self {
        let mut bits = vec![0u16; stride];
        for (unit, cells) in units.enumerate() {
            cells.iter().for_each(|cell| bits[*cell] = 1 << unit);
        }
        let byte = |at: usize| bits.iter().map(|bits| bits.to_le_bytes()[at]).collect();
        Self { bits: [byte(0), byte(1)] }
    }

    /// Overwrites a child with the first parent, and with the second in the units whose bits are set. By vectors
    /// of its own: compilers do not always see that a loop over cells is one.
    #[inline(always)]
    pub fn take<S: Simd>(&self, simd: S, units: u16, parents: [&[u8]; 2], child: &mut [u8]) {
        match child.len() < S::u8s::LEN {
            true => self.take_by::<S, u8x16<S>>(simd, units, parents, child),
            false => self.take_by::<S, S::u8s>(simd, units, parents, child),
        }
    }

    /// The same by vectors that are no longer than a board.
    #[inline(always)]
    fn take_by<S: Simd, V: SimdInt<S, Element = u8>>(
        &self,
        simd: S,
        units: u16,
        [first, second]: [&[u8]; 2],
        child: &mut [u8],
    ) where
        V::Mask: Select<V>,
    {
        let [low, high] = units.to_le_bytes().map(|byte| V::splat(simd, byte));
        let [of_low, of_high] = &self.bits;
        let stride = child.len();
        for start in (0..stride).step_by(V::LEN) {
            // The last vector begins before its place rather than end behind the board.
            let start = start.min(stride - V::LEN);
            let cells = start..start + V::LEN;
            let [of_low, of_high, first, second] = [of_low, of_high, first, second]
                .map(|from| V::from_slice(simd, &from[cells.clone()]));
            let is_first = (of_low & low | of_high & high).simd_eq(0);
            is_first.select(first, second).store_slice(&mut child[cells]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, MAX_SIDE, MIN_SIDE, Unit, UnitKind};

    #[test]
    fn units_of_every_shape_are_copied_and_nothing_else() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let stride = geometry.stride();
            let (from, to) = (vec![1; stride], vec![2; stride]);
            let cells = geometry.units().map(|unit| geometry.unit_cells(unit).collect());
            let masks = CellMask::of_units(cells, stride);
            assert_eq!(masks.len(), geometry.units().count());
            assert!(masks.iter().all(|mask| mask.blocks.len() == masks[0].blocks.len()));
            for (unit, mask) in geometry.units().zip(&masks) {
                let mut expected = to.clone();
                geometry.unit_cells(unit).for_each(|cell| expected[cell] = 1);
                let [mut copied, mut taken] = [to.clone(), to.clone()];
                mask.copy(&from, &mut copied);
                dispatch!(Level::new(), simd => mask.take(simd, [&to, &from], &mut taken));
                assert_eq!([copied, taken], [expected.clone(), expected], "{geometry}");
            }
        }
    }

    #[test]
    fn any_set_of_a_few_units_is_taken_as_one_after_the_other() {
        for geometry in (MIN_SIDE..=UnitMask::MOST).flat_map(Geometry::of_side) {
            let (side, stride) = (geometry.side(), geometry.stride());
            // Boxes without their first cell, which is given.
            let cells = |index| geometry.unit_cells(Unit { kind: UnitKind::Box, index });
            let units: Vec<Vec<usize>> =
                (0..side).map(|unit| cells(unit).skip(1).collect()).collect();
            let bits = UnitMask::of_units(units.iter().map(|unit| &**unit), stride);
            let masks = CellMask::of_units(units.iter().cloned(), stride);
            let [first, second] = [1, 2].map(|value| vec![value; stride]);
            for wanted in
                [0, 1, 2, 0x5A5A, 0x8001, 0xFFFF].map(|set| set & (u16::MAX >> (16 - side)))
            {
                let (mut child, mut expected) = (vec![9; stride], first.clone());
                let parents: [&[u8]; 2] = [&first, &second];
                dispatch!(Level::new(), simd => bits.take(simd, wanted, parents, &mut child));
                let taken = masks.iter().enumerate().filter(|(unit, _)| wanted >> unit & 1 == 1);
                taken.for_each(|(_, mask)| mask.copy(&second, &mut expected));
                assert_eq!(child, expected, "{geometry} {wanted:x}");
            }
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let mask = CellMask::new([0, 1, 2, 9, 10, 11, 18, 19, 20], 84);
        assert_eq!(mask.blocks, [0, 16]);
    }
}
