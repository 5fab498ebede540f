//! A set of cells as bytes of ones, so that a parent's values are taken sixteen at a time.
//!
//! Only the blocks of the board are kept that hold a cell of the set. The last begins where it ends with the
//! board, so that blocks may overlap: taking a value twice changes nothing.
//!
//! The first box of 9x9 is cells 0 to 2, 9 to 11 and 18 to 20: two blocks, from cell 0 and from cell 16.

use crate::evolve::operator::Setting;

/// Cells of a block: what the narrowest vectors hold. No board has fewer.
const BLOCK: usize = 16;

/// Cells that are taken together.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Where a block begins, and all ones for each of its cells that is taken.
    blocks: Vec<(usize, [u8; BLOCK])>,
}

impl Mask {
    /// The mask of `cells`, which lie on a board of `stride` bytes.
    pub fn new(cells: impl IntoIterator<Item = usize>, stride: usize) -> Self {
        let mut taken = vec![0; stride];
        cells.into_iter().for_each(|cell| taken[cell] = u8::MAX);
        let starts = (0..stride).step_by(BLOCK).map(|start| start.min(stride - BLOCK));
        let blocks = starts.map(|start| (start, std::array::from_fn(|byte| taken[start + byte])));
        Self { blocks: blocks.filter(|(_, mask)| *mask != [0; BLOCK]).collect() }
    }

    /// The masks of the blanks of each unit that the encoding permutes.
    pub fn of_groups(setting: &Setting) -> Vec<Self> {
        let stride = setting.space.geometry().stride();
        let blanks = setting.groups.iter().map(|group| group.blanks.iter().copied());
        blanks.map(|blanks| Self::new(blanks, stride)).collect()
    }

    /// Copies what the cells hold from one board to another.
    #[inline]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        for (start, mask) in &self.blocks {
            let from = &from[*start..*start + BLOCK];
            let to = &mut to[*start..*start + BLOCK];
            for ((to, from), mask) in to.iter_mut().zip(from).zip(mask) {
                *to ^= (*to ^ *from) & mask;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, MAX_SIDE, MIN_SIDE};

    #[test]
    fn units_of_every_shape_are_copied_and_nothing_else() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let stride = geometry.stride();
            let (from, to) = (vec![1; stride], vec![2; stride]);
            for unit in geometry.units() {
                let mut copied = to.clone();
                Mask::new(geometry.unit_cells(unit), stride).copy(&from, &mut copied);
                let mut expected = to.clone();
                geometry.unit_cells(unit).for_each(|cell| expected[cell] = 1);
                assert_eq!(copied, expected, "{geometry}");
            }
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let mask = Mask::new([0, 1, 2, 9, 10, 11, 18, 19, 20], 84);
        assert_eq!(mask.blocks.iter().map(|(start, _)| *start).collect::<Vec<_>>(), [0, 16]);
    }
}
