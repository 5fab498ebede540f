//! Building-block crossover: bands or stacks from the parent in which they are better.
//!
//! A coin chooses bands (rows of boxes) or stacks (columns of boxes). Each band comes from the
//! parent whose rows in that band hold more distinct values between them, each stack from the
//! parent whose columns do; a tie is decided by a coin of its own. Boxes are never cut.
//!
//! Rows 1 to 3 hold 9, 8 and 7 distinct values in the first parent and 8, 8 and 9 in the second:
//! 24 against 25, so that the first band comes from the second parent.
//!
//! Source: Sato & Inoue, *Solving Sudoku with genetic operations that preserve building blocks*,
//! CIG 2010. There two parents have two children, one by bands and one by stacks; here each child
//! is one of the two by a coin.

use fearless_simd::{Level, dispatch};

use super::{BuildContext, CellMasks, ConfigError, CrossoverOperator, FromContext};
use crate::board::{Geometry, MAX_SIDE};
use crate::ga::encoding::Encoding;
use crate::random::Draws;

/// Bands by their rows, or stacks by their columns.
#[derive(Clone, Debug)]
pub struct BandOrStack {
    geometry: Geometry,
    bands: CellMasks,
    stacks: CellMasks,
}

impl FromContext for BandOrStack {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let fits = [Encoding::Boxes, Encoding::Cells, Encoding::Candidates];
        let fits = fits.contains(&context.config.encoding);
        context.require(fits, "crossover band-or-stack", "encoding boxes, cells or candidates")?;
        Ok(Self::new(context.space.geometry()))
    }
}

impl CrossoverOperator for BandOrStack {
    #[inline]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        // Vector levels have an instruction that counts bits. A closure for both parents may be
        // compiled without it.
        dispatch!(Level::new(), simd => {
            let [a, b] = parents;
            let (first, second, masks) = match draws.coin() {
                true => (self.distinct_in_rows(a), self.distinct_in_rows(b), &self.bands),
                false => (self.distinct_in_columns(a), self.distinct_in_columns(b), &self.stacks),
            };
            let lines = self.geometry.side() / masks.count as usize;
            let mut from_second = 0u64;
            for number in 0..masks.count {
                let lines = number as usize * lines..(number as usize + 1) * lines;
                let distinct = |board: &[u32]| board[lines.clone()].iter().sum::<u32>();
                let (of_first, of_second) = (distinct(&first), distinct(&second));
                let is_tie = of_first == of_second;
                let is_second = if is_tie { draws.coin() } else { of_second > of_first };
                from_second |= u64::from(is_second) << number;
            }
            masks.take_any(simd, from_second, parents, child);
        });
    }
}

impl BandOrStack {
    fn new(geometry: Geometry) -> Self {
        let (cells, side, stride) = (geometry.cells(), geometry.side(), geometry.stride());
        let band = geometry.box_rows() * side;
        let bands = (0..geometry.bands()).map(|number| number * band..(number + 1) * band);
        let stack_of = move |cell| cell % side / geometry.box_cols();
        let stacks = (0..geometry.stacks())
            .map(|stack| (0..cells).filter(move |cell| stack_of(*cell) == stack));
        let [bands, stacks] = [CellMasks::packed(bands, stride), CellMasks::packed(stacks, stride)];
        Self { geometry, bands, stacks }
    }

    /// The number of distinct values in each row.
    #[inline(always)]
    fn distinct_in_rows(&self, board: &[u8]) -> [u32; MAX_SIDE] {
        let mut distinct = [0; MAX_SIDE];
        let rows = board[..self.geometry.cells()].chunks_exact(self.geometry.side());
        for (distinct, row) in distinct.iter_mut().zip(rows) {
            *distinct = row.iter().fold(0u64, |set, value| set | bit_of(*value)).count_ones();
        }
        distinct
    }

    /// The number of distinct values in each column.
    #[inline(always)]
    fn distinct_in_columns(&self, board: &[u8]) -> [u32; MAX_SIDE] {
        let mut sets = [0u64; MAX_SIDE];
        for row in board[..self.geometry.cells()].chunks_exact(self.geometry.side()) {
            for (set, value) in sets.iter_mut().zip(row) {
                *set |= bit_of(*value);
            }
        }
        let mut distinct = [0; MAX_SIDE];
        for (distinct, set) in distinct.iter_mut().zip(&sets[..self.geometry.side()]) {
            *distinct = set.count_ones();
        }
        distinct
    }
}

/// The bit of a value, which is at least 1: the boards of a population are full.
#[inline(always)]
fn bit_of(value: u8) -> u64 {
    1u64.wrapping_shl(u32::from(value).wrapping_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    /// Rows and columns of the first are solved where the second's are not, and the reverse.
    #[test]
    fn the_better_band_or_stack_is_taken() {
        let crossover = BandOrStack::new(Geometry::new(2, 2).unwrap());
        let solved = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let mut parents = [solved, solved];
        parents[0][0..8].copy_from_slice(&[1, 2, 1, 2, 3, 4, 3, 4]); // band 1 repeats
        parents[1][8..16].copy_from_slice(&[2, 2, 4, 4, 4, 3, 2, 1]); // band 2 repeats
        let mut by_bands = 0;
        for slot in 0..100 {
            let mut child = [0; 16];
            let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Cross, slot);
            crossover.cross([&parents[0], &parents[1]], &mut child, &mut draws);
            by_bands += u32::from(child == solved);
        }
        assert!((35..65).contains(&by_bands), "{by_bands}");
    }
}
